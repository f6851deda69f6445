/**
 * Decodes bytes by their byte order mark, else by the named charset, else as UTF-8. Invalid UTF-8 is decoded as
 * windows-1252, which older systems send without a charset. What is named so, or Latin-1, may be UTF-8: some programs always name it.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const marked = markedEncoding(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes)
  const named = charset === undefined ? undefined : decoderFor(charset)
  if (named && named.encoding !== 'utf-8' && named.encoding !== 'windows-1252') return named.decode(bytes)
  try {
    return utf8.decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export function markedEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoderFor(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined
  }
}
