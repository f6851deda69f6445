import type { WebCaller } from '../../access/sign-in/require-session.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import { addToFacts } from './log-once.ts'
import { answeredBy, type PhoneCall } from './phone-calls.ts'
import { findCallLog } from './store.ts'

/** In hours, since the call began. */
const noteWithin = 24

interface Note {
  id: string
  notes: string | null
  at: Date
}

/**
 * Writes what the user who answered a call notes to the call, and to its log once it has one. The transaction acts for the whole account,
 * because the user may not see the lead. Another note of the user replaces it. Returns false if the user answered no such call, or another
 * user has logged it.
 */
export async function noteAnswered(tx: TransactionSql, actor: WebCaller, { id, notes, at }: Note): Promise<boolean> {
  const { account_id, user_id } = actor
  await tx`select id from leads where account_id = ${account_id}
    and id = (select lead_id from phone_calls where account_id = ${account_id} and id = ${id}) for no key update`
  const [call] = await tx<PhoneCall[]>`
    select id, lead_id, assigned_to, phone, user_ids, state, call_type, started_at, facts, call_log_id from phone_calls
    where account_id = ${account_id} and id = ${id} and lead_id is not null
      and started_at > ${at}::timestamptz - make_interval(hours => ${noteWithin}) for update`
  if (!call || answeredBy(call) !== user_id) return false
  const { called_by } = call.facts.logged?.value ?? { called_by: user_id }
  if (called_by !== user_id) return false
  const log = call.call_log_id === null ? null : await findCallLog(tx, account_id, call.call_log_id)
  if (call.call_log_id !== null && !log) return false
  const logged_at = instantText(at)
  // The telephone system reports the length.
  const said = {
    call_type: call.call_type,
    outcome: 'Completed',
    duration_seconds: 0,
    notes,
    called_by,
    logged_at,
  } as const
  await addToFacts(tx, actor, call, { log, said, more: {}, how: { at, by: actor.user.name } })
  return true
}
