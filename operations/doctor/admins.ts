import { type Check, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { named } from './whole-tables.ts'

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
    if (without.length === 0) return fine('Every account has an active Admin.')
    return problem(
      `No active Admin: ${named(
        without.map(({ name }) => name),
        ', ',
      )}.`,
      named(without.map(({ name, email }) => (email ? `Run lead-engine user activate ${email}` : adding(name)))).concat(
        '.',
      ),
    )
  },
})

const adding = (account: string) =>
  `Run lead-engine user add --account '${account}' --email EMAIL --name NAME --role admin`
