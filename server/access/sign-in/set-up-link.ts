import { msg } from '@lingui/core/runtime-macro'
import { accountActor, asActor, selfActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { invalid } from '../../platform/http/problem.ts'
import { recordAudit } from '../audit/record.ts'
import type { SetUp } from './contract.ts'
import { findHolder, linkUrl, makePasswordLink, spendLink } from './password-links.ts'

/**
 * Makes a link with which the Admin of an account that has no password yet sets it up, instead of the previous one. Returns null
 * if there is no such account.
 */
export async function makeSetUpLink(database: Database, baseUrl: string): Promise<string | null> {
  const [admin] = await database.directory<{ id: string; account_id: string }[]>`
    select id, account_id from users
    where role = 'Admin' and deactivated_at is null and account_id not in (
      select account_id from credentials join users on users.id = user_id)
    order by created_at, id limit 1`
  if (!admin) return null
  const actor = accountActor(admin.account_id)
  const { token } = await asActor(database, actor, (tx) => makePasswordLink(tx, actor, admin.id, 'setup'))
  return linkUrl(baseUrl, token)
}

/** Names the account and its Admin, and sets the password. Returns false if the link no longer works. */
export async function setUpByLink(database: Database, { token, password, ...names }: SetUp): Promise<boolean> {
  const { directory, cache } = database
  const { company, name, email } = names
  const known = await findHolder(directory, token)
  if (known?.kind !== 'setup') return false
  const setPassword = await spendLink(token, password, { email, name, account: company })
  const holder = await directory
    .begin(async (tx) => {
      const holder = await setPassword(tx)
      if (!holder) return null
      const { account_id, user_id } = holder
      const actor = selfActor(account_id, user_id)
      await tx`update accounts set name = ${company} where id = ${account_id}`
      await tx`update users set name = ${name}, email = ${email}, updated_at = ${new Date()}
        where account_id = ${account_id} and id = ${user_id}`
      await recordAudit(tx, actor, { action: 'account.changed', subject_id: account_id, details: { name: company } })
      await recordAudit(tx, actor, { action: 'user.changed', subject_id: user_id, details: { name, email } })
      await notifyDirectoryChanged(tx, account_id)
      return holder
    })
    .catch(async (error) => {
      throw isConflict(error) ? await whichIsTaken(directory, names) : error
    })
  if (holder) cache.invalidate(holder.account_id)
  return holder !== null
}

async function whichIsTaken(directory: Sql, { company, email }: Pick<SetUp, 'company' | 'email'>) {
  const [user] = await directory`select 1 from users where lower(email) = ${email.toLowerCase()}`
  return user
    ? invalid(msg`Another user already has the email ${{ to: email }}.`, 'email')
    : invalid(msg`There is already an account named “${{ name: company }}”.`, 'company')
}

/** Returns what says whether any user can sign in. Once they can, that stays so. */
export function openSetUpState(directory: Sql): () => Promise<boolean> {
  let isSetUp = false
  return async () => {
    if (!isSetUp) isSetUp = (await directory`select 1 from credentials limit 1`).length > 0
    return isSetUp
  }
}
