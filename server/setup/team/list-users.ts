import type { ListedUser, Reassignment } from '../../access/account/contract.ts'
import { findAccount, type User } from '../../access/account/users.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { instantOrNull, instantText } from '../../platform/http/instants.ts'
import { compareNames } from '../../platform/text/contract.ts'
import { toUsers } from './reassign-leads.ts'

interface Row extends User {
  created_at: Date
  last_sign_in_at: Date | null
  has_password: boolean
  two_factor: boolean
  single_sign_on: boolean
  link_expires_at: Date | null
}

/** All users with all fields, for Admins. In two statements: none reads tables of sign-in and account data (docs/reference/sql.md). */
export async function listUsers({ directory }: Database, accountId: string): Promise<ListedUser[]> {
  const [rows, latest] = await Promise.all([
    directory<Row[]>`
      select users.id, email, name, role, team, deactivated_at is null as active, users.created_at,
        sign_ins.at as last_sign_in_at, password is not null as has_password,
        two_factor_enabled as two_factor,
        exists (select from credentials links where links.user_id = users.id and links.provider = 'oidc') as single_sign_on,
        case when expires_at > now() then expires_at end as link_expires_at
      from users left join sign_ins on sign_ins.user_id = users.id
        left join credentials on provider = 'credential' and subject = users.id::text
        left join password_links on password_links.account_id = users.account_id and password_links.user_id = users.id
      where users.account_id = ${accountId} order by lower(name), users.id`,
    directory<(Reassignment & { from_user: string })[]>`
      select distinct on (from_user) from_user, state, total::int, moved::int, ${toUsers(directory)} as to_users, error
      from lead_reassignments where account_id = ${accountId} order by from_user, started_at desc`,
  ])
  const reassignments = new Map(latest.map(({ from_user, ...reassignment }) => [from_user, reassignment]))
  return rows.map((user) => ({
    ...user,
    reassignment: reassignments.get(user.id) ?? null,
    created_at: instantText(user.created_at),
    last_sign_in_at: instantOrNull(user.last_sign_in_at),
    link_expires_at: instantOrNull(user.link_expires_at),
  }))
}

/** The users whose leads the actor sees, for everyone else. */
export async function listVisibleUsers(database: Database, actor: Actor): Promise<ListedUser[]> {
  const { users } = await findAccount(database, actor.account_id)
  return users
    .filter(({ id }) => actor.sees === 'all' || actor.sees.includes(id))
    .map(({ id, email, name, active }) => ({ id, email, name, active }))
    .sort((one, other) => compareNames(one.name, other.name))
}

export async function hasPassword({ directory }: Database, userId: string): Promise<boolean> {
  const rows = await directory`select 1 from credentials where provider = 'credential' and subject = ${userId}`
  return rows.length > 0
}
