import { msg } from '@lingui/core/runtime-macro'
import type { Account } from '../../access/account/users.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { istDate } from '../../platform/http/instants.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { LeadFields, LockedLead } from './lead.ts'
import type { Change } from './merge-lead.ts'
import { type Closing, closingOf, type LeadUpdate } from './store.ts'

/** What a user says of how the lead ends. Undefined changes nothing; a lead that is not in Lost has no reason. */
export interface WantedClosing {
  lost_reason?: string | null | undefined
  /** A day, as 2026-12-15. */
  expected_close?: string | null | undefined
}

export interface ClosingChange {
  /** Read while the lead is locked. */
  before: Closing
  /** For the timeline, which names days as people read them. */
  changes: Change[]
  update: Pick<LeadUpdate, 'lostReason' | 'expectedClose'>
}

export const reasonWithoutLost = () =>
  invalid(msg`Only a lead in Lost has a reason. Set its status to Lost.`, 'lost_reason')
export const unknownReason = () =>
  invalid(msg`${{ field: 'lost_reason' }} must be one of the reasons that Admins set under Account.`, 'lost_reason')

/** Returns what a change does to the lost reason and the expected closing date of a locked lead; null if nothing. */
export async function changeClosing(
  tx: TransactionSql,
  { id: account_id, lostReasons }: Account,
  { lead, status, wanted }: { lead: LockedLead; status: LeadFields['status']; wanted: WantedClosing },
): Promise<ClosingChange | null> {
  const { lost_reason, expected_close } = wanted
  const isLost = status === 'Lost'
  if (lost_reason && !isLost) throw reasonWithoutLost()
  const losesReason = !isLost && lead.status === 'Lost'
  if (lost_reason === undefined && expected_close === undefined && !losesReason) return null
  const before = await closingOf(tx, account_id, lead.id)
  const reason = lost_reason !== undefined || losesReason ? (lost_reason ?? null) : before.lost_reason
  const day = expected_close === undefined ? before.expected_close : expected_close
  const [isOther, isMoved] = [reason !== before.lost_reason, day !== before.expected_close]
  if (!isOther && !isMoved) return null
  if (isOther && reason !== null && !lostReasons.includes(reason)) throw unknownReason()
  const dayText = (day: string | null) => day && istDate(day)
  const other: Change = { field: 'lost_reason', before: before.lost_reason, after: reason }
  const moved: Change = { field: 'expected_close', before: dayText(before.expected_close), after: dayText(day) }
  return {
    before,
    changes: [...(isOther ? [other] : []), ...(isMoved ? [moved] : [])],
    update: {
      ...(isOther ? { lostReason: reason } : {}),
      ...(isMoved ? { expectedClose: day } : {}),
    },
  }
}
