import { isSupportedCountry } from 'libphonenumber-js/max'
import { recordAudit } from '../audit/record.ts'
import { type Actor, changeAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isConflict } from '../database/errors.ts'
import { notifyDirectoryChanged } from '../database/watch.ts'
import { checkUnchanged } from '../http/check-unchanged.ts'
import { invalid } from '../http/problem.ts'
import type { AccountChange } from './contract.ts'
import { parseDays } from './users.ts'

/** A new default country applies to new phone numbers only. `was`: what the form showed. */
export async function changeAccount(
  database: Database,
  actor: Actor,
  { was, ...change }: AccountChange,
): Promise<void> {
  const { name, default_country, lowest_role_to_delete, lowest_role_to_export } = change
  if (default_country !== undefined && !isSupportedCountry(default_country)) {
    throw invalid('default_country must be a country as two capital letters, such as IN.', 'default_country')
  }
  await changeAsActor(database, actor, async (tx) => {
    const [row] = await tx<(Omit<Required<typeof change>, 'work_days'> & { work_days: string })[]>`
      select name, default_country, lowest_role_to_delete, lowest_role_to_export, work_days, work_from, work_until,
        alert_after, going_cold_after, answering_user_owns, names_owner, win_probabilities, lost_reasons from accounts
      where id = ${actor.account_id} for no key update`
    const now: Required<typeof change> = { ...row!, work_days: parseDays(row!.work_days) }
    checkUnchanged(was, now)
    const after = { ...now, ...change }
    const { work_days, work_from, work_until, alert_after, going_cold_after, answering_user_owns, names_owner } = after
    if (work_until - work_from < 60) {
      throw invalid('Working hours must be at least one hour long.', 'work_until')
    }
    await tx`update accounts set name = coalesce(${name ?? null}, name),
        default_country = coalesce(${default_country ?? null}, default_country),
        lowest_role_to_delete = coalesce(${lowest_role_to_delete ?? null}, lowest_role_to_delete),
        lowest_role_to_export = coalesce(${lowest_role_to_export ?? null}, lowest_role_to_export),
        work_days = ${work_days.toSorted().join('')}, work_from = ${work_from}, work_until = ${work_until}, alert_after = ${alert_after},
        going_cold_after = ${going_cold_after}, answering_user_owns = ${answering_user_owns}, names_owner = ${names_owner},
        win_probabilities = ${tx.json(after.win_probabilities)}, lost_reasons = ${after.lost_reasons}
      where id = ${actor.account_id}`
    await recordAudit(tx, actor, { action: 'account.changed', subject_id: actor.account_id, details: { ...change } })
    await notifyDirectoryChanged(tx, actor.account_id)
  }).catch((error) => {
    throw isConflict(error) ? invalid(`There is already an account named “${name}”.`, 'name') : error
  })
}
