import { type Command, InvalidArgumentError } from 'commander'
import { type Account, activeUserByEmail, findAccount } from '../../server/access/account/users.ts'
import type { AnswerCondition } from '../../server/crm/distribution/choose-assignee.ts'
import { readRules } from '../../server/crm/distribution/read-rules.ts'
import { addRule, changeRule, moveRule, removeRule } from '../../server/crm/distribution/store.ts'
import { type Actor, asActor } from '../../server/platform/database/actor.ts'
import type { TransactionSql } from '../../server/platform/database/sql.ts'
import { accountNamed, accountOption, accountThatHas } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, group, list, print, table } from './output.ts'
import { checkedText } from './setup.ts'

export function ruleCommand(): Command {
  return group('rule', 'distribution rules: assign new leads that have no owner')
    .addCommand(
      command('add', 'add a rule; the first rule that matches a lead applies')
        .option(...accountOption)
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
        .option('--products <list>', 'only leads that ask for these products', list, [])
        .option('--campaigns <list>', 'only leads of these campaigns', list, [])
        .option('--forms <list>', 'only leads of these forms', list, [])
        .option(
          '--answer <question=answer>',
          'only leads with this answer; repeat it for further answers, of which one is enough, and for further questions',
          readAnswer,
          [],
        )
        .option('--first-to-claim', 'offer a lead to all of them: the first to claim it owns it. Needs --pass-on-after')
        .option(
          '--pass-on-after <minutes>',
          'working minutes after which an untouched or unclaimed lead passes on',
          wholeNumber(480),
        )
        .option('--daily-limit <n>', 'at most so many leads per user and day, IST; default: no limit', wholeNumber(999))
        .option('--position <n>', 'position among the rules, from 1; default: last', wholeNumber(999_999))
        .action(async (options) => {
          if (options.firstToClaim && options.passOnAfter === undefined)
            throw new Error(
              '--first-to-claim needs --pass-on-after, the minutes after which an unclaimed lead passes on.',
            )
          const added = await withInstallation(async ({ database }) => {
            const actor = await accountNamed(database, options.account)
            const account = await findAccount(database, actor.account_id)
            const { sources, cities, tags, products, campaigns, forms, answer: answers } = options
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
              products,
              campaigns,
              forms,
              answers,
              people,
              method: options.firstToClaim ? ('first_to_claim' as const) : ('round_robin' as const),
              pass_on_after: options.passOnAfter ?? null,
              daily_limit: options.dailyLimit ?? null,
            }
            return asActor(database, actor, (tx) => addRule(tx, actor, rule, options.position ?? null))
          })
          print(options, { id: added }, ({ id }) => `The rule is added. Its id is ${id}.`)
        }),
    )
    .addCommand(
      command('list', 'list the rules in their order')
        .option(...accountOption)
        .action(async (options) => {
          const rules = await withInstallation(async ({ database }) => {
            const actor = await accountNamed(database, options.account)
            const { users } = await findAccount(database, actor.account_id)
            const emailOf = (id: string) => users.find((user) => user.id === id)?.email ?? id
            const rules = await asActor(database, actor, (tx) => readRules(tx, actor.account_id))
            return rules.map(({ people, answers, ...rule }) => ({
              ...rule,
              answers: answers.flatMap((one) => one.answers.map((answer) => `${one.question}=${answer}`)),
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
        .argument('<position>', 'from 1', wholeNumber(999_999))
        .action(async (id, position, options) => {
          await onRule(id, (tx, actor) => moveRule(tx, actor, id, position))
          print(options, { id, position }, () => `The rule is at position ${position}.`)
        }),
    )
    .addCommand(pauseCommand('pause', 'skip a rule until it is resumed', true))
    .addCommand(pauseCommand('resume', 'apply a paused rule again', false))
    .addCommand(
      command('remove', 'remove a rule')
        .argument('<id>')
        .action(async (id, options) => {
          await onRule(id, (tx, actor) => removeRule(tx, actor, id))
          print(options, { id, removed: true }, () => 'The rule is removed.')
        }),
    )
}

function pauseCommand(name: string, description: string, paused: boolean): Command {
  return command(name, description)
    .argument('<id>')
    .action(async (id, options) => {
      await onRule(id, (tx, actor) => changeRule(tx, actor, id, { paused }))
      print(options, { id, paused }, () => (paused ? 'The rule is paused.' : 'The rule applies again.'))
    })
}

/** Changes a rule of any account. `change` returns whether the account has it. */
const onRule = (id: string, change: (tx: TransactionSql, actor: Actor) => Promise<boolean>) =>
  withInstallation(async ({ database }) => {
    const changed = await accountThatHas(database, (actor) =>
      asActor(database, actor, async (tx) => ((await change(tx, actor)) ? true : null)),
    )
    if (!changed)
      throw new Error(`There is no rule with the id ${id}. List them with: lead-engine rule list --account …`)
  })

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

/** Adds an answer to those of its question. */
function readAnswer(text: string, conditions: AnswerCondition[]): AnswerCondition[] {
  const at = text.lastIndexOf('=')
  const [question, answer] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 0 || !question || !answer)
    throw new InvalidArgumentError(`"${text}" is not a question with an answer, such as "Budget=60 lakh".`)
  const known = conditions.find((one) => one.question === question)
  if (!known) return [...conditions, { question, answers: [answer] }]
  return conditions.map((one) => (one === known ? { question, answers: [...one.answers, answer] } : one))
}

const wholeNumber = (max: number) => (text: string) => {
  const number = Number(text)
  if (!/^[1-9]\d{0,5}$/.test(text) || number > max) {
    throw new InvalidArgumentError(`Write a whole number from 1 to ${max}.`)
  }
  return number
}

function userIn(account: Account, { email, weight }: Wanted) {
  const user = activeUserByEmail(account, email)
  if (!user) throw new Error(`--to: no active user of this account has the email ${email}.`)
  return { user_id: user.id, weight }
}
