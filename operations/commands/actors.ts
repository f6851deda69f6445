import { type Actor, accountActor, asActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'

/** Each function finds a record in any account, or throws an error that says what was not found. */

export const accountOption = ['--account <name>', 'company name, if there are several accounts'] as const

export async function accountNamed(database: Database, name: string | undefined): Promise<Actor> {
  return accountActor((await accountWith(database.directory, name)).id)
}

/** Returns the account with the name; without one, the only account. */
export async function accountWith(sql: Sql, name: string | undefined): Promise<NamedAccount> {
  const named = name === undefined ? null : await findAccountWith(sql, name)
  if (named) return named
  const some = await sql<NamedAccount[]>`select id, name from accounts order by name limit 6`
  const [only] = some
  if (only && name === undefined && some.length === 1) return only
  const names = some.map((one) => `"${one.name}"`)
  const known = names.length > 0 && names.length < 6 ? ` Accounts are ${names.join(', ')}.` : ''
  if (name === undefined && only) throw new Error(`Name the account with --account.${known}`)
  const missing = name === undefined ? 'There is no account.' : `There is no account named "${name}".`
  throw new Error(`${missing}${known} Create it with: lead-engine setup --account "${name ?? '…'}" …`)
}

export interface NamedAccount {
  id: string
  name: string
}

/** Returns null if no account has the name. */
export async function findAccountWith(sql: Sql, name: string): Promise<NamedAccount | null> {
  const [account] = await sql<NamedAccount[]>`
    select id, name from accounts where lower(name) = ${name.trim().toLowerCase()}`
  return account ?? null
}

export async function userWith(database: Database, email: string): Promise<{ actor: Actor; id: string; name: string }> {
  const [user] = await database.directory`
    select id, account_id, name from users where lower(email) = ${email.trim().toLowerCase()}`
  if (!user) throw new Error(`No user has the email ${email}.`)
  return { actor: accountActor(user.account_id), id: user.id, name: user.name }
}

export async function accountOfKey(database: Database, id: string): Promise<Actor> {
  const [key] = await database.directory`select account_id from api_keys where id::text = ${id}`
  if (!key) throw new Error(`There is no API key with the id ${id}. List them with: lead-engine key list`)
  return accountActor(key.account_id)
}

export async function accountOfWebhook(database: Database, id: string): Promise<Actor> {
  const [webhook] = await database.directory`select account_id from webhooks where id::text = ${id}`
  if (!webhook) throw new Error(`There is no webhook with the id ${id}. List them with: lead-engine webhook list`)
  return accountActor(webhook.account_id)
}

async function accountsIn(database: Database): Promise<Actor[]> {
  const accounts = await database.directory`select id from accounts order by created_at, id`
  return accounts.map(({ id }) => accountActor(id))
}

/** Returns what `list` finds in all accounts. */
export async function listInAll<T>(
  database: Database,
  list: (tx: TransactionSql, accountId: string) => Promise<T[]>,
): Promise<T[]> {
  const all = (await accountsIn(database)).map((actor) => asActor(database, actor, (tx) => list(tx, actor.account_id)))
  return (await Promise.all(all)).flat()
}

/** Searches the accounts one after the other, for records that the directory does not have. */
export async function accountThatHas<T>(
  database: Database,
  find: (actor: Actor) => Promise<T | null>,
): Promise<{ actor: Actor; found: T } | null> {
  for (const actor of await accountsIn(database)) {
    const found = await find(actor)
    if (found !== null) return { actor, found }
  }
  return null
}
