import { type Account, activeUserByEmail } from '../account/users.ts'
import { type Actor, maySee } from '../database/actor.ts'
import type { Submission } from '../leads/lead.ts'
import type { ImportColumn } from './contract.ts'
import type { RowDraft } from './row-draft.ts'

export interface ImportPlan {
  columns: ImportColumn[]
  account: Account
  actor: Actor & { user_id: string }
  sender: string
  source: string
  now: Date
}

export type ReadRow = { line: number; warnings: string[] } & ({ submission: Submission } | { problem: string })

/** Turns a row into a submission. A merge fills empty fields only. */
export function submissionOf(plan: ImportPlan, { line, lead, problem, warnings: messages }: RowDraft): ReadRow {
  const { account, actor } = plan
  const warnings = [...messages]
  const { name, assigned_to, ...fields } = lead
  if (problem !== null || name === undefined) return { line, warnings, problem: problem ?? '' }
  const named = assigned_to === undefined ? undefined : activeUserByEmail(account, assigned_to)
  const assignee = named && maySee(actor, named.id) ? named : undefined
  if (assigned_to !== undefined && !assignee) {
    warnings.push(`“${assigned_to}” is not an active user that you may see, and is ignored`)
  }
  const submission: Submission = {
    given: { ...fields, name, ...(assignee ? { assigned_to: assignee.id } : {}) },
    defaults: { source: plan.source, status: 'New', priority: 'Medium' },
    onMatch: 'fill',
    assignment: { byRules: actor.sees === 'all', otherwise: actor.user_id, webhook_id: null },
    sender: plan.sender,
    received_at: plan.now,
  }
  return { line, warnings, submission }
}
