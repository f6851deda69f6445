import type { Warning } from './map-payload.ts'

/** The most characters that each may have. */
export const longest = { name: 200, company: 200, city: 200, source: 200, notes: 20_000 } as const
const longestTag = 100
const mostTags = 50

export type FittedField = keyof typeof longest

/** As much of a text as the field may hold; said where something is lost. */
export function fitText(warnings: Warning[], field: FittedField, text: string, most: number = longest[field]): string {
  const short = clipped(text, most)
  if (short !== text) {
    const were = field === 'notes' ? 'were' : 'was'
    warnOnce(
      warnings,
      field,
      `The ${field} ${were} longer than ${grouped(longest[field])} characters, and ${were} cut off`,
    )
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
  const room = mostTags - added.length
  if (own.length > room) warnOnce(warnings, 'tags', `There were more than ${mostTags} tags; the last were left out`)
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
