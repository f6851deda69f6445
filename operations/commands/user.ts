import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Role, roles } from '../../server/access/account/contract.ts'
import { linkUrl, makePasswordLink } from '../../server/access/sign-in/password-links.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import { instantText } from '../../server/platform/http/instants.ts'
import { activateUser, deactivateUser, lockUser } from '../../server/setup/team/change-user.ts'
import { findReassignment, runReassignment } from '../../server/setup/team/reassign-leads.ts'
import { accountNamed, accountOption, userWith } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, group, print, table } from './output.ts'
import { noProgress, showProgress } from './progress.ts'
import { addPerson, givePassword } from './setup.ts'

const roleOf: Record<string, Role | undefined> = Object.fromEntries(roles.map((role) => [role.toLowerCase(), role]))

export function userCommand(): Command {
  return group('user', 'the users of an account')
    .addCommand(
      command('add', 'add a user')
        .option(...accountOption)
        .requiredOption('--email <email>', 'their email')
        .requiredOption('--name <name>', 'their name')
        .addOption(
          new Option('--role <role>', 'role of the user')
            .choices(Object.keys(roleOf))
            .argParser(readRole)
            .makeOptionMandatory(),
        )
        .option('--team <team>', 'their team; a Manager sees the leads of the same team')
        .action(async (options) => {
          const added = await withInstallation(async ({ database }) => {
            const actor = await accountNamed(database, options.account)
            const { email, name, role, team = null } = options
            return addPerson(database, actor, { email, name, role, team })
          })
          print(
            options,
            added,
            ({ email, password }) => `${options.name} can sign in.\n  Email:    ${email}\n  Password: ${password}`,
          )
        }),
    )
    .addCommand(
      command('list', 'list users')
        .option('--account <name>', 'only those of this account')
        .action(async (options) => {
          const users = await withInstallation(async ({ database }) => {
            const account = options.account === undefined ? null : await accountNamed(database, options.account)
            return database.directory`
              select users.id, accounts.name as account, email, users.name, role, team, deactivated_at is null as active
              from users join accounts on accounts.id = users.account_id
              where ${account?.account_id ?? null}::uuid is null or users.account_id = ${account?.account_id ?? null}::uuid
              order by accounts.name, users.name, users.id`
          })
          print(options, [...users], (rows) =>
            table(rows, 'There are no users yet. Create the first with: lead-engine setup …'),
          )
        }),
    )
    .addCommand(
      command('deactivate', 'deactivate a user: they cannot sign in, and their API keys get 401')
        .argument('<email>')
        .option(
          '--reassign-to <emails>',
          'new owners of their open leads, separated by commas; default: the leads stay',
        )
        .option('--with-closed', 'reassign won and lost leads, too')
        .action(deactivate),
    )
    .addCommand(command('activate', 'activate a deactivated user').argument('<email>').action(activate))
    .addCommand(
      command('reset-password', 'give a user a new password and end their sessions')
        .argument('<email>')
        .action(async (email, options) => {
          const reset = await withInstallation(async ({ database }) => {
            const user = await userWith(database, email)
            return { id: user.id, email, password: await givePassword(database, user.id) }
          })
          print(options, reset, ({ password }) => `New password of ${email}: ${password}`)
        }),
    )
    .addCommand(
      command('password-link', 'print a one-time link with which a user chooses a password')
        .argument('<email>')
        .action(async (email, options) => {
          const made = await withInstallation(async ({ database, config }) => {
            const { actor, id, active } = await personInAccount(database, email)
            if (!active)
              throw new Error(`${email} is deactivated. Activate them first: lead-engine user activate ${email}`)
            const { token, expires_at } = await asActor(database, actor, (tx) =>
              makePasswordLink(tx, actor, id, 'reset'),
            )
            return { id, email, link: linkUrl(config.baseUrl, token), expires_at: instantText(expires_at) }
          })
          print(
            options,
            made,
            ({ link, expires_at }) =>
              `${link}\nWith this link ${email} chooses a new password. It works once, until ${expires_at}.`,
          )
        }),
    )
    .addCommand(
      command('reset-two-factor', 'turn off two-factor for a user who lost their phone, and end their sessions')
        .argument('<email>')
        .action(async (email, options) => {
          // The library takes long to load, so other commands do not load it.
          const { resetTwoFactor } = await import('../../server/access/sign-in/two-factor.ts')
          const reset = await withInstallation(async ({ database }) => {
            const { actor, id } = await userWith(database, email)
            return { id, email, changed: await resetTwoFactor(database.directory, actor, id) }
          })
          print(options, reset, ({ changed }) =>
            changed ? `${email} now signs in with the password only.` : `${email} has no two-factor.`,
          )
        }),
    )
}

/** In any letter case: the documentation writes Agent, and examples agent. */
function readRole(text: string): Role {
  const role = roleOf[text.trim().toLowerCase()]
  if (!role) throw new InvalidArgumentError(`Allowed choices are ${Object.keys(roleOf).join(', ')}.`)
  return role
}

interface DeactivateOptions {
  json?: boolean
  reassignTo?: string
  withClosed?: boolean
}

async function deactivate(email: string, options: DeactivateOptions) {
  const { reassignTo, withClosed = false } = options
  const changed = await withInstallation(async ({ database }) => {
    const { actor, id, active } = await personInAccount(database, email)
    if (!active && reassignTo === undefined) return { id, email, active: false, changed: false }
    const to: string[] | undefined = reassignTo === undefined ? undefined : []
    for (const owner of reassignTo?.split(',') ?? []) to!.push((await userWith(database, owner.trim())).id)
    const job = await deactivateUser(database, actor, id, { to, withClosed })
    const moved =
      job === null ? {} : { leads_reassigned: await reassignLeads(database, actor.account_id, job, options) }
    return { id, email, active: false, changed: active, ...moved }
  })
  print(options, changed, ({ leads_reassigned: moved }) => {
    const reassigned =
      moved === undefined ? '' : ` Leads reassigned to ${reassignTo}: ${moved.toLocaleString('en-IN')}.`
    return `${email} ${changed.changed ? 'is now' : 'was already'} deactivated.${reassigned}`
  })
}

async function activate(email: string, options: { json?: boolean }) {
  const changed = await withInstallation(async ({ database }) => {
    const { actor, id, active } = await personInAccount(database, email)
    if (!active) await activateUser(database, actor, id)
    return { id, email, active: true, changed: !active }
  })
  print(options, changed, () => `${email} ${changed.changed ? 'is now' : 'was already'} active.`)
}

async function personInAccount(database: Database, email: string) {
  const { actor, id } = await userWith(database, email)
  const { active } = await asActor(database, actor, (tx) => lockUser(tx, actor.account_id, id))
  return { actor, id, active }
}

/** Waits until all leads are reassigned, by this process or by the service. Returns how many. */
async function reassignLeads(database: Database, accountId: string, job: string, { json }: { json?: boolean }) {
  const { total } = await findReassignment(database, accountId, job)
  const progress = json ? noProgress : showProgress(total, 'leads')
  try {
    for (let done = 0; ; await pause(200)) {
      await runReassignment(database, accountId, job, (moved) => {
        done += moved
        progress.at(done)
      })
      const { state, moved, error } = await findReassignment(database, accountId, job)
      if (state === 'done') return moved
      if (state === 'stopped') throw new Error(`Reassigning stopped after ${moved} of ${total} leads: ${error}`)
      done = moved
      progress.at(done)
    }
  } finally {
    progress.end()
  }
}
