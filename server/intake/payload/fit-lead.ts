import { leadFields, maxTagLength, maxTagsAtOnce, newTags, textFields } from '../../crm/leads/contract.ts'
import type { Warning } from './contract.ts'

/** The most characters that each may have. */
const { name, source, notes } = leadFields
const fitted = { name, ...textFields, source, notes }

export type FittedField = keyof typeof fitted

export const isFitted = (field: string): field is FittedField => field in fitted

/** Cuts a text to what the field may hold, with a warning if something is lost. */
export function fitText(
  field: FittedField,
  text: string,
  limit: number = fitted[field].maxLength,
): { text: string; warnings: Warning[] } {
  const short = clipped(text, limit)
  if (short === text) return { text, warnings: [] }
  const { label, maxLength } = fitted[field]
  const were = field === 'notes' ? 'were' : 'was'
  const message = `The ${label.toLowerCase()} ${were} longer than ${grouped(maxLength)} characters, and ${were} cut off`
  return { text: short, warnings: [{ field, message }] }
}

/** Limits different tags to what a lead may have, with `added` always among them and a warning if something is lost. */
export function fitTags(tags: string[], always: string[] = []): { tags: string[]; warnings: Warning[] } {
  const added = newTags([], always)
  const short = tags.map((tag) => clipped(tag, maxTagLength))
  const own = newTags(added, short)
  const room = maxTagsAtOnce - added.length
  const messages = [
    short.some((tag, at) => tag !== tags[at]) && `A tag was longer than ${maxTagLength} characters, and was cut off`,
    own.length > room && `There were more than ${maxTagsAtOnce} tags; the last were left out`,
  ].filter((message) => message !== false)
  return { tags: [...own.slice(0, room), ...added], warnings: messages.map((message) => ({ field: 'tags', message })) }
}

/** Returns the warnings with those added whose message is not among them. */
export function withWarnings(warnings: Warning[], added: Warning[]): Warning[] {
  return [...warnings, ...added.filter(({ message }) => !warnings.some((warning) => warning.message === message))]
}

function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text
  return text
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

const grouped = (count: number) => count.toLocaleString('en')
