/** A check of the first bytes of a file, before it is sent. */
export interface FileCheck {
  /** It cannot be imported. */
  problem?: string
  /** It can be imported, but its characters may be wrong. */
  warning?: string
}

const mostBytes = 20 * 1024 * 1024
const looksAt = 65_536

export async function checkFile(file: File): Promise<FileCheck> {
  if (file.size === 0) return { problem: 'The file is empty.' }
  if (file.size > mostBytes) return { problem: 'The file is larger than 20 MB. Split it and import the parts.' }
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.slice(0, looksAt).arrayBuffer())
  } catch {
    return { problem: 'The file cannot be read. It may have been moved or be open elsewhere: choose it again.' }
  }
  return checkBytes(bytes)
}

const begins = (bytes: Uint8Array, ...signs: number[]) => signs.every((sign, index) => bytes[index] === sign)

function checkBytes(bytes: Uint8Array): FileCheck {
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04) || begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    return {
      problem: 'This is a workbook, not a CSV file. Open it, choose “Save as”, then “CSV UTF-8”, and import that file.',
    }
  }
  if (begins(bytes, 0xff, 0xfe)) return {}
  if (begins(bytes, 0xfe, 0xff)) {
    return { problem: 'The file is in an encoding that cannot be read (UTF-16 BE). Save it as “CSV UTF-8”.' }
  }
  if (bytes.includes(0))
    return { problem: 'This is not a text file. Save the list as “CSV UTF-8” and import that file.' }
  if (isUtf8(bytes)) return {}
  return {
    warning:
      'The file is not in UTF-8, so it is read in the old Windows encoding. Look at the samples: if characters are wrong, save it as “CSV UTF-8” and choose it again.',
  }
}

/** A character that is cut off at the end is allowed. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** "824 kB", "18.2 MB" */
export function sizeOf({ size }: File): string {
  if (size < 1000) return `${size} bytes`
  return size < 1_000_000 ? `${Math.round(size / 1000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`
}
