import { msg } from '@lingui/core/runtime-macro'
import type { Account } from '../../access/account/users.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { hoursOf } from '../../crm/availability/availability.ts'
import { changeLeadIn } from '../../crm/leads/change-lead.ts'
import { isClosed, type LeadStatus } from '../../crm/leads/contract.ts'
import type { LeadFields } from '../../crm/leads/lead.ts'
import type { NextStep } from '../../crm/leads/next-step.ts'
import { retryAt } from '../../crm/leads/retry-at.ts'
import { nextStepOf } from '../../crm/leads/store.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import type { CallOutcome, LoggedCall } from './contract.ts'
import { actAsFormerOwner } from './former-owner.ts'
import { logOnce } from './log-once.ts'
import { callLogAnswer } from './new-call.ts'
import type { NewCallLogRow } from './store.ts'

interface CallToLog {
  account: Account
  call: NewCallLogRow
  status: LeadStatus | undefined
  lost_reason: string | undefined
  call_again_at: Date | undefined
  no_next_step: string | undefined
  at: Date
}

/**
 * Logs a call of a user with the status of its lead and when to call it again: all or nothing. Answers what the lead had, for undo. Of a
 * lead that was reassigned during the call, only the call is logged: the lead is the new owner's.
 */
export async function logCall(
  tx: TransactionSql,
  caller: WebCaller,
  { account, call, status, lost_reason, call_again_at, no_next_step, at }: CallToLog,
): Promise<LoggedCall> {
  if (await actAsFormerOwner(tx, caller, account, { call, at })) {
    const logged = await logOnce(tx, { ...caller, sees: 'all' }, call)
    if (!logged) throw notFound(msg`No lead with this id.`)
    return { data: callLogAnswer(logged), previous: {}, is_reassigned: true }
  }
  const change = {
    fields: (lead: LeadFields) => (status === undefined ? lead : { ...lead, status }),
    call_again_at,
    no_next_step,
    lost_reason,
    by: caller.user.name,
    at,
  }
  const previous: LoggedCall['previous'] = await changeLeadIn(tx, caller, { account, id: call.lead_id, change })
  const planned = await nextStepOf(tx, caller.account_id, call.lead_id)
  const logged = await logOnce(tx, caller, call)
  if (!logged) throw notFound(msg`No lead with this id.`)
  // The call ends a time to call again that has come, and an older reason for no next step.
  const [left] = await tx<CalledLead[]>`
    select call_again_at, no_next_step, status, assigned_to, attempts, last_call_at, last_call_outcome from leads
    where account_id = ${caller.account_id} and id = ${call.lead_id}`
  if (!left) throw notFound(msg`No lead with this id.`)
  const ended = {
    ...(planned.call_again_at && !left.call_again_at ? { call_again_at: instantText(planned.call_again_at) } : {}),
    ...(planned.no_next_step && !left.no_next_step ? { no_next_step: planned.no_next_step } : {}),
  }
  const retry_at = retryOf(account, left)
  return {
    data: callLogAnswer(logged),
    previous: { ...ended, ...previous },
    ...(retry_at ? { retry_at: instantText(retry_at) } : {}),
  }
}

interface CalledLead extends NextStep {
  status: LeadStatus
  assigned_to: string | null
  attempts: number
  last_call_at: Date
  last_call_outcome: CallOutcome
}

const unreached: readonly CallOutcome[] = ['No Answer', 'Busy', 'Voicemail']

/** When Call next has a lead again that was not reached; null if it has another next step. */
function retryOf(account: Account, lead: CalledLead): Date | null {
  const { status, call_again_at, no_next_step, last_call_outcome } = lead
  const isRetried =
    unreached.includes(last_call_outcome) && !isClosed(status) && !call_again_at && no_next_step === null
  return isRetried ? retryAt(lead, settingOf(account, lead)) : null
}

function settingOf(account: Account, { assigned_to }: Pick<CalledLead, 'assigned_to'>) {
  const owner = account.users.find(({ id }) => id === assigned_to)
  return { ...account, hours: owner ? hoursOf(account, owner) : account.workingHours }
}

/** Returns when Call next would have a lead again that is called now and not reached; null if the actor sees no such lead. */
export async function retryIfUnreached(
  tx: TransactionSql,
  account: Account,
  { id, now }: { id: string; now: Date },
): Promise<Date | null> {
  const [lead] = await tx<Pick<CalledLead, 'assigned_to' | 'attempts'>[]>`
    select assigned_to, attempts from leads where account_id = ${account.id} and id = ${id}`
  return lead ? retryAt({ attempts: lead.attempts + 1, last_call_at: now }, settingOf(account, lead)) : null
}
