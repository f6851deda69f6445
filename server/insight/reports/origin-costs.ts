import { msg } from '@lingui/core/runtime-macro'
import { hasRoom } from '../../access/account/limit-number.ts'
import { recordAudit } from '../../access/audit/record.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { OriginCost, OriginGroup } from './contract.ts'

/** Per account. */
export const maxCosts = 10_000

/** Reads what was entered for the months of the window. */
export async function readCosts(
  tx: TransactionSql,
  accountId: string,
  kind: OriginGroup,
  { first_day, last_day }: DateWindow,
) {
  const rows = await tx<{ name: string; month: string; cost: string }[]>`
    select name, to_char(month, 'YYYY-MM') as month, cost from origin_costs
    where account_id = ${accountId} and kind = ${kind} and month > ${first_day}::date - interval '1 month' and month <= ${last_day}
    order by name, month`
  return rows.map(({ cost, ...row }) => ({ ...row, cost: Number(cost) }))
}

/** Writes or removes the cost of a source, campaign, ad, form or product in a month. */
export async function saveCost(tx: TransactionSql, actor: Actor, entered: OriginCost): Promise<void> {
  const { kind, name, month, cost } = entered
  const { account_id } = actor
  const day = `${month}-01`
  if (cost === null) {
    const removed = await tx`delete from origin_costs
      where account_id = ${account_id} and kind = ${kind} and name = ${name} and month = ${day}`
    if (removed.count === 0) return
  } else {
    const others = tx`select from origin_costs
      where account_id = ${account_id} and not (kind = ${kind} and name = ${name} and month = ${day})`
    if (!(await hasRoom(tx, account_id, others, maxCosts)))
      throw invalid(msg`An account holds at most ${{ maxCosts }} costs. Remove old ones first.`, 'cost')
    await tx`insert into origin_costs (account_id, kind, name, month, cost) values (${account_id}, ${kind}, ${name}, ${day}, ${cost})
      on conflict (account_id, kind, name, month) do update set cost = excluded.cost`
  }
  await recordAudit(tx, actor, { action: 'source_cost.changed', details: { kind, name, month, cost } })
}
