/** A path through a payload: keys of objects, indexes of lists; in a list of names and values, the name of an entry. */
export type Path = readonly (string | number)[]

const plainKey = /^[^.[\]"\\\p{C}]+$/u

/** Writes a path: `form_response.answers[0].text`; a key with dots, brackets or quotes as `["Is it? [yes]"]`. */
export function pathText(path: Path): string {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (plainKey.test(segment) && segment.trim() === segment) text += text === '' ? segment : `.${segment}`
    else text += `[${JSON.stringify(segment)}]`
  }
  return text
}

/** Replaces a key that is an email or a phone by `*`, so that the path can be stored longer than its delivery. */
export function withoutPersonalKeys(text: string): string {
  if (!/@|\d{4}/.test(text)) return text
  const path = readPath(text)
  return path?.some(isPersonal) ? pathText(path.map((segment) => (isPersonal(segment) ? '*' : segment))) : text
}

function isPersonal(segment: string | number): boolean {
  // A key with many words is a label, which may contain an example.
  if (typeof segment === 'number' || segment.trim().split(/\s+/, 5).length > 4) return false
  const squeezed = segment.replace(/[\s().\u2010-\u2015-]/g, '')
  return /\S@\S/.test(segment) || /(?<![\p{L}_\d])\d{10,15}(?![\p{L}_\d])/u.test(squeezed)
}

const step = /\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\[([^[\]"]*)\]|\.?([^.[\]]+)/uy

/** Reads the output of `pathText` and paths typed by hand (`reach.tel`, `contact[email]`); undefined for anything else. */
export function readPath(text: string): Path | undefined {
  const path: (string | number)[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const match = step.exec(text)
    if (!match) return undefined
    const [, index, quoted, bracketed, plain] = match
    if (index !== undefined) path.push(Number(index))
    else if (quoted !== undefined) {
      const key = unquoted(quoted)
      if (key === undefined) return undefined
      path.push(key)
    } else path.push(bracketed ?? plain ?? '')
  }
  return path.length > 0 ? path : undefined
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}
