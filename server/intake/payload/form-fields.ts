import busboy from 'busboy'
import { isEmail } from '../../crm/contacts/contact.ts'
import { decodeText } from '../../platform/http/decode-text.ts'
import type { Warning } from './contract.ts'
import { mayBeLeadValue } from './structure/values.ts'

export type Fields = { fields: [name: string, value: string][]; cut: boolean; warnings: Warning[] }

/** A form has a few dozen fields. Beyond the first 4,000, only fields with a possible lead value are read. */
export const maxFields = 4000
export const maxLikely = 1000

/**
 * Reads application/x-www-form-urlencoded from its bytes, because `%E9` may be a letter in an older encoding. A field
 * named `_charset_` names the encoding.
 */
export function readUrlEncoded(bytes: Buffer, charset?: string): Fields {
  const read: { name: Buffer; value: Buffer; raw: Buffer }[] = []
  let [extra, at, cut] = [0, 0, false]
  while (at < bytes.length) {
    const found = bytes.indexOf(ampersand, at)
    const end = found === -1 ? bytes.length : found
    if (end > at) {
      const isFirst = read.length < maxFields
      if (isFirst || (extra < maxLikely && mayBeLeadField(bytes.subarray(at, end)))) {
        read.push(fieldIn(bytes, at, end))
        if (!isFirst) extra++
      } else cut = true
    }
    at = end + 1
  }
  const named = read.find(({ name }) => name.equals(charsetField))?.value.toString('latin1')
  const decode = (part: Buffer) => decodeText(part, named || charset)
  const warnings: Warning[] = []
  const fields = read.map(({ name: encoded, value, raw }): [string, string] => {
    const name = decode(encoded)
    const email = raw.includes(plus) && emailKey.test(name) ? emailWithPlus(raw) : undefined
    if (email === undefined) return [name, decode(value)]
    warnings.push({ field: name, message: `is read as ${email}, although its plus is not escaped as %2B` })
    return [name, email]
  })
  return { fields, cut, warnings: warnings.slice(0, 10) }
}

const emailKey = /e[ _-]?mail/i

/** A plus stands for a space in forms. A sender that does not escape the at sign of an email does not escape its plus either. */
function emailWithPlus(raw: Buffer): string | undefined {
  const text = raw.length > 320 ? '' : raw.toString('utf8')
  return /^[^+@%]+\+[^+@%]+@[^+@%]+$/.test(text) && isEmail(text) ? text : undefined
}

const [ampersand, plus] = [0x26, 0x2b]
const charsetField = Buffer.from('_charset_')

function fieldIn(bytes: Buffer, at: number, end: number) {
  const part = bytes.subarray(at, end)
  const split = part.indexOf(0x3d)
  const [name, value] = split === -1 ? [part, Buffer.alloc(0)] : [part.subarray(0, split), part.subarray(split + 1)]
  return { name: percentDecoded(name), value: percentDecoded(value), raw: value }
}

function mayBeLeadField(part: Buffer): boolean {
  const text = part.toString('latin1', 0, 400).replace(/%40/g, '@')
  const split = text.indexOf('=')
  return mayBeLeadValue(split === -1 ? text : text.slice(0, split), text.slice(split + 1))
}

function percentDecoded(part: Buffer): Buffer {
  if (!part.includes(0x25) && !part.includes(0x2b)) return part
  const decoded = Buffer.allocUnsafe(part.length)
  let size = 0
  for (let at = 0; at < part.length; at++) {
    const byte = part[at]!
    const code = byte === 0x25 ? hex(part[at + 1]) * 16 + hex(part[at + 2]) : Number.NaN
    if (Number.isNaN(code)) decoded[size++] = byte === 0x2b ? 0x20 : byte
    else {
      decoded[size++] = code
      at += 2
    }
  }
  return decoded.subarray(0, size)
}

function hex(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

/** Programs that set the content type by hand leave out the boundary, with which the body begins. */
const boundaryInBody = /^\s*--([^\r\n"]{1,200})\r\ncontent-/i

/**
 * Reads the text parts of multipart/form-data in their order, without files; undefined if the body is not multipart. `contentType`:
 * if it says so.
 */
export function readMultipart(bytes: Buffer, contentType = ''): Fields | undefined {
  const [, first] = boundaryInBody.exec(bytes.toString('latin1', 0, 300)) ?? []
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = first ?? quoted ?? plain
  if (boundary === undefined || !bytes.includes(`--${boundary}--`)) return undefined
  const fields: Fields['fields'] = []
  let [cut, failed] = [false, false]
  try {
    const parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      // Keeps the bytes; their encoding is determined afterwards.
      defCharset: 'latin1',
      defParamCharset: 'latin1',
      limits: { fields: maxFields, files: 0, fieldSize: 4 * 1024 * 1024, fieldNameSize: 1000 },
    })
    // A whole body at once is parsed before `end` returns.
    parser.on('field', (name, value) => fields.push([decodedName(name), fromLatin1(value)]))
    parser.on('fieldsLimit', () => {
      cut = true
    })
    parser.on('error', () => {
      failed = true
    })
    parser.end(bytes)
  } catch {
    return undefined
  }
  return failed ? undefined : { fields, cut, warnings: [] }
}

const fromLatin1 = (text: string) => decodeText(Buffer.from(text, 'latin1'))

/** Browsers write quotes and line ends in a name as %22, %0D and %0A. */
function decodedName(name: string): string {
  return fromLatin1(name ?? '')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n')
}
