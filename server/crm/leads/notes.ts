import { createHash } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { istTime } from '../../platform/http/instants.ts'
import { invalid } from '../../platform/http/problem.ts'
import { leadFields } from './fields.ts'

/** The last line of notes that have no room for more messages. */
export const laterMessages = 'Later messages are on the timeline.'
const maxNotesLength = leadFields.notes.maxLength
const ending = `\n\n${laterMessages}`

/**
 * Adds a webhook's message below its time, if it fits. Otherwise `kept` is the message, for the timeline only. A message that
 * the notes already contain, as after a replay, is not added again.
 */
export function withMessage(
  notes: string | null,
  message: string,
  received: Date,
): { notes: string; kept: string | null } {
  if (notes === null) return { notes: message, kept: null }
  const dated = underTime(message, istTime(received))
  if (isAmong(notes, message, dated)) return { notes, kept: null }
  // All later messages go to the timeline too, in order, until a user removes that line from the notes.
  const isFull = notes.includes(ending)
  const longer = `${notes}\n\n${dated}`
  if (!isFull && longer.length + ending.length <= maxNotesLength) return { notes: longer, kept: null }
  const hasRoom = !isFull && notes.length + ending.length <= maxNotesLength
  return { notes: hasRoom ? notes + ending : notes, kept: message }
}

function isAmong(notes: string, message: string, dated: string): boolean {
  const blocks = `${notes}\n\n[`
  if (notes === message || notes.startsWith(`${message}\n\n[`)) return true
  return blocks.includes(`${dated}\n\n[`) || notes.includes(`${dated}${ending}`)
}

/** Adds a user's note below its time and their name. */
export function withNote(notes: string | null, text: string, at: Date, author: string): string {
  const note = underTime(text, `${istTime(at)}, ${author}`)
  const longer = notes === null ? note : `${notes}\n\n${note}`
  if (longer.length > maxNotesLength) {
    const room = Math.max(0, maxNotesLength - longer.length + text.length)
    const left = room.toLocaleString('en')
    throw invalid(
      msg`The notes have room for ${{ left }} more characters. Shorten this one, or edit the notes first.`,
      'text',
    )
  }
  return longer
}

const underTime = (text: string, time: string) => `[${time}]\n${text}`

/** Identifies a text of the notes: different texts have different versions. */
export function notesVersion(notes: string | null): string {
  return createHash('sha256')
    .update(notes ?? '')
    .digest('hex')
    .slice(0, 32)
}
