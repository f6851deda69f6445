import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { SourceCost } from './contract.ts'

/** Per account. */
const maxCosts = 10_000

/** Reads what was entered for the months of the window. */
export async function readCosts(tx: TransactionSql, accountId: string, { first_day, last_day }: DateWindow) {
  const rows = await tx<{ source: string; month: string; cost: string }[]>`
    select source, to_char(month, 'YYYY-MM') as month, cost from source_costs
    where account_id = ${accountId} and month > ${first_day}::date - interval '1 month' and month <= ${last_day}
    order by source, month`
  return rows.map(({ cost, ...row }) => ({ ...row, cost: Number(cost) }))
}

/** Writes or removes the cost of a source in a month. */
export async function saveCost(tx: TransactionSql, actor: Actor, { source, month, cost }: SourceCost): Promise<void> {
  const { account_id } = actor
  const day = `${month}-01`
  if (cost === null) {
    const removed = await tx`delete from source_costs
      where account_id = ${account_id} and source = ${source} and month = ${day}`
    if (removed.count === 0) return
  } else {
    const [held] = await tx<{ n: number }[]>`
      select count(*)::int as n from source_costs where account_id = ${account_id} and not (source = ${source} and month = ${day})`
    if (held!.n >= maxCosts)
      throw invalid(msg`An account holds at most ${{ maxCosts }} costs of sources. Remove old ones first.`, 'cost')
    await tx`insert into source_costs (account_id, source, month, cost) values (${account_id}, ${source}, ${day}, ${cost})
      on conflict (account_id, source, month) do update set cost = excluded.cost`
  }
  await recordAudit(tx, actor, { action: 'source_cost.changed', details: { source, month, cost } })
}
