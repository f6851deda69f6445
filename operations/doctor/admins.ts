import { type Check, fine, named, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { quotedForShell } from './restore-advice.ts'

/** Only an Admin can invite users, change roles and settings, and activate another Admin. */
export const admins = ({ database }: Installation): Check => ({
  name: 'admins',
  async run() {
    const { directory } = database.get()
    const without = await directory<{ name: string; email: string | null }[]>`
      select accounts.name, (
        select email from users where account_id = accounts.id and role = 'Admin' order by deactivated_at desc limit 1
      ) as email
      from accounts where not exists (
        select from users where account_id = accounts.id and role = 'Admin' and deactivated_at is null
      ) order by name`
    const lockedOut = await directory<{ email: string }[]>`
      select email from users where two_factor_enabled and deactivated_at is null
        and not exists (select from two_factors where user_id = users.id) order by 1`
    if (without.length === 0 && lockedOut.length > 0) {
      return problem(
        `Two-factor sign-in is on for users who have no second factor: ${named(
          lockedOut.map(({ email }) => email),
          { separator: ', ' },
        )}.`,
        `${named(lockedOut.map(({ email }) => `Run lead-engine user reset-two-factor ${email}`))}.`,
      )
    }
    if (without.length === 0) return fine('Every account has an active Admin, and each user can sign in.')
    return problem(
      `No active Admin: ${named(
        without.map(({ name }) => name),
        { separator: ', ' },
      )}.`,
      named(without.map(({ name, email }) => (email ? `Run lead-engine user activate ${email}` : adding(name)))).concat(
        '.',
      ),
    )
  },
})

const adding = (account: string) =>
  `Run lead-engine user add --account ${quotedForShell(account)} --email EMAIL --name NAME --role admin`
