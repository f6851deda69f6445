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

/** Returns what was noted last, with its time: of a long note the end, in at most so many characters. */
export function newestOf(notes: string, limit: number): string {
  const last = notes.split(times).at(-1)!
  const [line = '', time] = /^(\[[^\]\n]*\])\n/.exec(last) ?? []
  const text = endOf(last.slice(line.length), limit)
  return time ? `${time} ${text}` : text
}

/** A text that the server has cut begins with an ellipsis. */
const cutMark = '…'

/** Returns the end of a text, from the start of a sentence or of a word. */
function endOf(text: string, limit: number): string {
  if (text.length <= limit && !text.startsWith(cutMark)) return text
  const end = text.slice(-limit)
  const sentence = end.search(/(?<=[.!?।]\s|\n)\S/)
  const word = end.search(/(?<=\s)\S/)
  // A short sentence says less than the words before it.
  const start = sentence >= 0 && sentence < limit / 2 ? sentence : word
  return cutMark + end.slice(Math.max(start, 0))
}

/** Returns the beginning of a text, until the end of a word. */
export function startOf(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = text.slice(0, limit).search(/\s\S*$/)
  return text.slice(0, end > 0 ? end : limit) + cutMark
}
