import { leadCounts } from '../../server/crm/counts/tables.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import type { TransactionSql } from '../../server/platform/database/sql.ts'
import { type Comparison, counting, countsByDay, type DayRange, type Difference } from './count-differences.ts'

/** So many leads are locked at once. */
const maxLocked = 1000

/** The attempts and the last call that leads keep, against their calls. */
export const callsOfLeads: Comparison = {
  name: 'attempts and last calls',
  days: (database, actor) => countsByDay(database, actor, leadCounts),
  compare: (database, actor, days) =>
    counting(database, actor, async (tx) => {
      const [difference] = await tx<[Difference]>`
        select count(*)::int as keys, coalesce(sum(n), 0)::float8 as rows
        from (${wrongLeads(tx, actor.account_id, days)}) wrong`
      return difference
    }),
  async repair(database, actor, days) {
    const { account_id } = actor
    const wrong = await counting(database, actor, (tx) => wrongLeads(tx, account_id, days))
    const ids = wrong.map(({ id }) => id)
    for (let start = 0; start < ids.length; start += maxLocked) {
      const some = ids.slice(start, start + maxLocked)
      await asActor(database, actor, async (tx) => {
        // Adding or removing a call locks its lead first: the next statement sees all calls.
        await tx`select from leads where account_id = ${account_id} and id = any (${some}) order by id for no key update`
        const found = await tx<{ id: string; missing: number }[]>`
          select id, (
            select count(*) from call_logs where account_id = ${account_id} and lead_id = leads.id and call_type = 'Outbound'
          )::integer - attempts as missing
          from leads where account_id = ${account_id} and id = any (${some})`
        const [leads, missing] = [found.map(({ id }) => id), found.map(({ missing }) => String(missing))]
        await tx`select note_calls(${account_id}, ${leads}::uuid[], ${missing}::text[]::integer[])`
      })
    }
  },
}

/** Leads of these days whose values differ from their calls, and by how many calls. */
function wrongLeads(tx: TransactionSql, accountId: string, days: DayRange) {
  const [from, until] = [days.from, days.until].map((day) => tx`${day}::text::date - interval '05:30'`)
  return tx<{ id: string; n: number }[]>`
    select leads.id, abs(leads.attempts - made.attempts)
      + ((leads.last_call_at, leads.last_call_outcome, leads.first_call_at)
        is distinct from (made.last_call_at, made.outcome, made.first_call_at))::integer as n
    from leads
    cross join lateral (
      select count(*) filter (where call_type = 'Outbound') as attempts, max(called_at) as last_call_at,
        min(called_at) filter (where called_at >= leads.created_at) as first_call_at,
        (array_agg(outcome order by called_at desc, id desc))[1] as outcome
      from call_logs where account_id = ${accountId} and lead_id = leads.id
    ) made
    where leads.account_id = ${accountId} and leads.created_at >= ${from!} and leads.created_at < ${until!}
      and (leads.attempts, leads.last_call_at, leads.last_call_outcome, leads.first_call_at)
        is distinct from (made.attempts, made.last_call_at, made.outcome, made.first_call_at)`
}
