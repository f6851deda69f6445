import { createHash, randomBytes } from 'node:crypto'
import { type Actor, selfActor } from '../../platform/database/actor.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { recordAudit } from '../audit/record.ts'
import { writePassword } from './credentials.ts'
import { hashPassword } from './password.ts'
import { findWeakness } from './weak-password.ts'

type LinkKind = 'invitation' | 'reset' | 'setup'

/** A link that anyone can request with an email expires first. */
const purposes = {
  invitation: { kind: 'invitation', hours: 7 * 24, action: 'user.invited' },
  reset: { kind: 'reset', hours: 24, action: 'user.password_link_made' },
  forgotten: { kind: 'reset', hours: 1, action: 'user.password_forgotten' },
  setup: { kind: 'setup', hours: 24, action: 'user.password_link_made' },
} as const

/**
 * Only the hash of the token is stored. A new link replaces the previous one, but a requested link does not replace the
 * link of an Admin.
 */
export async function makePasswordLink(
  tx: TransactionSql,
  actor: Actor,
  userId: string,
  purpose: keyof typeof purposes,
): Promise<{ token: string; expires_at: Date }> {
  const { kind, hours, action } = purposes[purpose]
  const token = randomBytes(24).toString('base64url')
  const now = new Date()
  const expires_at = new Date(now.getTime() + hours * 3_600_000)
  if (purpose === 'forgotten') {
    await tx`insert into forgotten_links (account_id, user_id, token_hash, created_at, expires_at)
      values (${actor.account_id}, ${userId}, ${hashOf(token)}, ${now}, ${expires_at})
      on conflict (account_id, user_id) do update set token_hash = excluded.token_hash,
        created_at = excluded.created_at, expires_at = excluded.expires_at`
  } else {
    await tx`insert into password_links (account_id, user_id, token_hash, kind, created_at, expires_at)
      values (${actor.account_id}, ${userId}, ${hashOf(token)}, ${kind}, ${now}, ${expires_at})
      on conflict (account_id, user_id) do update set token_hash = excluded.token_hash, kind = excluded.kind,
        created_at = excluded.created_at, expires_at = excluded.expires_at`
  }
  await recordAudit(tx, actor, { action, subject_id: userId })
  return { token, expires_at }
}

export async function endPasswordLinks(tx: TransactionSql, accountId: string, userId: string): Promise<void> {
  await tx`delete from password_links where account_id = ${accountId} and user_id = ${userId}`
  await tx`delete from forgotten_links where account_id = ${accountId} and user_id = ${userId}`
}

/** Returns the URL of the page for a one-time link. */
export const linkUrl = (baseUrl: string, token: string) => `${baseUrl}/join/${token}`

export interface Holder {
  user_id: string
  account_id: string
  kind: LinkKind
  email: string
  name: string
  account: string
  /** Null: the user chose none. */
  language: Language | null
  expires_at: Date
}

/** Returns the user of a link, or null if it was used, replaced or expired, or the user is deactivated. */
export async function findHolder(directory: Sql | TransactionSql, token: string): Promise<Holder | null> {
  const [holder] = await directory<Holder[]>`
    select users.id as user_id, users.account_id, kind, email, users.name, users.language,
      accounts.name as account, expires_at
    from (
      select account_id, user_id, kind, expires_at from password_links where token_hash = ${hashOf(token)}
      union all
      select account_id, user_id, 'reset', expires_at from forgotten_links where token_hash = ${hashOf(token)}
    ) link join users on users.account_id = link.account_id and users.id = user_id
      join accounts on accounts.id = users.account_id
    where expires_at > now() and deactivated_at is null`
  return holder ?? null
}

/** Sets the password and ends both links of the user. Of two requests at once, the second gets null. */
export async function setPasswordByLink(directory: Sql, token: string, password: string): Promise<Holder | null> {
  // Hashing is expensive on purpose, so check the link first.
  const known = await findHolder(directory, token)
  if (!known || known.kind === 'setup') return null
  return directory.begin(await spendLink(token, password, known))
}

/** Returns what sets the password in a transaction. `user`: what the password may not be made of. */
export async function spendLink(
  token: string,
  password: string,
  user: Pick<Holder, 'email' | 'name' | 'account'>,
): Promise<(tx: TransactionSql) => Promise<Holder | null>> {
  const weakness = findWeakness(password, [user.email, user.name, user.account])
  if (weakness) throw invalid(weakness, 'password')
  const hash = await hashPassword(password)
  return async (tx) => {
    const holder = await findHolder(tx, token)
    const used = await tx`delete from password_links where token_hash = ${hashOf(token)}`
    const mailed = await tx`delete from forgotten_links where token_hash = ${hashOf(token)}`
    if (!holder || used.count + mailed.count === 0) return null
    const { account_id, user_id } = holder
    await writePassword(tx, user_id, hash)
    await recordAudit(tx, selfActor(account_id, user_id), { action: 'user.password_set', subject_id: user_id })
    return holder
  }
}

/** Changes the password of a signed-in user, and ends their one-time links. */
export async function changeOwnPassword(directory: Sql, userId: string, hash: string): Promise<void> {
  await directory.begin(async (tx) => {
    const [user] = await tx`select account_id from users where id = ${userId}`
    await writePassword(tx, userId, hash)
    await recordAudit(tx, selfActor(user!.account_id, userId), { action: 'user.password_changed', subject_id: userId })
  })
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
