import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { Role } from '../../server/access/account/contract.ts'
import { createAccount, createUser } from '../../server/access/account/store.ts'
import { isUserEmail, userEmailFormat } from '../../server/access/account/user-email.ts'
import { permissions } from '../../server/access/api-keys/contract.ts'
import { createKey } from '../../server/access/api-keys/store.ts'
import { setPassword } from '../../server/access/sign-in/credentials.ts'
import { generatePassword } from '../../server/access/sign-in/password.ts'
import { type Actor, accountActor, asActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import { isConflict } from '../../server/platform/database/errors.ts'
import { hasVisibleText } from '../../server/platform/http/visible-text.ts'
import { translate } from '../../server/platform/languages/translate.ts'
import { withInstallation } from './open.ts'
import { command, print } from './output.ts'

export function setupCommand(): Command {
  return command('setup', 'create an account with its first Admin and an API key')
    .requiredOption('--account <name>', 'company name, shown to the team, in invitations and in quick replies')
    .requiredOption('--email <email>', "the Admin's email")
    .requiredOption('--name <name>', "the Admin's name")
    .action(async (options) => {
      const made = await withInstallation(({ database }) => setUp(database, options), { migrates: 'empty' })
      print(options, made, ({ user, api_key }) =>
        [
          `Account "${options.account}" is set up.`,
          `  Sign in:  ${user.email}`,
          `  Password: ${user.password}`,
          `  API key:  ${api_key}`,
        ].join('\n'),
      )
    })
}

export async function setUp(database: Database, names: Names) {
  const { account_id, user, api_key } = await makeAccount(database, names)
  return { account_id, user: { ...user, password: await givePassword(database, user.id) }, api_key: api_key! }
}

interface Names {
  account: string
  email: string
  name: string
}

/** Creates an account and its first Admin, who has no password yet, and an API key if it is wanted. */
export async function makeAccount(database: Database, { account, email, name }: Names, { withKey = true } = {}) {
  const actor = accountActor(randomUUID())
  const user = checkedUser({ email, name, role: 'Admin', team: null })
  const { id, key } = await asActor(database, actor, async (tx) => {
    await createAccount(tx, actor, checkedText(account, '--account'))
    const id = await createUser(tx, actor, user)
    const wanted = { user_id: id, name: 'First key', permissions: [...permissions], ip_whitelist: [] }
    return { id, key: withKey ? await createKey(tx, actor, wanted) : null }
  }).catch(async (error) => {
    if (!isConflict(error)) throw error
    const [taken] = await database.directory`select 1 from users where lower(email) = ${user.email.toLowerCase()}`
    throw new Error(
      taken ? `Another user already has the email ${user.email}.` : `There is already an account named "${account}".`,
    )
  })
  return { account_id: actor.account_id, user: { id, email: user.email }, api_key: key?.secret ?? null }
}

export async function addPerson(
  database: Database,
  actor: Actor,
  user: { email: string; name: string; role: Role; team: string | null },
) {
  const checked = checkedUser(user)
  const id = await asActor(database, actor, (tx) => createUser(tx, actor, checked)).catch((error) => {
    throw isConflict(error) ? new Error(`Another user already has the email ${checked.email}.`) : error
  })
  return { id, email: checked.email, password: await givePassword(database, id) }
}

/** Sets a generated password, and ends the user's sessions and one-time links. */
export async function givePassword(database: Database, userId: string): Promise<string> {
  const password = generatePassword()
  await setPassword(database.directory, userId, password)
  return password
}

function checkedUser(user: { email: string; name: string; role: Role; team: string | null }) {
  const email = user.email.trim()
  if (!isUserEmail(email)) throw new Error(`--email: ${translate(userEmailFormat.message(`"${user.email}"`))}`)
  return { ...user, email, name: checkedText(user.name, '--name'), team: user.team?.trim() || null }
}

export function checkedText(text: string, option: string): string {
  const trimmed = text.trim()
  if (!hasVisibleText(trimmed) || trimmed.length > 200 || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202d\u202e]/u.test(trimmed)) {
    throw new Error(`${option} must be 1 to 200 characters on one line, at least one of them visible.`)
  }
  return trimmed
}
