import { msg } from '@lingui/core/runtime-macro'
import { type Account, activeUserByEmail, activeUserByName } from '../../access/account/users.ts'
import { newTags } from '../../crm/leads/fields.ts'
import type { Submission } from '../../crm/leads/lead.ts'
import { type Actor, maySee } from '../../platform/database/actor.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { translate } from '../../platform/languages/translate.ts'
import type { ImportColumn } from './contract.ts'
import type { RowDraft } from './row-draft.ts'

export interface ImportPlan {
  columns: ImportColumn[]
  account: Account
  actor: Actor
  /** The owner of leads whose row names none: by the account's rules if they apply, else `otherwise`. */
  assignment: { byRules: boolean; otherwise: string | null }
  sender: string
  source: string
  /** For every lead. */
  tags: string[]
  now: Date
  /** The language of warnings. */
  language?: Language
}

export const defaultSource = (format: 'csv' | 'xlsx') => (format === 'csv' ? 'CSV import' : 'Excel import')

export type ReadRow = { line: number; warnings: string[] } & ({ submission: Submission } | { problem: string })

/**
 * Turns a row into a submission. A merge fills empty fields only. `repeated`: the file was imported before, and a row that changes
 * nothing leaves no trace.
 */
export function readRow(plan: ImportPlan, draft: RowDraft, repeated = false): ReadRow {
  const { account, actor } = plan
  const { line, lead, problem, owner, call, enquiry } = draft
  const warnings = [...draft.warnings]
  const { name, assigned_to: _, other_contacts = [], ...fields } = lead
  if (problem !== null || name === undefined) return { line, warnings, problem: problem ?? '' }
  const named = owner === null ? undefined : (activeUserByEmail(account, owner) ?? activeUserByName(account, owner))
  const assignee = named && maySee(actor, named.id) ? named : undefined
  if (owner !== null && !assignee) {
    const value = owner.slice(0, 200).toWellFormed()
    const ignored = msg`“${{ value }}” is not an active user that you may see, and is ignored`
    warnings.push(translate(ignored, plan.language))
  }
  const tags = newTags([], [...(fields.tags ?? []), ...plan.tags])
  const submission: Submission = {
    given: { ...fields, ...(tags.length > 0 ? { tags } : {}), name, ...(assignee ? { assigned_to: assignee.id } : {}) },
    contacts: other_contacts,
    defaults: { source: plan.source, status: 'New', priority: 'Medium' },
    onMatch: 'fill',
    ...(enquiry ? { enquiry } : {}),
    assignment: { ...plan.assignment, webhook_id: null },
    sender: plan.sender,
    received_at: plan.now,
    created_at: draft.created_at,
    updated_at: draft.updated_at,
    // An export with a row for each call repeats the lead in each.
    replayed: repeated || call !== null,
  }
  return { line, warnings, submission }
}
