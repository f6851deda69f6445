import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { type CallFilters, callsOfLeads, hasOwner, matchesFilters } from './call-filters.ts'
import type { CallTotals } from './contract.ts'
import { isMissed, needsCallback } from './missed.ts'

/** The figures are those of so many of the newest calls. */
export const maxSummed = 1_000_000
/** For each of them, the later calls of its lead are read. */
export const maxMissed = 100_000

/** Sums the calls that match the filters and that the actor sees. Without other filters than days, an index has all that is summed. */
export async function sumCalls(database: Database, actor: Actor, filters: CallFilters): Promise<CallTotals> {
  const sum = <T>(statement: (tx: TransactionSql, matching: Statement) => PromiseLike<readonly T[]>) =>
    readAsActor(database, actor, async (tx) => {
      await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
      const matching = tx`${callsOfLeads(tx, actor, filters)} where ${matchesFilters(tx, actor, filters)}
        and calls.called_at < ${filters.window.until} ${hasOwner(tx, actor, filters)}`
      const [row] = await statement(tx, matching)
      return row!
    })
  const [all, missed] = await Promise.all([
    sum(
      (tx, matching) => tx<{ calls: number; connected: number; talk_seconds: string }[]>`
        select count(*)::int as calls, count(*) filter (where connected)::int as connected,
          coalesce(sum(duration_seconds) filter (where connected), 0) as talk_seconds
        from (
          select duration_seconds, calls.outcome = 'Completed' and duration_seconds > 0 as connected from ${matching}
          order by called_at desc limit ${maxSummed + 1}
        ) newest`,
    ),
    sum(
      (tx, matching) => tx<{ missed: number; unreturned: number }[]>`
        select count(*)::int as missed, count(*) filter (where unreturned)::int as unreturned from (
          select ${needsCallback(tx, actor.account_id)} as unreturned from ${matching}
            and calls.call_type = 'Inbound' and ${isMissed(tx)}
          order by called_at desc limit ${maxMissed + 1}
        ) newest`,
    ),
  ])
  const isMore = all.calls > maxSummed
  return {
    ...all,
    ...missed,
    calls: isMore ? maxSummed : all.calls,
    talk_seconds: Number(all.talk_seconds),
    capped: isMore || missed.missed > maxMissed || filters.leadsCapped === true,
  }
}
