import { type Account, activePersonByEmail } from '../accounts/people.ts'
import { type Actor, maySee } from '../database/actor.ts'
import type { Submission } from '../leads/save-lead.ts'
import { mapPayload } from '../webhooks/map-payload.ts'
import { cellsByName } from './columns.ts'
import type { ImportColumn } from './contract.ts'
import type { CsvRow } from './read-csv.ts'

export interface ImportPlan {
  columns: ImportColumn[]
  account: Account
  actor: Actor & { user_id: string }
  sender: string
  source: string
  now: Date
}

export type ReadRow = { line: number; warnings: string[] } & ({ submission: Submission } | { refusal: string })

/** What a row says of a lead: as a webhook whose owner has mapped every field. A lead that exists is filled up (D7). */
export function readRow(plan: ImportPlan, row: CsvRow): ReadRow {
  const { columns, account, actor } = plan
  const names = columns.map(({ name }) => name)
  const payload = Object.fromEntries(cellsByName(names, row).filter(([, cell]) => cell !== ''))
  const mapping = columns.map(({ name, field }) => ({ path: name, field }))
  const reading = mapPayload(payload, { mapping, country: account.country })
  const warnings = reading.warnings.map(({ message }) => message)
  const { name, assigned_to, ...fields } = reading.lead
  const { line } = row
  if (name === undefined || (fields.email === undefined && fields.phone === undefined)) {
    const why = reading.warnings.find(({ field }) => field === 'phone' || field === 'email')?.message
    return { line, warnings, refusal: why ? contactRefusal(why) : 'It has no phone and no email.' }
  }
  const named = assigned_to === undefined ? undefined : activePersonByEmail(account, assigned_to)
  const assignee = named && maySee(actor, named.id) ? named : undefined
  if (assigned_to !== undefined && !assignee) {
    warnings.push(`“${assigned_to}” is no active user whom you may see, and was passed over`)
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

const contactRefusal = (why: string) => `${why.replace(/; it is kept in the notes$/, '')}, and it has no other contact.`
