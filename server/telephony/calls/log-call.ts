import { msg } from '@lingui/core/runtime-macro'
import type { Account } from '../../access/account/users.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { hoursOf } from '../../crm/availability/availability.ts'
import { changeLeadIn } from '../../crm/leads/change-lead.ts'
import { isClosed, type LeadStatus } from '../../crm/leads/contract.ts'
import type { LeadFields } from '../../crm/leads/lead.ts'
import type { NextStep } from '../../crm/leads/next-step.ts'
import { retryAt } from '../../crm/leads/retry-at.ts'
import { lockLead, nextStepOf } from '../../crm/leads/store.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText, istTime } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import { translate, translateWord } from '../../platform/languages/translate.ts'
import { type CallOutcome, type LoggedCall, leavesPromise } from './contract.ts'
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
 * Logs a call of a user with the status of its lead and when to call it again: all or nothing. Answers what the lead had, for undo.
 */
export async function logCall(tx: TransactionSql, caller: WebCaller, toLog: CallToLog): Promise<LoggedCall> {
  const { account, call, status, lost_reason, call_again_at, no_next_step, at } = toLog
  if (await actAsFormerOwner(tx, caller, account, { call, at })) {
    return logForNewOwner(tx, { ...caller, sees: 'all' }, toLog)
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

/**
 * Logs a call whose lead was reassigned during it. The lead is the new owner's: it gets the time that the customer was promised, if it has
 * none, and a first conversation makes it Contacted. The notes of the call say what else was chosen.
 */
async function logForNewOwner(
  tx: TransactionSql,
  actor: WebCaller,
  { account, call, status, lost_reason, call_again_at, no_next_step, at }: CallToLog,
): Promise<LoggedCall> {
  const lead = await lockLead(tx, actor.account_id, call.lead_id)
  if (!lead) throw notFound(msg`No lead with this id.`)
  const { call_again_at: planned } = await nextStepOf(tx, actor.account_id, lead.id)
  const isPlanned =
    call_again_at !== undefined && !isClosed(lead.status) && !leavesPromise(planned, call.called_at.getTime())
  const isContacted = status === 'Contacted' && lead.status === 'New'
  const change = {
    fields: (fields: LeadFields) => (isContacted ? { ...fields, status } : fields),
    call_again_at: isPlanned ? call_again_at : undefined,
    by: actor.user.name,
    at,
  }
  await changeLeadIn(tx, actor, { account, id: lead.id, change })
  const language = actor.language ?? 'en'
  const isOther = status !== undefined && status !== lead.status && !isContacted
  const rest = [
    ...(isOther ? [chosenTexts.status(translateWord(status, language))] : []),
    ...(isOther && lost_reason ? [chosenTexts.lostReason(lost_reason)] : []),
    ...(call_again_at && !isPlanned ? [chosenTexts.callAgain(istTime(call_again_at))] : []),
    ...(no_next_step ? [chosenTexts.noNextStep(no_next_step)] : []),
  ].map((text) => translate(text, language))
  const notes = [call.notes ?? '', ...rest].filter((line) => line !== '').join('\n')
  const logged = await logOnce(tx, actor, { ...call, notes: notes || null })
  if (!logged) throw notFound(msg`No lead with this id.`)
  return {
    data: callLogAnswer(logged),
    previous: {},
    is_reassigned: true,
    ...(isPlanned ? { planned_at: instantText(call_again_at) } : {}),
    ...(rest.length > 0 ? { is_rest_noted: true } : {}),
  }
}

const chosenTexts = {
  status: (status: string) => msg`Status: ${{ status }}`,
  lostReason: (reason: string) => msg`Lost reason: ${{ reason }}`,
  callAgain: (time: string) => msg`Call again: ${{ time }}`,
  noNextStep: (reason: string) => msg`No next step: ${{ reason }}`,
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
