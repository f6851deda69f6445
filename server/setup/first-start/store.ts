import { initialNames } from '../../access/account/contract.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { type FirstStart, type FirstStartChange, type FirstStep, firstSteps } from './contract.ts'

/** Reads which steps are done. Each question ends at the first row. `userId`: the Admin whose name and devices count. */
export async function readFirstStart(tx: TransactionSql, accountId: string, userId: string): Promise<FirstStart> {
  const [[account], [done]] = await Promise.all([
    tx<{ name: string; first_start: string; first_start_skipped: FirstStep[] }[]>`
      select name, first_start, first_start_skipped from accounts where id = ${accountId}`,
    tx<Record<FirstStep, boolean>[]>`
      select
        exists (select from users where account_id = ${accountId} and id = ${userId} and name <> ${initialNames.user}) as company,
        exists (select from leads where account_id = ${accountId}) as leads,
        exists (select from deliveries where account_id = ${accountId})
          or exists (select from api_key_uses where account_id = ${accountId}) as source,
        exists (select from users where account_id = ${accountId} and id <> ${userId}) as team,
        exists (select from distribution_rules where account_id = ${accountId}) as rule,
        exists (select from push_subscriptions where account_id = ${accountId} and user_id = ${userId}) as notifications`,
  ])
  const { name, first_start, first_start_skipped: skipped } = account!
  const isDone = { ...done!, company: done!.company && name !== initialNames.account }
  const stateOf = (step: FirstStep) => (isDone[step] ? 'done' : skipped.includes(step) ? 'skipped' : 'open')
  const steps = Object.fromEntries(firstSteps.map((step) => [step, stateOf(step)])) as FirstStart['steps']
  return { ended: first_start === 'ended', steps }
}

/** What has ended stays so. */
export async function changeFirstStart(tx: TransactionSql, accountId: string, change: FirstStartChange): Promise<void> {
  await tx`update accounts set
      first_start = case when ${change.ended ?? false} then 'ended' when first_start = 'new' then 'started' else first_start end,
      first_start_skipped = coalesce(${change.skipped ?? null}::text[], first_start_skipped)
    where id = ${accountId}`
}
