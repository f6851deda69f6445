import { t } from '@lingui/core/macro'
/** A check of the first bytes of a file, before it is sent. */
export interface FileCheck {
  /** It cannot be imported. */
  problem?: string
  /** It can be imported, but its characters may be wrong. */
  warning?: string
}

/** The server has the same limits. */
export const maxMb = (isAdmin: boolean) => (isAdmin ? 100 : 20)
const looksAt = 65_536

export async function checkFile(file: File, isAdmin: boolean): Promise<FileCheck> {
  if (file.size === 0) return { problem: t`The file is empty.` }
  const max = maxMb(isAdmin)
  if (file.size > max * 1024 * 1024) {
    return { problem: t`The file is larger than ${max} MB. Split it and import the parts, or use the command line.` }
  }
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.slice(0, looksAt).arrayBuffer())
  } catch {
    return { problem: t`The file cannot be read. It may have been moved or be open elsewhere: choose it again.` }
  }
  return checkBytes(bytes)
}

const begins = (bytes: Uint8Array, ...signs: number[]) => signs.every((sign, index) => bytes[index] === sign)

function checkBytes(bytes: Uint8Array): FileCheck {
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04)) return {}
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    return {
      problem: t`This is an old or encrypted workbook. Save it as .xlsx without a password, and import that file.`,
    }
  }
  if (begins(bytes, 0xff, 0xfe)) return {}
  if (begins(bytes, 0xfe, 0xff)) {
    return { problem: t`The file is in an encoding that cannot be read (UTF-16 BE). Save it as “CSV UTF-8”.` }
  }
  if (bytes.includes(0))
    return { problem: t`This is not a text file. Save the list as .xlsx or “CSV UTF-8” and import that file.` }
  if (isMarkup(bytes)) {
    return {
      problem: t`The file is a web page or XML, although its name says otherwise. Open it in a spreadsheet program and save it as .xlsx or CSV.`,
    }
  }
  if (isUtf8(bytes)) return {}
  return {
    warning: t`The file is not in UTF-8, so it is read in the old Windows encoding. Look at the samples: if characters are wrong, save it as “CSV UTF-8” and choose it again.`,
  }
}

/** Many systems name a table in HTML leads.xls. */
const isMarkup = (bytes: Uint8Array) =>
  /^\s*<(!--|(!doctype|\?xml|html|head|body|meta|style|table|div|tr)\b)/i.test(new TextDecoder().decode(bytes))

/** A character that is cut off at the end is allowed. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

export const isWorkbook = ({ name }: File) => /\.xlsx$/i.test(name)

/** "824 kB", "18.2 MB" */
export function formatSize({ size }: File): string {
  if (size < 1000) return t`${size} bytes`
  return size < 1_000_000
    ? t`${{ size: Math.round(size / 1000) }} kB`
    : t`${{ size: (size / 1_000_000).toFixed(1) }} MB`
}
