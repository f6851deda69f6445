import { msg } from '@lingui/core/runtime-macro'
import { type Account, activeUserByEmail, activeUserByName, type User } from '../../access/account/users.ts'
import { mailboxIn } from '../../crm/contacts/parse-contact.ts'
import type { Answer } from '../../crm/enquiries/contract.ts'
import { type EnquiryDraft, fitEnquiry, noEnquiry } from '../../crm/enquiries/enquiry.ts'
import { newTags } from '../../crm/leads/fields.ts'
import type { Submission } from '../../crm/leads/lead.ts'
import { type Actor, forWholeAccount, maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { ownNumbersAmong } from '../../telephony/phone-lines/own-numbers.ts'
import type { ImportColumn, RowWarning, WarningKind } from './contract.ts'
import { foldWord } from './fold-word.ts'
import type { NamedCell } from './row-cell.ts'
import type { RowDraft } from './row-draft.ts'
import type { FollowUp } from './save-follow-ups.ts'

export interface ImportPlan {
  columns: ImportColumn[]
  /** Numbers of the business, in E.164. */
  own: string[]
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

/** Returns the numbers that are no customer's in a list of calls. */
export const ownNumbersOf = (database: Database, actor: Actor): Promise<string[]> =>
  readAsActor(database, forWholeAccount(actor), (tx) => ownNumbersAmong(tx, actor.account_id))

export const defaultSource = (format: 'csv' | 'xlsx') => (format === 'csv' ? 'CSV import' : 'Excel import')

export type ReadRow = { line: number; warnings: RowWarning[] } & (
  | { submission: Submission; followUp: FollowUp | null }
  | { problem: string }
)

/**
 * Turns a row into a submission. A merge fills empty fields only. `repeated`: the file was imported before, and a row that changes
 * nothing leaves no trace.
 */
export function readRow(plan: ImportPlan, draft: RowDraft, repeated = false): ReadRow {
  const { account, language } = plan
  const { line, lead, problem, owner, lost_reason, call_again_at, call } = draft
  const warnings = [...draft.warnings]
  const { name, assigned_to: _, other_contacts = [], ...fields } = lead
  if (problem !== null || name === undefined) return { line, warnings, problem: problem ?? '' }
  const kept: Answer[] = []
  const keep = (cell: NamedCell, kind: WarningKind, warning: Text) => {
    kept.push({ question: cell.name, answer: cell.value })
    warnings.push({ kind, text: translate(warning, language) })
  }
  const assignee = owner && findOwner(plan, owner.value)
  if (owner && !assignee)
    keep(
      owner,
      'owner',
      msg`“${{ value: shown(owner) }}” is not an active user that you may see; it is kept as an answer`,
    )
  const reason = lost_reason && account.lostReasons.find((one) => foldWord(one) === foldWord(lost_reason.value.trim()))
  const isLost = fields.status === 'Lost'
  if (lost_reason && !reason)
    keep(
      lost_reason,
      'lost_reason',
      msg`“${{ value: shown(lost_reason) }}” is no reason that Admins set under Account; it is kept as an answer`,
    )
  else if (lost_reason && !isLost)
    keep(
      lost_reason,
      'lost_reason',
      msg`The lead is not lost, so “${{ value: shown(lost_reason) }}” is kept as an answer`,
    )
  const enquiry = withAnswers(draft.enquiry, kept)
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
  const followUp = { call_again_at, lost_reason: (isLost && reason) || null }
  return { line, warnings, submission, followUp: call_again_at || followUp.lost_reason ? followUp : null }
}

const shown = ({ value }: NamedCell) => value.slice(0, 200).toWellFormed()

function withAnswers(enquiry: EnquiryDraft | null, answers: Answer[]): EnquiryDraft | null {
  if (answers.length === 0) return enquiry
  const before = enquiry ?? noEnquiry
  return fitEnquiry({ ...before, answers: [...answers, ...before.answers] })
}

/** By email, full name, or a first name that only one user has. */
function findOwner({ account, actor }: ImportPlan, text: string): User | undefined {
  const wanted = mailboxIn(text)?.email ?? text
  const spelled = (name: string) => foldWord(name).trim().replace(/\s+/g, ' ')
  const named = account.users.filter((user) => user.active && spelled(user.name).split(' ')[0] === spelled(text))
  const found =
    activeUserByEmail(account, wanted) ?? activeUserByName(account, text) ?? (named.length === 1 ? named[0] : undefined)
  return found && maySee(actor, found.id) ? found : undefined
}
