import { msg } from '@lingui/core/runtime-macro'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { istTime, wholeSecond } from '../../platform/http/instants.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { LeadStatus } from './contract.ts'
import type { LeadRow } from './lead.ts'
import type { Change } from './merge-lead.ts'
import { type NextStep, nextStepAfter } from './next-step.ts'
import { type LeadUpdate, nextStepOf } from './store.ts'

/** What a user says of the next step. Undefined changes nothing. */
export interface WantedNextStep {
  call_again_at?: Date | null | undefined
  no_next_step?: string | null | undefined
}

export interface NextStepChange {
  /** Read while the lead is locked. */
  before: NextStep
  /** For the timeline, which names times as people read them. */
  changes: Change[]
  update: Pick<LeadUpdate, 'callAgain' | 'noNextStep'>
}

/** Returns what a change does to the next step of a locked lead; null if nothing. */
export async function changeNextStep(
  tx: TransactionSql,
  accountId: string,
  { lead, status, wanted = {}, now }: { lead: LeadRow; status: LeadStatus; wanted?: WantedNextStep; now: Date },
): Promise<NextStepChange | null> {
  const { call_again_at, no_next_step } = wanted
  if (call_again_at && no_next_step) {
    throw invalid(msg`A lead has a time to call again or a reason for no next step. Send one of them.`, 'no_next_step')
  }
  if (call_again_at === undefined && no_next_step === undefined && status === lead.status) return null
  const before = await nextStepOf(tx, accountId, lead.id)
  const whole = { ...wanted, call_again_at: call_again_at && wholeSecond(call_again_at) }
  const after = nextStepAfter(before, whole, { before: lead.status, after: status })
  const isMoved = before.call_again_at?.getTime() !== after.call_again_at?.getTime()
  const isOther = before.no_next_step !== after.no_next_step
  if (!isMoved && !isOther) return null
  const moved: Change = {
    field: 'call_again_at',
    before: before.call_again_at && istTime(before.call_again_at),
    after: after.call_again_at && istTime(after.call_again_at),
  }
  const other: Change = { field: 'no_next_step', before: before.no_next_step, after: after.no_next_step }
  return {
    before,
    changes: [...(isMoved ? [moved] : []), ...(isOther ? [other] : [])],
    update: {
      ...(isMoved ? { callAgain: { at: after.call_again_at, now } } : {}),
      ...(isOther ? { noNextStep: { reason: after.no_next_step, now } } : {}),
    },
  }
}
