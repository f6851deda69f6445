import type { CountryCode } from 'libphonenumber-js/max'
import type { Actor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { compareNames } from '../../platform/text/contract.ts'
import type { AccountSettings, Role } from './contract.ts'

export interface User {
  id: string
  email: string
  name: string
  role: Role
  team: string | null
  /** The language of emails and notifications; null is English. */
  language: Language | null
  active: boolean
  /** Null: those of the account. */
  workingHours: WorkingHours | null
  /** Leave and pauses, earliest first. Some may have ended. */
  absences: Absence[]
}

/** A time in which a user gets no new leads by rules. */
export interface Absence {
  id: string
  from: Date
  until: Date
}

/** What users may do in the web app by their role. */
export type Permission = 'delete' | 'export'

/** Days of the week from Monday (1), and minutes of the day, IST. */
export interface WorkingHours {
  days: number[]
  from: number
  until: number
}

/** An account with its users, as every request about its leads needs it. */
export interface Account {
  id: string
  /** Null: it is not suspended. */
  suspendedAt: Date | null
  /** When a suspension ended last. */
  resumedAt: Date | null
  /** A command restores or deletes it. */
  isClosed: boolean
  country: CountryCode
  /** The lowest role that may do this in the web app. */
  lowest_role_to: Record<Permission, Role>
  workingHours: WorkingHours
  /** Working minutes after which an uncalled lead is reported; null if it is not. */
  alertAfter: number | null
  /** Whether the user who answers a call of an unassigned lead becomes its owner. */
  answeringUserOwns: boolean
  /** Whether a user who enters a colleague's customer sees the colleague's name. */
  namesOwner: boolean
  /** Days without a call or a time to call again, after which a lead in Qualified or Proposal is going cold. */
  goingColdAfter: number
  /** Minutes after which a lead that was not reached once is called again. */
  firstRetryAfter: number
  /** Gets the leads of a rule while none of its users is available. */
  fallbackOwner: string | null
  /** How likely leads with an open status are won, in percent. */
  winProbabilities: AccountSettings['win_probabilities']
  /** What a user may choose when a lead is lost. */
  lostReasons: string[]
  /** By name, as lists offer them. */
  users: User[]
}

/** Returns the cached account. It exists: its id came with a key, a webhook or a session. */
export async function findAccount(database: Database, accountId: string): Promise<Account> {
  const account = await database.cache.get(`account:${accountId}`, async () => {
    return { account_id: accountId, value: await readAccount(database, accountId) }
  })
  return account!
}

/** Reads days of the week as they are stored: `12345`. */
export const parseDays = (stored: string): number[] => [...stored].map(Number)

/** Reads the account from the database. */
export async function readAccount(database: Database, accountId: string): Promise<Account> {
  const [row] = await database.lookup`
    select default_country, lowest_role_to_delete, lowest_role_to_export, work_days, work_from, work_until, alert_after,
      answering_user_owns, names_owner, going_cold_after, first_retry_after, fallback_owner, win_probabilities, lost_reasons,
      suspended_at, resumed_at, closed_for is not null as is_closed
    from accounts where id = ${accountId}`
  if (!row) throw new Error(`no account ${accountId}`)
  const users = await database.lookup<StoredUser[]>`
    select id, email, name, role, team, language, deactivated_at is null as active, work_days, work_from, work_until, absences from users
    where account_id = ${accountId} order by created_at, id`
  return {
    id: accountId,
    suspendedAt: row.suspended_at,
    resumedAt: row.resumed_at,
    isClosed: row.is_closed,
    country: row.default_country as CountryCode,
    lowest_role_to: { delete: row.lowest_role_to_delete, export: row.lowest_role_to_export },
    workingHours: { days: parseDays(row.work_days), from: row.work_from, until: row.work_until },
    alertAfter: row.alert_after,
    answeringUserOwns: row.answering_user_owns,
    namesOwner: row.names_owner,
    goingColdAfter: row.going_cold_after,
    firstRetryAfter: row.first_retry_after,
    fallbackOwner: row.fallback_owner,
    winProbabilities: row.win_probabilities,
    lostReasons: row.lost_reasons,
    users: users.map(readUser).sort((one, other) => compareNames(one.name, other.name)),
  }
}

interface StoredUser extends Omit<User, 'workingHours' | 'absences'> {
  work_days: string | null
  work_from: number
  work_until: number
  absences: { id: string; from: string; until: string }[]
}

function readUser({ work_days, work_from: from, work_until: until, absences, ...user }: StoredUser): User {
  return {
    ...user,
    workingHours: work_days === null ? null : { days: parseDays(work_days), from, until },
    absences: absences.map((one) => ({ id: one.id, from: new Date(one.from), until: new Date(one.until) })),
  }
}

/** Returns the owner's name, as a user who does not see the lead may know it. */
export function nameOfHiddenOwner({ namesOwner, users }: Account, assignedTo: string | null): string | null {
  return namesOwner ? (users.find(({ id }) => id === assignedTo)?.name ?? null) : null
}

/** Returns whose leads a user sees (docs/reference/visibility.md). */
export function visibleAssignees(user: Pick<User, 'id' | 'role' | 'team'>, users: User[]): Actor['sees'] {
  if (user.role === 'Admin') return 'all'
  if (user.role === 'Agent' || !user.team) return [user.id]
  const team = users.filter((other) => other.team === user.team).map((other) => other.id)
  return [...new Set([user.id, ...team])]
}

export function activeUserByEmail(account: Account, email: string): User | undefined {
  const wanted = email.trim().toLowerCase()
  return account.users.find((user) => user.active && user.email.toLowerCase() === wanted)
}

/** Resolves the filter by owners: emails of any users, active or not, or `nobody`. An unknown email matches no lead. */
export function findOwners(account: Account, emails: string[]): (User | 'nobody')[] {
  return emails.map((email) => (email === 'nobody' ? email : userByEmail(account, email))).filter((one) => one !== null)
}

/** Active or not. */
export function userByEmail(account: Account, email: string): User | null {
  const wanted = email.toLowerCase()
  return account.users.find((user) => user.email.toLowerCase() === wanted) ?? null
}
