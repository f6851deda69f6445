import type { CountryCode } from 'libphonenumber-js/max'
import type { Actor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { Role } from './contract.ts'

export interface Person {
  id: string
  email: string
  name: string
  role: Role
  team: string | null
  active: boolean
}

/** An account with its people, as every request about its leads needs it. */
export interface Account {
  id: string
  country: CountryCode
  people: Person[]
}

/** From memory where it is there. The account exists: its id came with a key, a webhook or a session. */
export async function accountOf(database: Database, accountId: string): Promise<Account> {
  const account = await database.memory.recall(`account:${accountId}`, async () => {
    return { account_id: accountId, value: await readAccount(database, accountId) }
  })
  return account!
}

/** As it stands in the database now. */
export async function readAccount(database: Database, accountId: string): Promise<Account> {
  const [row] = await database.lookup`select default_country from accounts where id = ${accountId}`
  if (!row) throw new Error(`no account ${accountId}`)
  const people = await database.lookup<Person[]>`
    select id, email, name, role, team, deactivated_at is null as active from users where account_id = ${accountId}
    order by created_at, id`
  return { id: accountId, country: row.default_country as CountryCode, people: [...people] }
}

/** Whose leads a person sees: all, those of the same team, or their own. */
export function seenBy(person: Pick<Person, 'id' | 'role' | 'team'>, people: Person[]): Actor['sees'] {
  if (person.role === 'Admin') return 'all'
  if (person.role === 'Agent' || !person.team) return [person.id]
  const team = people.filter((other) => other.team === person.team).map((other) => other.id)
  return [...new Set([person.id, ...team])]
}

export function activePersonByEmail(account: Account, email: string): Person | undefined {
  const wanted = email.trim().toLowerCase()
  return account.people.find((person) => person.active && person.email.toLowerCase() === wanted)
}

/** Whom a list is narrowed to by an email, of whoever is active or not, or by `nobody`; null for an email of no one. */
export function assigneeNamed(account: Account, assigned_to: string | undefined): Person | 'nobody' | null | undefined {
  if (assigned_to === undefined || assigned_to === 'nobody') return assigned_to
  const wanted = assigned_to.toLowerCase()
  return account.people.find((person) => person.email.toLowerCase() === wanted) ?? null
}
