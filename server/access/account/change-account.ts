import { msg } from '@lingui/core/runtime-macro'
import { isSupportedCountry } from 'libphonenumber-js/max'
import { type Actor, changeAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { invalid } from '../../platform/http/problem.ts'
import { recordAudit } from '../audit/record.ts'
import { type AccountChange, shiftLength } from './contract.ts'
import { parseDays } from './users.ts'

/** A new default country applies to new phone numbers only. `was`: what the form showed. */
export async function changeAccount(
  database: Database,
  actor: Actor,
  { was, ...change }: AccountChange,
): Promise<void> {
  const { name, default_country } = change
  if (default_country !== undefined && !isSupportedCountry(default_country)) {
    throw invalid(
      msg`${{ field: 'default_country' }} must be a country as two capital letters, such as IN.`,
      'default_country',
    )
  }
  await changeAsActor(database, actor, async (tx) => {
    const [row] = await tx<(Omit<Required<typeof change>, 'work_days'> & { work_days: string })[]>`
      select name, default_country, lowest_role_to_delete, lowest_role_to_export, work_days, work_from, work_until,
        alert_after, going_cold_after, first_retry_after, answering_user_owns, names_owner, fallback_owner, win_probabilities, lost_reasons from accounts
      where id = ${actor.account_id} for no key update`
    const now: Required<typeof change> = { ...row!, work_days: parseDays(row!.work_days) }
    checkUnchanged(was, now)
    const after = { ...now, ...change }
    checkHours(after)
    if (change.fallback_owner) await checkFallbackOwner(tx, actor.account_id, change.fallback_owner)
    await tx`update accounts set name = ${after.name}, default_country = ${after.default_country},
        lowest_role_to_delete = ${after.lowest_role_to_delete}, lowest_role_to_export = ${after.lowest_role_to_export},
        work_days = ${after.work_days.toSorted().join('')}, work_from = ${after.work_from}, work_until = ${after.work_until},
        alert_after = ${after.alert_after}, going_cold_after = ${after.going_cold_after}, first_retry_after = ${after.first_retry_after},
        answering_user_owns = ${after.answering_user_owns}, names_owner = ${after.names_owner},
        fallback_owner = ${after.fallback_owner}, win_probabilities = ${tx.json(after.win_probabilities)}, lost_reasons = ${after.lost_reasons}
      where id = ${actor.account_id}`
    await recordAudit(tx, actor, { action: 'account.changed', subject_id: actor.account_id, details: { ...change } })
    await notifyDirectoryChanged(tx, actor.account_id)
  }).catch((error) => {
    throw isConflict(error) ? invalid(msg`There is already an account named “${{ name }}”.`, 'name') : error
  })
}

export function checkHours({ work_from, work_until }: { work_from: number; work_until: number }) {
  if (shiftLength(work_from, work_until) < 60)
    throw invalid(msg`Working hours must be at least one hour long.`, 'work_until')
}

async function checkFallbackOwner(tx: TransactionSql, accountId: string, id: string) {
  const [user] = await tx`select 1 from users
    where account_id = ${accountId} and id = ${id} and deactivated_at is null for key share`
  if (!user) throw invalid(msg`${{ field: 'fallback_owner' }} must be an active user of the account.`, 'fallback_owner')
}
