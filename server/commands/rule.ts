import { type Command, InvalidArgumentError } from 'commander'
import { type Account, activeUserByEmail, findAccount } from '../account/users.ts'
import { asActor } from '../database/actor.ts'
import { readRules } from '../distribution/read-rules.ts'
import { addRule, moveRule, removeRule } from '../distribution/store.ts'
import { accountNamed, accountThatHas } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, group, list, print, table } from './output.ts'
import { checkedText } from './setup.ts'

export function ruleCommand(): Command {
  return group('rule', 'distribution rules: assign new leads that have no owner')
    .addCommand(
      command('add', 'add a rule; the first rule that matches a lead applies')
        .requiredOption('--account <name>', 'name of the account')
        .requiredOption('--name <name>', 'name of the rule')
        .requiredOption(
          '--to <list>',
          'emails of the assignees (round robin), with weights: a@x.in:2,b@x.in',
          readPeople,
        )
        .option('--sources <list>', 'only leads of these sources', list, [])
        .option('--cities <list>', 'only leads of these cities', list, [])
        .option('--tags <list>', 'only leads with one of these tags', list, [])
        .option('--webhooks <list>', 'only leads of the webhooks with these ids', list, [])
        .option('--position <n>', 'position among the rules, from 1; default: last', readPosition)
        .action(async (options) => {
          const added = await withInstallation(async ({ database }) => {
            const actor = await accountNamed(database, options.account)
            const account = await findAccount(database, actor.account_id)
            const { sources, cities, tags } = options
            const known = await database.directory`select id from webhooks where account_id = ${actor.account_id}`
            for (const id of options.webhooks as string[]) {
              if (!known.some((webhook) => webhook.id === id))
                throw new Error(`--webhooks: this account has no webhook ${id}.`)
            }
            const people = (options.to as Wanted[]).map((wanted) => userIn(account, wanted))
            const rule = {
              name: checkedText(options.name, '--name'),
              sources,
              cities,
              tags,
              webhook_ids: options.webhooks,
              people,
            }
            return asActor(database, actor, (tx) => addRule(tx, actor, rule, options.position ?? null))
          })
          print(options, { id: added }, ({ id }) => `The rule is added. Its id is ${id}.`)
        }),
    )
    .addCommand(
      command('list', 'list the rules in their order')
        .requiredOption('--account <name>', 'name of the account')
        .action(async (options) => {
          const rules = await withInstallation(async ({ database }) => {
            const actor = await accountNamed(database, options.account)
            const { users } = await findAccount(database, actor.account_id)
            const emailOf = (id: string) => users.find((user) => user.id === id)?.email ?? id
            const rules = await asActor(database, actor, (tx) => readRules(tx, actor.account_id))
            return rules.map(({ people, ...rule }) => ({
              ...rule,
              to: people.map((one) => `${emailOf(one.user_id)}:${one.weight}`),
            }))
          })
          print(options, rules, (rows) =>
            table(rows, 'There are no rules: a new lead gets its sender as owner, or the default of its webhook.'),
          )
        }),
    )
    .addCommand(
      command('move', 'move a rule to another position')
        .argument('<id>')
        .argument('<position>', 'from 1', readPosition)
        .action(async (id, position, options) => {
          const moved = await withInstallation(({ database }) =>
            accountThatHas(database, (actor) =>
              asActor(database, actor, async (tx) => ((await moveRule(tx, actor, id, position)) ? true : null)),
            ),
          )
          if (!moved) throw noRule(id)
          print(options, { id, position }, () => `The rule is at position ${position}.`)
        }),
    )
    .addCommand(
      command('remove', 'remove a rule')
        .argument('<id>')
        .action(async (id, options) => {
          const removed = await withInstallation(({ database }) =>
            accountThatHas(database, (actor) =>
              asActor(database, actor, async (tx) => ((await removeRule(tx, actor, id)) ? true : null)),
            ),
          )
          if (!removed) throw noRule(id)
          print(options, { id, removed: true }, () => 'The rule is removed.')
        }),
    )
}

interface Wanted {
  email: string
  weight: number
}

function readPeople(text: string): Wanted[] {
  return list(text).map((entry) => {
    const [email = '', weight = '1', ...rest] = entry.split(':')
    if (rest.length > 0 || !/^[1-9]\d{0,2}$/.test(weight)) {
      throw new InvalidArgumentError(`"${entry}" is not an email with a weight from 1 to 999, such as asha@x.in:2.`)
    }
    return { email, weight: Number(weight) }
  })
}

function readPosition(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1.')
  return Number(text)
}

function userIn(account: Account, { email, weight }: Wanted) {
  const user = activeUserByEmail(account, email)
  if (!user) throw new Error(`--to: no active user of this account has the email ${email}.`)
  return { user_id: user.id, weight }
}

const noRule = (id: string) =>
  new Error(`There is no rule with the id ${id}. List them with: lead-engine rule list --account …`)
