import { type LeadField, leadFields, longestTag, mostTagsAtOnce, textFields } from '../leads/contract.ts'
import type { Warning } from './map-payload.ts'

/** The most characters that each may have. */
const { name, source, notes } = leadFields
const fitted = { name, ...textFields, source, notes }

export type FittedField = keyof typeof fitted

export const isFitted = (field: LeadField): field is FittedField => field in fitted

/** As much of a text as the field may hold; said where something is lost. */
export function fitText(
  warnings: Warning[],
  field: FittedField,
  text: string,
  most: number = fitted[field].longest,
): string {
  const short = clipped(text, most)
  if (short !== text) {
    const { label, longest } = fitted[field]
    const were = field === 'notes' ? 'were' : 'was'
    const message = `The ${label.toLowerCase()} ${were} longer than ${grouped(longest)} characters, and ${were} cut off`
    warnOnce(warnings, field, message)
  }
  return short
}

/** As many different tags as a lead may have, the ones that are always added among them; said where something is lost. */
export function fitTags(warnings: Warning[], tags: string[], added: string[] = []): string[] {
  const short = tags.map((tag) => clipped(tag, longestTag))
  if (short.some((tag, at) => tag !== tags[at])) {
    warnOnce(warnings, 'tags', `A tag was longer than ${longestTag} characters, and was cut off`)
  }
  const own = [...new Set(short)].filter((tag) => !added.includes(tag))
  const room = mostTagsAtOnce - added.length
  if (own.length > room)
    warnOnce(warnings, 'tags', `There were more than ${mostTagsAtOnce} tags; the last were left out`)
  return [...own.slice(0, room), ...added]
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  return text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

function warnOnce(warnings: Warning[], field: string, message: string): void {
  if (!warnings.some((warning) => warning.message === message)) warnings.push({ field, message })
}

const grouped = (count: number) => count.toLocaleString('en')
