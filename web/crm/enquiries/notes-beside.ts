/** The line above a message or a note: [21 Nov 2026, 10:30]. */
const times = /\n\n(?=\[\d{1,2} \w{3,4} \d{4}, \d\d:\d\d[^\]\n]*\]\n)/

/** Returns the notes without the messages of enquiries that are shown beside them; null if nothing else was noted. */
export function notesBeside(notes: string | null, messages: readonly (string | null)[]): string | null {
  if (notes === null) return null
  const isShown = (block: string) => {
    const text = block.replace(/^\[[^\]\n]*\]\n/, '').trim()
    // The server removes long messages.
    if (text === '') return true
    return messages.some((message) => message !== null && `\n${message.trim()}\n`.includes(`\n${text}\n`))
  }
  const others = notes.split(times).filter((block) => !isShown(block))
  return others.join('\n\n') || null
}

/** Returns what was noted last, with its time in the first line. */
export const lastNote = (notes: string) =>
  notes
    .split(times)
    .at(-1)!
    .replace(/^(\[[^\]\n]*\])\n/, '$1 ')
