import { isSharedPlaceholder } from '../contacts/contract.ts'
import { notTakenReasons, tooManyTags } from '../timeline/summaries.ts'
import { isCallerName } from './contract.ts'
import { type LeadField, leadFieldNames, leadFields, maxTags, newTags } from './fields.ts'
import type { GivenFields, LeadFields, Submission } from './lead.ts'
import { withMessage } from './notes.ts'

/** Long values are stored once: notes have `added`, or only `before` if they were replaced; lists have `added` and `removed`. */
export interface Change {
  field: LeadField | 'call_again_at' | 'no_next_step' | 'lost_reason' | 'expected_close' | 'other_contacts'
  before?: unknown
  after?: unknown
  added?: string | string[]
  removed?: string[]
}

export interface NotTaken {
  field: LeadField | 'other_contacts'
  offered: unknown
  reason: string
}

export interface Merge {
  fields: LeadFields
  changes: Change[]
  not_taken: NotTaken[]
  /** A message that the notes have no room for. Only the timeline contains it. */
  message: string | null
}

const fieldsThat = (merge: (typeof leadFields)[LeadField]['merge']) =>
  leadFieldNames.filter((field) => leadFields[field].merge === merge)
const filled = fieldsThat('fill')
const kept = fieldsThat('keep')
const singleFields = leadFieldNames.filter((field) => field !== 'tags')

/** The merge of the REST API: given values replace, and tags are added (docs/reference/identity-and-merging.md). */
export function mergeByReplacing(
  lead: LeadFields,
  given: GivenFields,
  said?: Pick<Submission, 'remark' | 'received_at'>,
): Merge {
  const { tags, left } = unitedTags(lead.tags, given.tags)
  const fields: LeadFields = { ...lead, ...given, tags }
  const noted = said?.remark === undefined ? null : withMessage(fields.notes, said.remark, said.received_at)
  if (noted) fields.notes = noted.notes
  const message = noted?.kept ?? null
  return { fields, changes: changesBetween(lead, fields), not_taken: withoutRoom(left), message }
}

/** The merge of a webhook, which anyone with its URL can call: only empty fields are filled. */
export function mergeByFilling(lead: LeadFields, given: GivenFields, received: Date): Merge {
  const { tags, left } = unitedTags(lead.tags, given.tags)
  const fields: LeadFields = { ...lead, tags }
  const not_taken: NotTaken[] = withoutRoom(left)
  let message: string | null = null
  for (const field of filled) {
    const offered = given[field]
    if (offered === undefined || (field === 'name' && isPlaceholderName(given))) continue
    if (isEmpty(lead, field)) Object.assign(fields, { [field]: offered })
    else if (lead[field] !== offered) not_taken.push({ field, offered, reason: notTakenReasons.hasOne })
  }
  for (const field of kept) {
    const offered = given[field]
    if (offered === undefined || offered === lead[field]) continue
    not_taken.push({ field, offered, reason: notTakenReasons.neverChanged })
  }
  if (given.notes !== undefined) {
    const merged = withMessage(lead.notes, given.notes, received)
    fields.notes = merged.notes
    message = merged.kept
  }
  return { fields, changes: changesBetween(lead, fields), not_taken, message }
}

export function withoutRoom(tags: string[]): NotTaken[] {
  return tags.length === 0 ? [] : [{ field: 'tags', offered: tags, reason: tooManyTags(maxTags) }]
}

export function isEmpty(lead: LeadFields, field: LeadField): boolean {
  if (field === 'phone' || field === 'email') return lead[field] === null || isSharedPlaceholder(lead[field])
  return lead[field] === null || (field === 'name' && isPlaceholderName(lead))
}

/** A lead without a name got its phone or email as its name, or `Caller` and a number: a merge can still fill it. */
function isPlaceholderName({ name, phone, email }: GivenFields | LeadFields): boolean {
  return name !== undefined && (name === phone || name === email || isCallerName(name))
}

export function changesBetween(before: LeadFields, after: LeadFields): Change[] {
  const changes: Change[] = singleFields
    .filter((field) => before[field] !== after[field])
    .map((field) =>
      field === 'notes'
        ? notesChange(before.notes, after.notes)
        : { field, before: before[field], after: after[field] },
    )
  if (before.tags.join('\n') !== after.tags.join('\n')) {
    const added = after.tags.filter((tag) => !before.tags.includes(tag))
    changes.push({ field: 'tags', added, removed: before.tags.filter((tag) => !after.tags.includes(tag)) })
  }
  return changes
}

function notesChange(before: string | null, after: string | null): Change {
  if (before === null || after === null) return { field: 'notes', before, after }
  if (after.startsWith(`${before}\n`)) return { field: 'notes', added: after.slice(before.length).trim() }
  return { field: 'notes', before }
}

/** Adds new tags up to the limit of a lead; `left` are the others. */
export function unitedTags(tags: string[], more: string[] = []): { tags: string[]; left: string[] } {
  const held = [...new Set(tags)]
  const fresh = newTags(held, more)
  const room = Math.max(0, maxTags - held.length)
  return { tags: [...held, ...fresh.slice(0, room)], left: fresh.slice(room) }
}
