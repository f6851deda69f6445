import { type Static, Type } from 'typebox'
import { maxLostReasonLength } from '../../access/account/contract.ts'
import {
  ChangeParameters,
  DateParameters,
  Instant,
  Line,
  Lines,
  Name,
  Nullable,
  PageParameters,
  Uuid,
} from '../../platform/http/contract.ts'
import { type CalendarPeriod, type Days, dateRangeOf } from '../../platform/periods/contract.ts'
import { latinDigits } from '../contacts/contract.ts'
import type { Enquiries } from '../enquiries/contract.ts'
import {
  everyText,
  fieldsAsShown,
  isClosed,
  type LeadStatus,
  leadFields,
  leadPriorities,
  leadStatuses,
  maxContactText,
  maxOtherContacts,
  maxTagLength,
  maxTags,
  maxTagsAtOnce,
  type TextField,
  textFields,
} from './fields.ts'

export * from './fields.ts'

const Status = (options: { description?: string } = {}) =>
  Type.Enum([...leadStatuses], { title: 'LeadStatus', ...options })
const Priority = (options: { description?: string } = {}) =>
  Type.Enum([...leadPriorities], { title: 'LeadPriority', ...options })
const Tags = Type.Array(Line(maxTagLength), { maxItems: maxTagsAtOnce, description: 'Labels. A merge adds them.' })
const Email = Type.String({
  format: 'email',
  maxLength: maxContactText,
  description: 'Required without a phone. Of several emails, the first is taken, and the others are further contacts.',
})
const Phone = Type.String({
  format: 'phone',
  maxLength: maxContactText,
  description:
    'Required without an email. 7 to 15 digits, with signs and words around them; +91 is assumed without a country. Of several ' +
    'numbers, the first mobile one is taken, and the others are further contacts.',
})
/** In INR. Rounded to paise. */
const DealValue = Type.Number({ minimum: 0, maximum: 9_999_999_999_999.99, description: 'Expected value in INR.' })
const Notes = Lines(leadFields.notes.maxLength, { description: 'Free text, with newlines.' })
const Owner = Line(leadFields.assigned_to.maxLength, {
  description: 'Email of the user to assign. Default: your distribution rules, else you.',
  examples: ['asha@example.com'],
})
const Source = Line(leadFields.source.maxLength, { description: 'Source label. Default for a new lead: API.' })

const TextLine = (field: TextField) => Line(textFields[field].maxLength, { description: `${textFields[field].label}.` })

/** Fields of `NewLead` that other schemas have. To read them as its properties would keep all of it in the web app. */
export const newLeadFields = {
  name: Name({ description: 'Full name.' }),
  source: Type.Optional(Source),
  status: Type.Optional(Status({ description: 'Default for a new lead: New.' })),
  priority: Type.Optional(Priority({ description: 'Default for a new lead: Medium.' })),
}

/**
 * The body of a create. Defaults are only in the descriptions: they are for new leads and must not change existing
 * ones.
 */
export const NewLead = Type.Object(
  {
    name: newLeadFields.name,
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    ...everyText((field) => Type.Optional(TextLine(field))),
    source: newLeadFields.source,
    status: newLeadFields.status,
    priority: newLeadFields.priority,
    tags: Type.Optional(Tags),
    deal_value: Type.Optional(DealValue),
    notes: Type.Optional(Notes),
    assigned_to: Type.Optional(Owner),
  },
  {
    title: 'NewLead',
    description: 'A person, with a phone, an email or both. A value that is null or blank counts as not given.',
  },
)
export type NewLead = Static<typeof NewLead>

/** The fields of a lead in answers. */
export const AnsweredFields = Type.Object({
  name: Type.String({ description: 'Full name.' }),
  email: Nullable(Type.String({ description: 'As it was given.' })),
  phone: Nullable(Type.String({ description: 'As it was given.' })),
  ...everyText((field) => Nullable(Type.String({ description: `${textFields[field].label}.` }))),
  source: Type.String({ description: 'Source label: where the lead comes from.' }),
  status: Status({ description: 'Stage of the sale.' }),
  priority: Priority({ description: 'How urgent it is.' }),
  tags: Type.Array(Type.String(), { description: 'Labels.' }),
  deal_value: Nullable(Type.Number({ description: 'Expected value in INR.' })),
  notes: Nullable(Type.String({ description: 'Free text, with newlines.' })),
  assigned_to: Nullable(Type.String({ description: 'Email of the assigned user.' })),
})

export const Lead = Type.Object(
  {
    id: Uuid('Id of the lead.'),
    ...AnsweredFields.properties,
    created_at: Instant('When the lead was created. Lists are sorted by it.'),
    updated_at: Instant('Moves with every change, also with a merge.'),
  },
  { title: 'Lead' },
)
export type Lead = Static<typeof Lead>

export const callTypes = ['Inbound', 'Outbound'] as const
export type CallType = (typeof callTypes)[number]

export const callOutcomes = ['Completed', 'Busy', 'No Answer', 'Voicemail', 'Missed'] as const
export type CallOutcome = (typeof callOutcomes)[number]

/** Whether a name was made of the number of an unknown caller: Caller +91 98100 44321. */
export const isCallerName = (name: string) => /^Caller \+?[\d ()-]{7,}$/.test(name)

/** What a user gets to see of a lead that they do not see (unseen-lead.ts). */
export const UnseenLead = Type.Object({
  /** The first name and an initial. */
  name: Type.String(),
  product: Nullable(Type.String()),
  source: Nullable(Type.String()),
  city: Nullable(Type.String()),
})
export type UnseenLead = Static<typeof UnseenLead>

/** What a lead keeps of its calls, for the web app. */
export interface CallsOfLead {
  last_call_at: string | null
  last_call_outcome: CallOutcome | null
  /** The number of outbound calls. */
  attempts: number
  /** When the lead last enquired again. */
  enquired_again_at: string | null
}

/** What a lead keeps of the first enquiry that names it. */
export const originFields = ['product', 'campaign', 'ad', 'form'] as const
export type OriginField = (typeof originFields)[number]
/** In characters. */
const maxOriginLength = 200

/** Questions whose answers a list shows, and how much of them. */
export const maxQuestions = 5
export const maxQuestionLength = 150

/** A lead in the web app's list. The last values are there only if they were asked for; answers and notes are cut. */
export type ListedLead = Omit<Lead, 'notes'> &
  CallsOfLead &
  Record<OriginField, string | null> & {
    /** By their questions. */
    answers?: Record<string, string> | null
    lost_reason?: string | null
    expected_close?: string | null
    call_again_at?: string | null
    notes?: string | null
    closed_at?: string | null
  }

/**
 * The answer to a create. If it merged into a lead that the key's user may not see, the answer contains what was sent, with
 * the lead's id, status and times.
 */
export const SavedLead = Type.Object(
  {
    ...Type.Partial(Lead).properties,
    ...Type.Pick(Lead, ['id', 'name', 'phone', 'status', 'created_at', 'updated_at']).properties,
  },
  {
    title: 'SavedLead',
    description:
      'The lead. If it merged into a lead that you may not see: what you sent, with the id, status and times of that lead.',
  },
)
export type SavedLead = Static<typeof SavedLead>

export const SavedLeadResponse = Type.Object({ data: SavedLead }, { title: 'SavedLeadResponse' })

export const LeadQuery = Type.Object({
  ...DateParameters,
  ...ChangeParameters(
    'Only leads that changed at or after this time, ISO 8601 with Z or an offset, in the order of updated_at. Without dates: ' +
      'of all days.',
  ),
  status: Type.Optional(Status({ description: 'Only leads with this status.' })),
  source: Type.Optional(
    Line(leadFields.source.maxLength, { description: 'Source label, in upper or lower case.', examples: ['IVR'] }),
  ),
  priority: Type.Optional(Priority({ description: 'Only leads with this priority.' })),
  assigned_to: Type.Optional(Line(254, { description: 'Email of the assigned user.', examples: ['asha@example.com'] })),
  ...PageParameters,
})
export type LeadQuery = Static<typeof LeadQuery>

/** Newest first, recently updated first, by name, last called first, highest deal value first, recently closed first. */
export const leadSorts = ['newest', 'updated', 'name', 'last_call', 'value', 'closed'] as const
export type LeadSort = (typeof leadSorts)[number]

/** Leads without a call, called today in India, or last called so many days ago and more. */
export const lastCalls = ['never', 'today', '1_day', '3_days', '7_days', '30_days', '90_days'] as const
export type LastCall = (typeof lastCalls)[number]

/**
 * Leads that enquired again, those of them that were not called since, leads in Qualified or Proposal that are going cold, and leads
 * whose planned call is overdue.
 */
export const followUps = ['enquired_again', 'to_answer', 'going_cold', 'overdue'] as const
export type FollowUp = (typeof followUps)[number]

/** Hindi ones without the dot below, which many leave out. */
const units: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  हजार: 1e3,
  l: 1e5,
  lac: 1e5,
  lakh: 1e5,
  लाख: 1e5,
  cr: 1e7,
  crore: 1e7,
  करोड: 1e7,
}
const rupee = '(?:₹|rs\\.?|inr|rupees?|रु\\.?|रुपये|रुपए)'
const amount = new RegExp(
  `^(?:${rupee} ?)?(\\d[\\d,]{0,20}(?:\\.\\d{1,20})?)(?: ?(${Object.keys(units).join('|')})s?\\.?)?(?: ?(?:/-|only|${rupee}))*$`,
  'iu',
)

/** Parses rupees as people write them: ₹1,25,000, Rs. 1,25,000/- only, 1.25 lakh, 5 लाख. Undefined if it is not a valid amount. */
export function rupeesIn(text: string): number | undefined {
  const plain = latinDigits(text.normalize('NFC').replace(/[\p{Cf}\u093c]/gu, '')).replace(/\s+/g, ' ')
  const [, digits, unit] = amount.exec(plain.trim()) ?? []
  if (!digits) return undefined
  const rupees = Math.round(Number(digits.replaceAll(',', '')) * (unit ? units[unit.toLowerCase()]! : 1) * 100) / 100
  return rupees <= 9_999_999_999_999.99 ? rupees : undefined
}

/** Values of which a lead has one. Repeat the parameter for each. */
const AnyOf = <T extends Type.TSchema>(value: T) => Type.Optional(Type.Array(value, { maxItems: 50 }))
const Rupees = () => Type.Optional(Type.Integer({ minimum: 0, maximum: 9_999_999_999_999 }))

const CalendarDay = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

const OneOfOrigin = AnyOf(Lines(maxOriginLength))

/** The columns of the list that can be hidden, in their order. Those of answers follow those of the origin. */
export const viewColumns = [
  'phone',
  'email',
  'company',
  'source',
  'priority',
  'lost_reason',
  'deal_value',
  'expected_close',
  'city',
  'tags',
  ...originFields,
  'owner',
  'call_again',
  'last_call',
  'enquired_again',
  'attempts',
  'notes',
  'created',
  'updated',
  'closed',
] as const
export type ViewColumn = (typeof viewColumns)[number]

/** A column with the answers to a question, by its beginning. */
export type AnswerColumn = `answer:${string}`
export const AnswerColumn = Type.Unsafe<AnswerColumn>(
  Type.String({ pattern: '^answer:', maxLength: 'answer:'.length + maxQuestionLength }),
)
export type ListColumn = ViewColumn | AnswerColumn

/** Columns that are shown only if a user chooses them. */
export const columnsByChoice = [
  'email',
  'company',
  'lost_reason',
  'expected_close',
  'tags',
  'call_again',
  'notes',
  'updated',
  'closed',
] as const
/** Those whose values the list does not have unless it is asked for them. */
export const valuesByChoice = ['lost_reason', 'expected_close', 'call_again', 'notes', 'closed'] as const
export type ValueByChoice = (typeof valuesByChoice)[number]

export const answerColumn = (question: string): AnswerColumn => `answer:${question}`
/** Returns the question of a column of answers; undefined for another column. */
export const questionOf = (column: string) =>
  column.startsWith('answer:') ? column.slice('answer:'.length) : undefined

/** The columns of a file of leads. Those of earlier versions are first, for programs that read them by their place. */
export const fileColumns = [
  ...fieldsAsShown.map((field) => (field === 'assigned_to' ? 'owner' : field)),
  'other_contacts',
  ...originFields,
  'answers',
  'origin',
  'consent',
  'do_not_call',
  'created',
  'updated',
  'id',
  'call_again',
  'last_call',
  'last_call_outcome',
  'attempts',
  'enquired_again',
  'lost_reason',
  'closed',
  'expected_close',
] as const
export type FileColumn = (typeof fileColumns)[number]

/** By default all columns. A column of answers has those to one question. */
const FileColumns = Type.Optional(
  Type.Array(Type.Union([Type.Enum([...fileColumns]), AnswerColumn]), {
    minItems: 1,
    maxItems: fileColumns.length + maxQuestions,
  }),
)

/** The filters of the web app's list and export. */
export const LeadSearch = Type.Object({
  ...DateParameters,
  ...PageParameters,
  status: AnyOf(Status()),
  source: AnyOf(Line(leadFields.source.maxLength)),
  priority: AnyOf(Priority()),
  assigned_to: AnyOf(Line(254, { description: 'Email of the assigned user, `me` or `nobody`.' })),
  tag: AnyOf(Line(maxTagLength)),
  city: AnyOf(Line(textFields.city.maxLength)),
  product: OneOfOrigin,
  campaign: OneOfOrigin,
  ad: OneOfOrigin,
  form: OneOfOrigin,
  last_call: Type.Optional(Type.Enum([...lastCalls])),
  follow_up: Type.Optional(Type.Enum([...followUps])),
  lost_reason: AnyOf(Line(maxLostReasonLength)),
  closed_from: CalendarDay('Won or lost on this day or later.'),
  closed_to: CalendarDay('Won or lost on this day or earlier.'),
  closed_by: AnyOf(
    Line(254, { description: 'Email of the user who owned the lead when it was closed, `me` or `nobody`.' }),
  ),
  first_owner: AnyOf(Line(254, { description: 'Email of the user who owned the lead first, `me` or `nobody`.' })),
  min_value: Rupees(),
  max_value: Rupees(),
  import: Type.Optional(Uuid('Of this import of a file.')),
  search: Type.Optional(
    Line(200, { description: 'Words of a name, company, city, tag or enquiry, a phone or an email.' }),
  ),
  sort: Type.Optional(Type.Enum([...leadSorts])),
  reverse: Type.Optional(Type.Enum(['true', 'false'], { description: 'Sorts the other way round.' })),
})
export type LeadSearch = Static<typeof LeadSearch>

export const LeadListParameters = Type.Object({
  ...LeadSearch.properties,
  with: AnyOf(Type.Enum([...valuesByChoice])),
  question: Type.Optional(
    Type.Array(Lines(maxQuestionLength), {
      maxItems: maxQuestions,
      description: 'The beginning of a question. The list has the newest answer to it of each lead.',
    }),
  ),
})

export const LeadFileParameters = Type.Object({ ...LeadSearch.properties, columns: FileColumns })

/** Filters that look for leads whenever they were created. Without them and without dates, the list is of the last 30 days. */
const filtersOfAllDays = [
  'search',
  'last_call',
  'follow_up',
  'closed_days',
  'closed_period',
  'closed_from',
  'closed_to',
  'closed_by',
  'import',
] as const

/** The days on which leads were closed, as the URL of the list and views name them. */
export interface ClosedDays {
  closed_days?: number | undefined
  closed_period?: CalendarPeriod | undefined
  closed_from?: string | undefined
  closed_to?: string | undefined
}

export const closedDaysOf = ({ closed_days, closed_period, closed_from, closed_to }: ClosedDays): Days => ({
  days: closed_days,
  period: closed_period,
  from_date: closed_from,
  to_date: closed_to,
})

/** Returns the calendar days as a request names them. */
export function closedRangeOf(search: ClosedDays, today: string) {
  const { from_date: closed_from, to_date: closed_to } = dateRangeOf(closedDaysOf(search), today)
  return { closed_from, closed_to }
}

/** Returns whether filters leave closed leads only, which can be sorted by when they were closed. */
export function areAllClosed({
  status = [],
  closed_by = [],
  ...search
}: Pick<LeadSearch, 'status' | 'closed_by'> & ClosedDays) {
  const hasDays = Object.values(closedDaysOf(search)).some((value) => value !== undefined)
  return hasDays || closed_by.length > 0 || (status.length > 0 && status.every(isClosed))
}

/** Returns whether filters without dates are for leads of all days. */
export const isOfAllDays = (filters: Partial<Record<(typeof filtersOfAllDays)[number], unknown>>) =>
  filtersOfAllDays.some((name) => filters[name] !== undefined)

/** Leads that are chosen one by one, for a file. */
export const maxChosenLeads = 1000
export const ChosenLeads = Type.Object({
  ids: Type.Array(Uuid(), { minItems: 1, maxItems: maxChosenLeads, uniqueItems: true }),
  sort: LeadSearch.properties.sort,
  reverse: Type.Optional(Type.Boolean()),
  columns: FileColumns,
})

const orEmpty = <T extends Type.TSchema>(schema: T) => Type.Optional(Nullable(schema))

/** In characters. */
export const maxNoNextStepLength = 200

/**
 * A change in the web app: given values replace, and null empties a field. Tags are added and removed one
 * by one, and notes are replaced only if they are still as they were read.
 */
export const LeadChange = Type.Object({
  name: Type.Optional(newLeadFields.name),
  source: newLeadFields.source,
  status: newLeadFields.status,
  priority: newLeadFields.priority,
  add_tags: Type.Optional(Tags),
  remove_tags: Type.Optional(Type.Array(Type.String(), { maxItems: maxTags })),
  add_contacts: Type.Optional(
    Type.Array(Type.String({ format: 'contact', maxLength: maxContactText }), { maxItems: maxOtherContacts }),
  ),
  remove_contacts: Type.Optional(Type.Array(Type.String(), { maxItems: maxOtherContacts })),
  email: orEmpty(Email),
  phone: orEmpty(Phone),
  ...everyText((field) => orEmpty(TextLine(field))),
  deal_value: orEmpty(DealValue),
  notes: orEmpty(Notes),
  notes_version: Type.Optional(Line(64, { description: 'With notes: the version that they were read at.' })),
  assigned_to: orEmpty(Owner),
  call_again_at: orEmpty(Type.String({ format: 'date-time' })),
  no_next_step: orEmpty(
    Line(maxNoNextStepLength, { description: 'Why there is no next step, instead of a time to call again.' }),
  ),
  lost_reason: orEmpty(
    Line(maxLostReasonLength, { description: 'One of the reasons of the account, for a lead in Lost.' }),
  ),
  expected_close: orEmpty(
    Type.String({ format: 'date', description: 'The day on which the lead is expected to be won.' }),
  ),
})
export type LeadChange = Static<typeof LeadChange>

/** A note to be added below its time and its author's name. */
export const NewNote = Type.Object({ text: Lines(leadFields.notes.maxLength, { minLength: 1 }) })

/** `before` is the id of the last entry that the client has. */
export const TimelineQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
})

export const EntryParameters = Type.Object({
  id: Uuid(),
  entry: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }),
})

export const LeadContact = Type.Pick(NewLead, ['phone', 'email'])

/** The lead that a new lead would be merged into. */
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
  /** The match is a lead that the user may not see. */
  hidden: boolean
  /** The name of the hidden lead's owner, if the account shows it. */
  owner: string | null
  message: string | null
}

/** The deal values of more leads are not added up. */
export const maxAddedUp = 10_000

/** The sum of the deal values of the leads that match the filters, in rupees. Null if there are too many to add them up. */
export interface DealValues {
  all: number | null
  won: number | null
}

/** Choices for a lead's source and owner, and for filters. */
export interface LeadChoices {
  /** Labels in use, most used first. */
  sources: string[]
  /** Values of the newest leads, most used first. */
  tags: string[]
  cities: string[]
  product: string[]
  campaign: string[]
  ad: string[]
  form: string[]
  /** The newest imports of files that the user sees: Managers their own. */
  imports: { id: string; file: string; at: string }[]
  /** Users whose leads the user may see. */
  people: { id: string; name: string; email: string; active: boolean }[]
}

export interface TimelineEntry {
  id: number
  at: string
  kind: string
  summary: string
  details: {
    changes?: FieldChange[]
    not_taken?: { field: string; offered: unknown; reason: string }[]
    /** A message that the notes have no room for. */
    message?: string
    /** A submission by a user who may not see the lead. */
    submitted?: Record<string, unknown>
    /** The lead that a submission with this lead's email was merged into. */
    merged_into?: string
    /** The other lead of a merge that was undone, on the kept lead and on that lead. */
    unmerged_lead?: string
    unmerged_from?: string
  }
  /** The logged call as it is now, if it is still of this lead. The entry itself is without it. */
  call?: Pick<CallPreview, 'id' | 'called_at' | 'notes' | 'notes_cut'>
  /** Long texts and lists are cut here. The entry itself, read by its id, has them in full. */
  cut: boolean
}

/**
 * A field before and after. Notes that grew have `added`, replaced notes have `before` only, tags have `added` and `removed`.
 * Older entries have `before` and `after` for all fields.
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

export const reviewMarks = ['Good', 'To improve'] as const
export type ReviewMark = (typeof reviewMarks)[number]

/** What a Manager or an Admin says about a call. Who called, Managers and Admins see it. */
export interface CallReview {
  mark: ReviewMark
  remark: string | null
  /** The name of the reviewer. */
  by: string
  at: string
}

/** A call in a list of the web app. */
export interface CallPreview {
  id: string
  lead_id: string
  call_type: CallType
  duration_seconds: number
  outcome: CallOutcome
  notes: string | null
  called_at: string
  created_at: string
  /** Whether `notes` is only their beginning. A single call is answered with all of its notes. */
  notes_cut: boolean
  /** The email of the user who called or answered. */
  called_by: string | null
  /** Their name. */
  called_by_name: string | null
  /** What the telephone system calls somebody who is no known user. */
  agent: string | null
  has_recording: boolean
  review: CallReview | null
}

/** A lead with its newest enquiries, calls and timeline entries: at most 256 KiB. */
export interface LeadInFull extends Lead, CallsOfLead {
  /** Send it back with changed notes. */
  notes_version: string
  assigned_name: string | null
  /** Phones, emails and WhatsApp ids beside the first phone and email. */
  other_contacts: { kind: 'phone' | 'email' | 'whatsapp'; value: string }[]
  /** When the owner wants to call the lead again. */
  call_again_at: string | null
  /** Why there is no next step, if a user said so. */
  no_next_step: string | null
  /** Why the lead is lost, if a user said so. */
  lost_reason: string | null
  /** The day on which it is expected to be won, as 2026-12-15. */
  expected_close: string | null
  calls: { total: number; calls: CallPreview[] }
  enquiries: Enquiries
  timeline: TimelinePage
}

/** `previous` has the values that the changed fields had, for undo. */
export interface ChangedLead {
  data: LeadInFull
  previous: Omit<LeadChange, 'add_tags' | 'remove_tags' | 'add_contacts' | 'remove_contacts' | 'notes_version'> & {
    tags?: string[]
    other_contacts?: string[]
  }
}
