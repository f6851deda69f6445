import { isSharedPlaceholder } from '../contacts/contract.ts'
import { leadFieldNames } from '../leads/fields.ts'
import type { LeadFields } from '../leads/lead.ts'
import { type Change, changesBetween, isEmpty, type NotTaken, unitedTags, withoutRoom } from '../leads/merge-lead.ts'
import { withMessage } from '../leads/notes.ts'
import { notTakenReasons } from '../timeline/summaries.ts'
import type { ChosenField } from './contract.ts'

export interface JoinedFields {
  fields: LeadFields
  changes: Change[]
  notTaken: NotTaken[]
  /** The other lead's notes, if those of the kept lead have no room for them. */
  message: string | null
}

/** Returns the fields of a lead into which another one is merged: those chosen of the other one, and the notes and tags of both. */
export function joinFields(kept: LeadFields, other: LeadFields, take: readonly ChosenField[], at: Date): JoinedFields {
  const { tags, left } = unitedTags(kept.tags, other.tags)
  const notes = other.notes === null ? { notes: kept.notes, kept: null } : withMessage(kept.notes, other.notes, at)
  const fields: LeadFields = { ...kept, tags, notes: notes.notes }
  const notTaken = withoutRoom(left)
  for (const field of leadFieldNames) {
    if (field === 'notes' || field === 'tags') continue
    const isTaken = take.includes(field)
    const [chosen, offered] = isTaken ? [other[field], kept[field]] : [kept[field], other[field]]
    if (isTaken) Object.assign(fields, { [field]: chosen })
    // Contacts are kept beside the first ones. A placeholder is none.
    const isContact =
      (field === 'phone' || field === 'email') && offered !== null && !isSharedPlaceholder(String(offered))
    if (isTaken || isContact || offered === chosen || offered === null || isEmpty(other, field)) continue
    notTaken.push({ field, offered, reason: notTakenReasons.otherChosen })
  }
  return { fields, changes: changesBetween(kept, fields), notTaken, message: notes.kept }
}

/**
 * Returns the fields of a kept lead after a merge into it is undone: what the merge wrote is as it was before, and what was changed
 * since stays. `isOthers` is true of a contact that goes back to the other lead.
 */
export function separateFields(
  { before, after, now }: Record<'before' | 'after' | 'now', LeadFields>,
  isOthers: (field: 'phone' | 'email') => boolean,
): LeadFields {
  const fields: LeadFields = { ...now }
  for (const field of leadFieldNames) {
    if (field === 'notes' || field === 'tags') continue
    const isContact = field === 'phone' || field === 'email'
    if (now[field] === after[field] || (isContact && isOthers(field))) Object.assign(fields, { [field]: before[field] })
  }
  const added = after.tags.filter((tag) => !before.tags.includes(tag))
  fields.tags = now.tags.filter((tag) => !added.includes(tag))
  if (now.notes === after.notes) fields.notes = before.notes
  // Written below what the merge added.
  else if (after.notes !== null && now.notes?.startsWith(after.notes))
    fields.notes = ((before.notes ?? '') + now.notes.slice(after.notes.length)).trimStart() || null
  return fields
}
