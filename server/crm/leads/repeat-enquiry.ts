import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'
import { addNotice } from '../notices/add-notice.ts'
import { isNotified } from './create-lead.ts'
import type { LeadRow, Submission } from './lead.ts'

/** In characters. */
const messageLength = 500

export interface RepeatEnquiry {
  at: Date
  source: string
  message: string | null
  /** A replay is about what came before. */
  replayed: boolean
}

/**
 * Returns the enquiry that a submission brings to a lead that exists; null if it is none. A webhook's delivery is one, unless it is an
 * event of a call. A request of the API is one if it has a message: programs also send requests to update leads. Files, commands and
 * users of the web app bring no enquiry of the person.
 */
export function repeatEnquiry({ via }: Actor, submission: Submission, lead: LeadRow): RepeatEnquiry | null {
  const { given, defaults, received_at, call, replayed = false } = submission
  const message = given.notes ?? null
  const at = wholeSecond(received_at)
  const isNews = !replayed || at > lead.created_at
  const brings =
    via === 'webhook' ? !call && isNews : via === 'api_key' && message !== null && !lead.notes?.includes(message)
  if (!brings) return null
  return { at, source: given.source ?? defaults.source, message, replayed }
}

/** Keeps the enquiry with its lead, and notifies the owner. A delivery that is saved late does not replace a later enquiry. */
export async function recordEnquiry(
  tx: TransactionSql,
  actor: Actor,
  { id, assigned_to }: Pick<LeadRow, 'id' | 'assigned_to'>,
  { at, source, message, replayed }: RepeatEnquiry,
): Promise<void> {
  const { account_id } = actor
  await Promise.all([
    tx`update leads set enquired_again_at = ${at}, enquired_again_source = ${source},
        enquired_again_message = left(${message}::text, ${messageLength})
      where account_id = ${account_id} and id = ${id} and (enquired_again_at is null or enquired_again_at <= ${at})`,
    !replayed && isNotified(actor, assigned_to, at)
      ? addNotice(tx, account_id, 'enquired_again', { user_id: assigned_to, lead_id: id, at, about: {} })
      : null,
  ])
}
