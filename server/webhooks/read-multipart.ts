/**
 * The text parts of a multipart/form-data body, in order; files are left out. Undefined where the body is not one.
 * Node reads multipart only as a promise, and from a request of its own.
 */
export function readMultipart(bytes: Buffer, boundary: string): [name: string, value: string][] | undefined {
  if (boundary === '' || boundary.length > 200) return undefined
  const delimiter = Buffer.from(`--${boundary}`)
  let start = bytes.indexOf(delimiter)
  if (start === -1) return undefined
  const fields: [string, string][] = []
  while (fields.length < 2000) {
    const headStart = start + delimiter.length
    if (bytes.toString('latin1', headStart, headStart + 2) === '--') return fields
    const end = nextDelimiter(bytes, delimiter, headStart)
    if (end === -1) return undefined
    const field = readPart(bytes.subarray(headStart, end))
    if (field) fields.push(field)
    start = end
  }
  return fields
}

/** A delimiter counts only at the start of a line, so a value may hold its text. */
function nextDelimiter(bytes: Buffer, delimiter: Buffer, from: number): number {
  let at = bytes.indexOf(delimiter, from)
  while (at !== -1 && bytes[at - 1] !== 0x0a) at = bytes.indexOf(delimiter, at + 1)
  return at
}

function readPart(part: Buffer): [string, string] | undefined {
  const text = part.toString('utf8')
  const split = /\r?\n\r?\n/.exec(text)
  if (!split) return undefined
  const head = text.slice(0, split.index)
  const name = /^content-disposition:[^\n]*?[;\s]name=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/im.exec(head)
  if (!name || /^content-disposition:[^\n]*?;\s*filename\*?=/im.test(head)) return undefined
  const value = text.slice(split.index + split[0].length).replace(/\r?\n$/, '')
  return [decoded(name[1] ?? name[2] ?? ''), value]
}

/** Browsers write quotes and line ends in a name as %22, %0D and %0A; others escape them. */
function decoded(name: string): string {
  return name
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n')
    .replace(/\\(["\\])/g, '$1')
}
