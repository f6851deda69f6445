/** `leads-status.csv` for rows of `leads.xlsx`. */
export const fileOfRows = ({ name }: File, kind: string) => `${name.replace(/\.[^.]*$/, '')}-${kind}.csv`

/** Without the mark at its beginning, Excel takes the file for one in an older encoding. */
export function download(name: string, lines: string[]): void {
  const address = URL.createObjectURL(new Blob(['\u{FEFF}', ...lines], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
