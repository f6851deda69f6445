import { type Static, Type } from 'typebox'
import type { CallPreview } from '../calls/contract.ts'
import { DateParameters, Instant, Line, Lines, Name, Nullable, PageParameters, Uuid } from '../http/contract.ts'
import {
  everyText,
  type LeadStatus,
  leadFields,
  leadPriorities,
  leadStatuses,
  longestTag,
  mostTags,
  mostTagsAtOnce,
  textFields,
} from './fields.ts'

export * from './fields.ts'

const Status = Type.Enum([...leadStatuses])
const Priority = Type.Enum([...leadPriorities])
const Tags = Type.Array(Line(longestTag), { maxItems: mostTagsAtOnce })
const Email = Type.String({
  format: 'email',
  maxLength: leadFields.email.longest,
  description: 'Required without a phone.',
})
const Phone = Type.String({
  format: 'phone',
  maxLength: leadFields.phone.longest,
  description: 'Required without an email. 7 to 15 digits with the usual signs; +91 is assumed without a country.',
})
/** In INR. Rounded to paise. */
const DealValue = Type.Number({ minimum: 0, maximum: 9_999_999_999_999.99, description: 'Expected value in INR.' })
const Notes = Lines(leadFields.notes.longest)
const Owner = Line(leadFields.assigned_to.longest, {
  description: 'Email of the user to assign. Default: your distribution rules, else you.',
})
const Source = Line(leadFields.source.longest, { description: 'Source label. Default for a new lead: API.' })

/**
 * What a client sends. Defaults stand in the descriptions alone: they are for a new lead and must never reach one that
 * exists.
 */
export const NewLead = Type.Object({
  name: Name({ description: 'Full name.' }),
  email: Type.Optional(Email),
  phone: Type.Optional(Phone),
  ...everyText((field) => Type.Optional(Line(textFields[field].longest))),
  source: Type.Optional(Source),
  status: Type.Optional(Type.Enum([...leadStatuses], { description: 'Default for a new lead: New.' })),
  priority: Type.Optional(Type.Enum([...leadPriorities], { description: 'Default for a new lead: Medium.' })),
  tags: Type.Optional(Tags),
  deal_value: Type.Optional(DealValue),
  notes: Type.Optional(Notes),
  assigned_to: Type.Optional(Owner),
})
export type NewLead = Static<typeof NewLead>

/** The fields of a lead as they are answered. */
export const AnsweredFields = Type.Object({
  name: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  ...everyText(() => Nullable(Type.String())),
  source: Type.String(),
  status: Status,
  priority: Priority,
  tags: Type.Array(Type.String()),
  deal_value: Nullable(Type.Number({ description: 'In INR.' })),
  notes: Nullable(Type.String()),
  assigned_to: Nullable(Type.String({ description: 'Email of the assigned user.' })),
})

export const Lead = Type.Object({
  id: Uuid(),
  ...AnsweredFields.properties,
  created_at: Instant(),
  updated_at: Instant(),
})
export type Lead = Static<typeof Lead>

/** As the web app lists it. */
export type ListedLead = Omit<Lead, 'notes'>

/**
 * The answer to a create. Where the person is already a lead that the key's user may not see, only what was sent
 * comes back, with the lead's id, status and times.
 */
export const SavedLead = Type.Object({
  ...Type.Partial(Lead).properties,
  id: Uuid(),
  name: Type.String(),
  phone: Nullable(Type.String()),
  status: Status,
  created_at: Instant(),
  updated_at: Instant(),
})
export type SavedLead = Static<typeof SavedLead>

export const LeadQuery = Type.Object({
  ...DateParameters,
  status: Type.Optional(Status),
  source: Type.Optional(Line(leadFields.source.longest, { description: 'Source label, exactly.' })),
  priority: Type.Optional(Priority),
  assigned_to: Type.Optional(Line(254, { description: 'Email of the assigned user.' })),
  ...PageParameters,
})
export type LeadQuery = Static<typeof LeadQuery>

const leadSorts = ['newest', 'updated', 'name'] as const
export type LeadSort = (typeof leadSorts)[number]

const units: Record<string, number> = { k: 1e3, thousand: 1e3, l: 1e5, lac: 1e5, lakh: 1e5, cr: 1e7, crore: 1e7 }
const amount =
  /^(?:rs\.?\s*|[^\d.-]{0,5})(\d[\d,]{0,20}(?:\.\d{1,20})?)\s*(?:(k|thousand|l|lac|lakh|cr|crore)s?\b\.?)?\s*(?:\/-|[A-Z]{3})?$/i

/** Rupees as people write them: ₹1,25,000, Rs. 1,25,000/-, 1.25 lakh. Undefined where it is no amount of a lead. */
export function rupeesIn(text: string): number | undefined {
  const [, digits, unit] = amount.exec(text.trim()) ?? []
  if (!digits) return undefined
  const rupees = Math.round(Number(digits.replaceAll(',', '')) * (unit ? units[unit.toLowerCase()]! : 1) * 100) / 100
  return rupees <= 9_999_999_999_999.99 ? rupees : undefined
}

/** What the web app's list and its export choose by. A search without dates looks through all leads there are. */
export const LeadSearch = Type.Object({
  ...LeadQuery.properties,
  assigned_to: Type.Optional(Line(254, { description: 'Email of the assigned user, or `nobody`.' })),
  search: Type.Optional(Line(200, { description: 'The beginning of a name, a phone or an email.' })),
  sort: Type.Optional(Type.Enum([...leadSorts])),
})
export type LeadSearch = Static<typeof LeadSearch>

const orEmpty = <T extends Type.TSchema>(schema: T) => Type.Optional(Nullable(schema))

/**
 * A change by hand, in the web app: what is given replaces, and a null empties a field. Tags are added and removed one
 * by one, and notes are replaced only if they are still as they were read.
 */
export const LeadChange = Type.Object({
  name: Type.Optional(NewLead.properties.name),
  source: NewLead.properties.source,
  status: NewLead.properties.status,
  priority: NewLead.properties.priority,
  add_tags: Type.Optional(Tags),
  remove_tags: Type.Optional(Type.Array(Type.String(), { maxItems: mostTags })),
  email: orEmpty(Email),
  phone: orEmpty(Phone),
  ...everyText((field) => orEmpty(Line(textFields[field].longest))),
  deal_value: orEmpty(DealValue),
  notes: orEmpty(Notes),
  notes_version: Type.Optional(Line(64, { description: 'With notes: the version that they were read at.' })),
  assigned_to: orEmpty(Owner),
})
export type LeadChange = Static<typeof LeadChange>

/** Added to the notes under its time and its author's name. */
export const NewNote = Type.Object({ text: Lines(leadFields.notes.longest, { minLength: 1 }) })

/** The next entries of a timeline are those `before` the last one. */
export const TimelineQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
})

export const EntryParameters = Type.Object({
  id: Uuid(),
  entry: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }),
})

export const LeadContact = Type.Pick(NewLead, ['phone', 'email'])

/** The lead that one to be added would be merged into. */
export interface LeadMatch {
  id: string
  name: string
  phone: string | null
  email: string | null
  status: LeadStatus
  by: 'phone' | 'email'
}

export interface MatchAnswer {
  match: LeadMatch | null
  /** It is a lead that one may not see. */
  hidden: boolean
  message: string | null
}

/** What a lead's source and its assigned person may be chosen from. */
export interface LeadChoices {
  /** The labels in use, the most used first. */
  sources: string[]
  /** Whose leads one may see. */
  people: { name: string; email: string; active: boolean }[]
}

export interface TimelineEntry {
  id: number
  at: string
  kind: string
  summary: string
  details: {
    changes?: FieldChange[]
    not_taken?: { field: string; offered: unknown; reason: string }[]
    /** A message that the notes had no room for. */
    message?: string
    /** What somebody sent who may not see the lead. */
    submitted?: Record<string, unknown>
    /** The lead to which a submission with this lead's email went. */
    merged_into?: string
  }
  /** Long texts and lists are cut here: the entry by itself has them whole. */
  cut: boolean
}

/**
 * A field before and after. Of notes that grew what was `added`, of notes that were replaced what they were before; of
 * tags those that were added and removed. Older entries have all fields before and after.
 */
export interface FieldChange {
  field: string
  before?: unknown
  after?: unknown
  added?: string | string[]
  removed?: string[]
}

/** Newest first. `next` is the `before` of the next page. */
export interface TimelinePage {
  total: number
  entries: TimelineEntry[]
  next: number | null
}

/** A lead with the newest of its calls and of what happened to it: at most 256 KiB. */
export interface LeadInFull extends Lead {
  /** To be given back with changed notes. */
  notes_version: string
  assigned_name: string | null
  calls: { total: number; calls: CallPreview[] }
  timeline: TimelinePage
}
