import type { LeadFields, OtherContact } from '../../crm/leads/lead.ts'
import type { Change } from '../../crm/leads/merge-lead.ts'

interface Lead {
  fields: LeadFields
  contacts: OtherContact[]
}

/** What a row changed, and the contacts by which it matched. */
export interface Merged {
  changes?: Change[]
  matched?: string[]
}

interface TakenBack {
  fields: LeadFields
  /** The other contacts that go. */
  removed: OtherContact[]
  /** Nothing of the changes stays, because nothing of it was changed since. */
  isWhole: boolean
}

/** Returns a lead without what merges of an import changed, the newest first. What was changed since stays as it is. */
export function takeBack({ fields: now, contacts }: Lead, merges: readonly Merged[]): TakenBack {
  const fields: LeadFields = { ...now }
  const removed: OtherContact[] = []
  let isWhole = true
  // A contact by which the lead was found was its own before, too.
  const changes = merges.flatMap(({ changes = [], matched = [] }) =>
    changes.filter(({ field }) => !matched.includes(field)),
  )
  for (const { field, before, after, added } of changes) {
    if (field === 'tags') fields.tags = fields.tags.filter((tag) => !added?.includes(tag))
    else if (field === 'other_contacts') removed.push(...contacts.filter(({ value }) => added?.includes(value)))
    else if (field === 'notes') {
      const notes = withoutText(fields.notes ?? '', String(added ?? after ?? ''))
      if (notes === undefined) isWhole = false
      else fields.notes = notes || null
    } else if (fields[field as keyof LeadFields] === after) Object.assign(fields, { [field]: before })
    else isWhole = false
  }
  return { fields, removed, isWhole }
}

/** Undefined if the notes no longer contain the text. */
function withoutText(notes: string, text: string): string | undefined {
  const at = notes.lastIndexOf(text)
  if (at < 0) return undefined
  return (notes.slice(0, at).trimEnd() + notes.slice(at + text.length)).trimStart()
}
