import type { Warning } from './contract.ts'

export const rawControls: Warning = {
  field: 'payload',
  message: 'is not valid JSON: a text contains a line break that is not escaped',
}

/** Reads JSON, also with line breaks and tabs in its texts, which `isValid` denies. Undefined if it is none. */
export function readJson(text: string): { value: unknown; isValid: boolean } | undefined {
  try {
    return { value: JSON.parse(text), isValid: true }
  } catch {
    const escaped = withEscapedControls(text)
    return escaped === text ? undefined : readEscaped(escaped)
  }
}

function readEscaped(text: string): { value: unknown; isValid: false } | undefined {
  try {
    return { value: JSON.parse(text), isValid: false }
  } catch {
    return undefined
  }
}

/**
 * Escapes line breaks and tabs within texts, which some senders write as they are. One pass over the body, because any sender can send
 * one of three megabytes.
 */
function withEscapedControls(text: string): string {
  const parts: string[] = []
  let [start, isText] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) isText = !isText
    else if (!isText) continue
    // What a backslash before a line break means is unknown: it stays invalid.
    else if (code === backslash) at++
    else if (code < space) {
      parts.push(text.slice(start, at), JSON.stringify(text[at]).slice(1, -1))
      start = at + 1
    }
  }
  return parts.join('') + text.slice(start)
}

const [space, quote, backslash] = [0x20, 0x22, 0x5c]
