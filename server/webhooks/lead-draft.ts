import { isEmail } from '../leads/contact.ts'
import { leadPriorities, leadStatuses, type NewLead, rupeesIn } from '../leads/contract.ts'
import { mailboxIn, phoneIn } from './recognition/values.ts'

/** What a payload says of a lead: any of its fields, each within the limits of a lead's input (D11). */
export type LeadDraft = Partial<NewLead>
export type LeadField = keyof LeadDraft

/** The value as the lead may hold it; undefined where it cannot be made one. */
export const fieldReaders: { [Field in LeadField]-?: (text: string) => LeadDraft[Field] | undefined } = {
  name: (text) => line(mailboxIn(text)?.name ?? text, 200),
  company: (text) => line(text, 200),
  city: (text) => line(text, 200),
  source: (text) => line(text, 200),
  notes: (text) => lines(text),
  email: (text) => mailboxIn(line(text, 1000) ?? '')?.email,
  phone: (text) => phoneIn(line(text, 1000) ?? ''),
  status: (text) => oneOf(leadStatuses, text),
  priority: (text) => oneOf(leadPriorities, text),
  tags: (text) => tagsIn(text.split(/[,;\n]/)),
  deal_value: rupeesIn,
  assigned_to: (text) => (isEmail(text.trim()) ? text.trim() : undefined),
}

function line(text: string, longest: number): string | undefined {
  return clipped(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\u2028\u2029][\p{Cc}\s]*/gu, ' ')
      .trim(),
    longest,
  )
}

export function lines(text: string): string | undefined {
  const clean = text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]+/gu, ' ')
  return clipped(clean.trim(), 20_000)
}

function clipped(text: string, longest: number): string | undefined {
  const short =
    text.length > longest
      ? text
          .slice(0, longest)
          .replace(/[\ud800-\udbff]$/, '')
          .trim()
      : text
  return short === '' ? undefined : short
}

export function tagsIn(texts: readonly string[]): string[] | undefined {
  const tags = texts.slice(0, 500).flatMap((text) => line(text, 100) ?? [])
  return tags.length > 0 ? [...new Set(tags)].slice(0, 50) : undefined
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value | undefined {
  const wanted = text.trim().toLowerCase()
  return values.find((value) => value.toLowerCase() === wanted)
}
