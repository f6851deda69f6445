import { decodeText, markedEncoding } from '../../platform/http/decode-text.ts'
import type { Warning } from './contract.ts'
import { type Fields, readMultipart, readUrlEncoded } from './form-fields.ts'
import { rawControls, readJson } from './read-json.ts'
import { isEntries } from './structure/open-value.ts'
import { pairsOf } from './structure/pairs.ts'

/**
 * `cut`: the body has more than is read. `isList`: it is a list of several objects, stored under `records`. `warnings`: what was
 * wrong with it, and read nevertheless.
 */
export type Body =
  | { payload: Record<string, unknown>; cut?: true; isList?: true; warnings?: Warning[] }
  | { problem: string }

/** Deeper than any sender nests. Deeper values are left out, so that no later step meets unlimited depth. */
const maxDepth = 60

/** Reads a body in any supported format as one object. */
export function readBody(body: Uint8Array, contentType: string | undefined): Body {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const type = (contentType ?? '').toLowerCase()
  if (bytes.length === 0) return { problem: 'The body is empty; send a JSON object' }
  const isMultipart = type.includes('multipart/form-data')
  const multipart = readMultipart(bytes, isMultipart ? contentType : undefined)
  if (multipart) return fromForm(multipart)
  const charset = /charset="?([\w.:-]+)/.exec(type)?.[1]
  const text = decodeText(bytes, charset).trim()
  if (text === '') return { problem: 'The body is empty; send a JSON object' }
  const form = () =>
    fromForm(markedEncoding(bytes) ? readUrlEncoded(Buffer.from(text)) : readUrlEncoded(trimmed(bytes), charset))
  if (/^[{["]/.test(text)) {
    const body = fromJson(text)
    return body ?? (type.includes('form-urlencoded') && text.includes('=') ? form() : notJson)
  }
  if (isMultipart || /^--\S+\r\n/.test(text)) return { problem: 'The body is not valid multipart form data' }
  if (type.includes('json') && !/^[^=&\s{}<>]+=/.test(text)) return notJson
  if (/^[^=&\s<>]+=/.test(text) || type.includes('form-urlencoded')) return form()
  return { problem: 'The body is not a JSON object; send JSON or a form' }
}

const notJson = { problem: 'The body is not valid JSON' }

/** Removes the spaces and line ends that some senders put around a form. */
function trimmed(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length]
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3
  while (start < end && bytes[start]! <= 0x20) start++
  while (end > start && bytes[end - 1]! <= 0x20) end--
  return bytes.subarray(start, end)
}

/** Undefined where it is not JSON. */
function fromJson(text: string): Body | undefined {
  const outer = readJson(text)
  // Some senders encode their JSON twice.
  const read = typeof outer?.value === 'string' ? readJson(outer.value.trim()) : outer
  if (read === undefined) return undefined
  const shallow = withinDepth(read.value)
  if (!isEntries(shallow) && !Array.isArray(shallow)) return { problem: 'The body is not a JSON object' }
  const body = isEntries(shallow) ? { payload: shallow } : fromList(shallow)
  const isValid = outer?.isValid && read.isValid
  return !isValid && 'payload' in body ? { ...body, warnings: [rawControls] } : body
}

function fromForm({ fields, cut, warnings }: Fields): Body {
  // Some senders encode their JSON as the name of a field.
  const [[name, value] = ['', '']] = fields
  const body = (fields.length === 1 && value === '' && /^[{[]/.test(name) && fromJson(name)) || fromFields(fields)
  if ('problem' in body) return body
  return { ...body, ...(cut ? { cut } : {}), ...(warnings.length > 0 ? { warnings } : {}) }
}

/** Reads a list of leads, or of the name/value pairs of one lead. */
function fromList(list: unknown[]): Body {
  const pairs = pairsOf(list)
  if (pairs && (list.length > 1 || Array.isArray(list[0]))) {
    return fromFields(pairs.map((pair) => [pair.labels[0] ?? pair.ids[0] ?? '', pair.value]))
  }
  const [only] = list
  if (list.length === 1 && isEntries(only)) return { payload: only }
  if (list.length > 1 && list.every(isEntries)) return { payload: { records: list }, isList: true }
  return { problem: 'The body is a list without leads; send leads as JSON objects' }
}

/** A name with several values becomes a list. Empty values and equal ones beside another are left out. */
function fromFields(fields: (readonly [string, unknown])[]): Body {
  const values = new Map<string, Set<unknown>>()
  for (const [name, value] of fields) values.set(name, (values.get(name) ?? new Set()).add(value))
  if (values.size === 0) return { problem: 'The form has no fields' }
  return { payload: Object.fromEntries([...values].map(([name, all]) => [name, oneOrAll(all)])) }
}

function oneOrAll(values: Set<unknown>): unknown {
  if (values.size > 1) values.delete('')
  return values.size > 1 ? [...values] : [...values][0]
}

function withinDepth(root: unknown): unknown {
  const stack: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    const { value, depth } = frame
    if (typeof value !== 'object' || value === null) continue
    const entries = value as Record<string, unknown>
    for (const key of Object.keys(entries)) {
      const child = entries[key]
      if (typeof child !== 'object' || child === null) continue
      if (depth + 1 < maxDepth) stack.push({ value: child, depth: depth + 1 })
      else Object.defineProperty(entries, key, { value: null, enumerable: true, configurable: true, writable: true })
    }
  }
  return root
}
