import { msg } from '@lingui/core/runtime-macro'
import { type Actor, selfActor } from '../../platform/database/actor.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { recordAudit } from '../audit/record.ts'
import { endSessions } from './credentials.ts'

/** Writes the change and its audit entry in one transaction. better-auth then writes the same change again. */
export async function turnTwoFactor(directory: Sql, userId: string, on: boolean): Promise<void> {
  await directory.begin(async (tx) => {
    const [user] = await tx`
      update users set two_factor_enabled = ${on}, updated_at = ${new Date()}
      where id = ${userId} and two_factor_enabled <> ${on} returning account_id`
    if (on) {
      await tx`update two_factors set verified = true where user_id = ${userId}`
      // Ends sessions without a second factor; better-auth creates a new one for this browser.
      await endSessions(tx, userId)
    } else await deleteSecret(tx, userId)
    if (user)
      await recordAudit(tx, selfActor(user.account_id, userId), {
        action: `user.two_factor_${on ? 'enabled' : 'disabled'}`,
        subject_id: userId,
      })
  })
}

/** How long a code is valid, in seconds: its 30 s and those before and after. */
const codeLifetime = 120

/** Marks a code as used. Of two requests with one code, the second is rejected. */
export async function takeCode(directory: Sql, userId: string, code: string): Promise<void> {
  const used = await directory`
    update two_factors set used_codes = array(
      select used from unnest(used_codes) used
      where split_part(used, '@', 2)::bigint > extract(epoch from now()) - ${codeLifetime}
    ) || ${`${code}@${Math.floor(Date.now() / 1000)}`}::text
    where user_id = ${userId} and not exists (
      select from unnest(used_codes) used
      where split_part(used, '@', 1) = ${code}
        and split_part(used, '@', 2)::bigint > extract(epoch from now()) - ${codeLifetime}
    )`
  if (used.count === 0) throw invalid(msg`This code was used before. Enter the next one that your app shows.`, 'code')
}

export async function recordNewBackupCodes(directory: Sql, userId: string): Promise<void> {
  await directory.begin(async (tx) => {
    const [user] = await tx`select account_id from users where id = ${userId}`
    await recordAudit(tx, selfActor(user!.account_id, userId), { action: 'user.backup_codes_made', subject_id: userId })
  })
}

/**
 * Turns off two-factor for a user who lost their phone. Ends their sessions, because the phone may be signed in. Returns
 * whether it was on.
 */
export async function resetTwoFactor(directory: Sql, actor: Actor, userId: string): Promise<boolean> {
  return directory.begin(async (tx) => {
    const [user] = await tx`select two_factor_enabled as on from users
      where account_id = ${actor.account_id} and id = ${userId} for no key update`
    if (!user) throw notFound(msg`There is no such user.`)
    if (!user.on) return false
    await tx`update users set two_factor_enabled = false, updated_at = ${new Date()} where id = ${userId}`
    await deleteSecret(tx, userId)
    await endSessions(tx, userId)
    await recordAudit(tx, actor, { action: 'user.two_factor_reset', subject_id: userId })
    return true
  })
}

const deleteSecret = (tx: TransactionSql, userId: string) => tx`delete from two_factors where user_id = ${userId}`
