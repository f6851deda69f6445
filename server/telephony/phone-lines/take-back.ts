import { type Account, userByEmail } from '../../access/account/users.ts'
import { changeOwner } from '../../crm/leads/change-owner.ts'
import { lockLead } from '../../crm/leads/store.ts'
import { answeredSummary, reassignedSummary } from '../../crm/timeline/summaries.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { lineKey } from './line-key.ts'
import { type ConfirmedLine, listUserLines, maxConnected, openCallsOf } from './store.ts'

/** A call that counts for a user because of a line. */
interface CreditedCall {
  id: string
  lead_id: string
  called_at: Date
}

interface Credits {
  /** Newest first. */
  calls: CreditedCall[]
  /** Calls under way. */
  openIds: string[]
  /** The leads that the user owns because they answered one of these calls. */
  leadIds: string[]
}

/** How many leads one removal gives back at most. */
const maxUnassigned = 500

/**
 * Returns what a line changed since its user has it: the calls that adding it connected, and those whose events name it and no other line or
 * email of the user. Of calls whose events are no longer kept, only the connected ones are known.
 */
export async function creditsOf(tx: TransactionSql, account: Account, confirmed: ConfirmedLine): Promise<Credits> {
  const { line, written, user_id, added_at } = confirmed
  const rows = await tx<(CreditedCall & { is_connected: boolean; agents: string[] | null })[]>`
    select calls.id, calls.lead_id, called_at, agent is not distinct from ${written} as is_connected, facts->'agents'->'value' as agents
    from call_logs calls left join phone_calls on phone_calls.account_id = ${account.id} and call_log_id = calls.id
    where calls.account_id = ${account.id} and called_by = ${user_id} and (
      agent = ${written} or facts is not null
        and coalesce(calls.changed_at, calls.created_at) >= ${added_at}::timestamptz - interval '1 second'
    )
    order by called_at desc, calls.id desc limit ${maxConnected}`
  const others = (await listUserLines(tx, account.id, user_id)).map((one) => one.line).filter((one) => one !== line)
  const keysOf = (agents: string[] | null) => (agents ?? []).map((agent) => lineKey(agent, account.country) ?? '')
  const isOther = (key: string) => key !== line && (others.includes(key) || userByEmail(account, key)?.id === user_id)
  const calls = rows.flatMap(({ is_connected, agents, ...call }) => {
    const keys = keysOf(agents)
    return !keys.some(isOther) && (is_connected || keys.includes(line)) ? [call] : []
  })
  const open = (await openCallsOf(tx, account, line)).filter(({ agents }) => !keysOf(agents).some(isOther))
  const user = account.users.find(({ id }) => id === user_id)!
  const leads = new Set([...calls, ...open].flatMap(({ lead_id }) => lead_id ?? []))
  return { calls, openIds: open.map(({ id }) => id), leadIds: await answeredLeads(tx, account.id, user, [...leads]) }
}

/** Returns those leads that the user has because they answered a call. */
async function answeredLeads(
  tx: TransactionSql,
  accountId: string,
  user: { id: string; name: string },
  leadIds: string[],
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from leads where account_id = ${accountId} and assigned_to = ${user.id} and id = any (${leadIds}) and (
      select summary from timeline_entries entries
      where entries.account_id = ${accountId} and entries.lead_id = leads.id
        and details->'changes' @> '[{"field": "assigned_to"}]'
      order by at desc, entries.id desc limit 1
    ) = ${answeredSummary(user.name)}
    order by id limit ${maxUnassigned}`
  return rows.map(({ id }) => id)
}

interface TakenBack {
  calls: number
  leads: number
}

/**
 * Makes the calls of a line that is removed those of an unknown agent again, and the leads unassigned that the user has because they
 * answered. Call it as an actor that sees everything; `by` is the name of who does it.
 */
export async function takeBack(
  tx: TransactionSql,
  actor: Actor,
  account: Account,
  { line: removed, by, now }: { line: ConfirmedLine; by: string; now: Date },
): Promise<TakenBack> {
  const { written, user_id } = removed
  const { calls, openIds, leadIds } = await creditsOf(tx, account, removed)
  const user = account.users.find(({ id }) => id === user_id)!
  // Leads are locked before their calls, in the order of their ids.
  const summary = reassignedSummary(user.name, null, by)
  let unassigned = 0
  for (const id of leadIds) {
    const lead = await lockLead(tx, account.id, id)
    if (lead?.assigned_to !== user_id) continue
    await changeOwner(tx, actor, { account, lead, userId: null, ruleId: null, summary, now })
    unassigned++
  }
  const ids = calls.map(({ id }) => id)
  await tx`update call_logs set called_by = null, agent = ${written}
    where account_id = ${account.id} and id = any (${ids}) and called_by = ${user_id}`
  await tx`update phone_calls set user_ids = array_remove(user_ids, ${user_id}::uuid)
    where account_id = ${account.id} and (call_log_id = any (${ids}) or id = any (${openIds}))`
  return { calls: calls.length, leads: unassigned }
}
