import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { instantText, wholeSecond } from '../../platform/http/instants.ts'
import { forbidden, notFound } from '../../platform/http/problem.ts'
import type { CallReview, ReviewMark } from './contract.ts'

/** Sets or removes (null) the review of a call. An equal one changes nothing. Returns what is stored then. */
export function reviewCall(
  database: Database,
  caller: WebCaller,
  id: string,
  review: Pick<CallReview, 'mark' | 'remark'> | null,
  at: Date,
): Promise<CallReview | null> {
  if (caller.user.role === 'Agent')
    throw forbidden('PERMISSION_DENIED', msg`Only Managers and Admins may review calls.`)
  const { account_id, user_id } = caller
  return asActor(database, caller, async (tx) => {
    const [before] = await tx<{ mark: ReviewMark | null; remark: string | null; by: string | null; at: Date | null }[]>`
      select review as mark, review_remark as remark, reviewed_at as at,
        (select name from users where account_id = ${account_id} and users.id = call_logs.reviewed_by) as by
      from call_logs where account_id = ${account_id} and id = ${id} for update`
    if (!before) throw notFound(msg`There is no such call log.`)
    if (before.mark === (review?.mark ?? null) && before.remark === (review?.remark ?? null)) {
      return review && { ...review, by: before.by!, at: instantText(before.at!) }
    }
    const reviewed_at = review && wholeSecond(at)
    await tx`update call_logs set review = ${review?.mark ?? null}, review_remark = ${review?.remark ?? null},
        reviewed_by = ${review && user_id}, reviewed_at = ${reviewed_at}
      where account_id = ${account_id} and id = ${id}`
    await recordAudit(tx, caller, {
      action: review ? 'call_log.reviewed' : 'call_log.review_removed',
      subject_id: id,
      details: review ? { mark: review.mark } : {},
    })
    return review && reviewed_at && { ...review, by: caller.user.name, at: instantText(reviewed_at) }
  })
}
