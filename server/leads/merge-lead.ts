import { istTime } from '../http/date-window.ts'
import type { LeadPriority, LeadStatus } from './contract.ts'

/** A lead's fields as they are stored; `assigned_to` is a person's id. */
export interface LeadFields {
  name: string
  email: string | null
  phone: string | null
  company: string | null
  city: string | null
  source: string
  status: LeadStatus
  priority: LeadPriority
  tags: string[]
  deal_value: number | null
  notes: string | null
  assigned_to: string | null
}

/** What a submission gave; a field that is absent was not given. */
export type GivenFields = { [Field in keyof LeadFields]?: NonNullable<LeadFields[Field]> }

export interface Change {
  field: keyof LeadFields
  before: unknown
  after: unknown
}

export interface NotTaken {
  field: keyof LeadFields
  offered: unknown
  reason: string
}

export interface Merge {
  fields: LeadFields
  changes: Change[]
  not_taken: NotTaken[]
}

const singleFields = [
  ...(['name', 'email', 'phone', 'company', 'city', 'source'] as const),
  ...(['status', 'priority', 'deal_value', 'notes', 'assigned_to'] as const),
]

/** Through the REST interface what is given replaces, and tags are united (D7). */
export function mergeByReplacing(lead: LeadFields, given: GivenFields): Merge {
  const fields: LeadFields = { ...lead, ...given, tags: united(lead.tags, given.tags) }
  return { fields, changes: changesBetween(lead, fields), not_taken: [] }
}

/** Through a webhook, which is an open boundary, only what is empty is filled (D7). */
export function mergeByFilling(lead: LeadFields, given: GivenFields, received: Date): Merge {
  const fields: LeadFields = { ...lead, tags: united(lead.tags, given.tags) }
  const not_taken: NotTaken[] = []
  for (const field of ['name', 'email', 'phone', 'company', 'city', 'deal_value'] as const) {
    const offered = given[field]
    if (offered === undefined || (field === 'name' && isMadeName(given))) continue
    if (isEmpty(lead, field)) Object.assign(fields, { [field]: offered })
    else if (lead[field] !== offered) not_taken.push({ field, offered, reason: 'the lead already has one' })
  }
  for (const field of ['source', 'status', 'priority', 'assigned_to'] as const) {
    const offered = given[field]
    if (offered === undefined || offered === lead[field]) continue
    not_taken.push({ field, offered, reason: 'a webhook never changes it' })
  }
  if (given.notes !== undefined) fields.notes = appended(lead.notes, given.notes, received)
  return { fields, changes: changesBetween(lead, fields), not_taken }
}

function isEmpty(lead: LeadFields, field: keyof LeadFields): boolean {
  return lead[field] === null || (field === 'name' && isMadeName(lead))
}

/** The name of a lead that came without one was taken from its phone or email (D18): that place is still free. */
function isMadeName({ name, phone, email }: GivenFields | LeadFields): boolean {
  return name !== undefined && (name === phone || name === email)
}

/** The message under its time; one that stands there already, as when a delivery is replayed, is not repeated. */
function appended(notes: string | null, message: string, received: Date): string {
  if (notes === null) return message
  const dated = `[${istTime(received)}]\n${message}`
  return notes === message || notes.startsWith(`${message}\n\n[`) || notes.includes(dated)
    ? notes
    : `${notes}\n\n${dated}`
}

const united = (tags: string[], more: string[] = []) => [...new Set([...tags, ...more])]

export function changesBetween(before: LeadFields, after: LeadFields): Change[] {
  const changes: Change[] = singleFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field], after: after[field] }))
  if (before.tags.join('\n') !== after.tags.join('\n'))
    changes.push({ field: 'tags', before: before.tags, after: after.tags })
  return changes
}
