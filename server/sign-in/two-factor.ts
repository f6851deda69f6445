import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Sql, TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record.ts'
import { type Actor, selfActor } from '../database/actor.ts'
import { invalid, notFound } from '../http/problem.ts'
import { endSessions } from './credentials.ts'

/**
 * Codes of an app (TOTP), under our names for tables and columns. Five wrong ones end an attempt to sign in, ten in a
 * row lock the codes of that person for a quarter of an hour, whoever has the password.
 */
export const twoFactorPlugin = () =>
  twoFactor({
    issuer: 'Lead Engine',
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  })

/** What a browser may not choose: other methods, a device that is asked for no code, a code used up for nothing. */
export const fixedForTwoFactor: Record<string, object> = {
  '/two-factor/enable': { method: 'totp', issuer: 'Lead Engine' },
  '/two-factor/verify-totp': { trustDevice: false },
  '/two-factor/verify-backup-code': { trustDevice: false, disableSession: false },
}

/** With its entry in the audit log in one transaction. better-auth says the same to the database once more afterwards. */
export async function turnTwoFactor(directory: Sql, userId: string, on: boolean): Promise<void> {
  await directory.begin(async (tx) => {
    const [person] = await tx`
      update users set two_factor_enabled = ${on}, updated_at = ${new Date()}
      where id = ${userId} and two_factor_enabled <> ${on} returning account_id`
    if (on) {
      await tx`update two_factors set verified = true where user_id = ${userId}`
      // What signed in by a password alone begins again; better-auth makes a new session for this browser.
      await endSessions(tx, userId)
    } else await forgetSecret(tx, userId)
    if (person)
      await recordAudit(
        tx,
        selfActor(person.account_id, userId),
        `user.two_factor_${on ? 'enabled' : 'disabled'}`,
        userId,
      )
  })
}

/** How long an app's code may be taken: its half minute, and those beside it. */
const codeLifetime = 120

/** Of two who come with one code, the second is refused. */
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
  if (used.count === 0) throw invalid('This code was used before. Enter the next one that your app shows.', 'code')
}

export async function recordNewBackupCodes(directory: Sql, userId: string): Promise<void> {
  await directory.begin(async (tx) => {
    const [person] = await tx`select account_id from users where id = ${userId}`
    await recordAudit(tx, selfActor(person!.account_id, userId), 'user.backup_codes_made', userId)
  })
}

/**
 * For a person who lost their phone. It may still be signed in, so their sessions end. Answers whether there was
 * anything to switch off.
 */
export async function resetTwoFactor(directory: Sql, actor: Actor, userId: string): Promise<boolean> {
  return directory.begin(async (tx) => {
    const [person] = await tx`select two_factor_enabled as on from users
      where account_id = ${actor.account_id} and id = ${userId} for no key update`
    if (!person) throw notFound('There is no such person.')
    if (!person.on) return false
    await tx`update users set two_factor_enabled = false, updated_at = ${new Date()} where id = ${userId}`
    await forgetSecret(tx, userId)
    await endSessions(tx, userId)
    await recordAudit(tx, actor, 'user.two_factor_reset', userId)
    return true
  })
}

const forgetSecret = (tx: TransactionSql, userId: string) => tx`delete from two_factors where user_id = ${userId}`
