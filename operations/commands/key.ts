import { type Command, InvalidArgumentError } from 'commander'
import { type Permission, permissions } from '../../server/access/api-keys/contract.ts'
import { createKey, listKeys, regenerateKey, revokeKey } from '../../server/access/api-keys/store.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import { parseIpList, splitEntries } from '../../server/platform/http/ip-list.ts'
import { accountOfKey, listInAll, userWith } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, group, list, print, table } from './output.ts'
import { checkedText } from './setup.ts'

export function keyCommand(): Command {
  return group('key', 'API keys')
    .addCommand(
      command('create', 'create an API key; its value is shown only once')
        .requiredOption('--user <email>', 'the user that the key acts as')
        .requiredOption('--name <name>', 'name of the key')
        .requiredOption('--permissions <list>', 'read, write and/or delete, separated by commas', readPermissions)
        .option(
          '--ip-whitelist <list>',
          'IP addresses and CIDR ranges that may use the key; default: any',
          readWhitelist,
        )
        .action(async (options) => {
          const made = await withInstallation(async ({ database }) => {
            const { actor, id: user_id } = await userWith(database, options.user)
            const key = {
              user_id,
              name: checkedText(options.name, '--name'),
              permissions: options.permissions as Permission[],
            }
            return asActor(database, actor, (tx) =>
              createKey(tx, actor, { ...key, ip_whitelist: options.ipWhitelist ?? [] }),
            )
          })
          print(
            options,
            { id: made.id, key: made.secret },
            ({ id, key }) => `${key}\nSave it now: it is not shown again. Its id is ${id}.`,
          )
        }),
    )
    .addCommand(
      command('list', 'list API keys').action(async (options) => {
        const keys = await withInstallation(({ database }) => listInAll(database, listKeys))
        const shown = keys.map(({ user, last_use, ...key }) => ({
          ...key,
          user: user.email,
          last_use: last_use?.at ?? null,
        }))
        print(options, shown, (rows) => table(rows as never, 'There are no API keys yet.'))
      }),
    )
    .addCommand(
      command('regenerate', 'give a key a new value; the old value stops working at once')
        .argument('<id>')
        .action(async (id, options) => {
          const key = await withInstallation(async ({ database }) => {
            const actor = await accountOfKey(database, id)
            return asActor(database, actor, (tx) => regenerateKey(tx, actor, id))
          })
          if (key === null) throw new Error('This key is revoked. Create a new one with: lead-engine key create …')
          print(
            options,
            { id, key },
            () => `${key}\nSave it now: it is not shown again. The old value no longer works.`,
          )
        }),
    )
    .addCommand(
      command('revoke', 'revoke a key permanently')
        .argument('<id>')
        .action(async (id, options) => {
          const revoked = await withInstallation(async ({ database }) => {
            const actor = await accountOfKey(database, id)
            return asActor(database, actor, (tx) => revokeKey(tx, actor, id))
          })
          print(options, { id, revoked: true }, () =>
            revoked ? 'The key is revoked.' : 'The key was revoked already.',
          )
        }),
    )
}

function readPermissions(text: string): Permission[] {
  const named = list(text.toLowerCase())
  const unknown = named.find((name) => !permissions.includes(name as Permission))
  if (unknown) throw new InvalidArgumentError(`"${unknown}" is not one of read, write, delete.`)
  if (named.length === 0) throw new InvalidArgumentError('Name at least one of read, write, delete.')
  return permissions.filter((permission) => named.includes(permission))
}

function readWhitelist(text: string): string[] {
  try {
    parseIpList(text)
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
  return splitEntries(text)
}
