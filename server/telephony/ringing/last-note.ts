const maxLength = 300

/** Returns the beginning of the last note of a lead's notes, without its time. */
export function lastNote(notes: string | null): string | null {
  if (notes === null) return null
  const last = notes
    .split(/\n\n(?=\[[^\]\n]*\]\n)/)
    .at(-1)!
    .replace(/^\[[^\]\n]*\]\n/, '')
    .trim()
  const cut = [...last.slice(0, 2 * maxLength)].slice(0, maxLength).join('')
  if (cut === '') return null
  return cut.length < last.length ? `${cut.trimEnd()}…` : cut
}
