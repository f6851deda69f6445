import { type Command, InvalidArgumentError, Option } from 'commander'
import { accountOf, activePersonByEmail } from '../accounts/people.ts'
import type { Config } from '../config.ts'
import { type Actor, asActor } from '../database/actor.ts'
import { Refusal } from '../http/problem.ts'
import { leadStatuses } from '../leads/contract.ts'
import { type MappedField, mappedFields } from '../webhooks/contract.ts'
import { findDelivery, newestDeliveries } from '../webhooks/deliveries.ts'
import type { MappingEntry } from '../webhooks/map-payload.ts'
import { readBody } from '../webhooks/read-body.ts'
import { replayDelivery } from '../webhooks/replay.ts'
import { createWebhook, listWebhooks, regenerateToken, setEnabled, setMapping } from '../webhooks/store.ts'
import { accountNamed, accountOfWebhook, accountsIn, accountThatHas } from './actors.ts'
import { type Opened, withInstallation } from './open.ts'
import { command, group, list, print, table } from './output.ts'
import { checkedText } from './setup.ts'

const urlOf = (config: Config, token: string) => `${config.baseUrl}/webhook/${token}`

export function webhookCommand(): Command {
  return group('webhook', 'addresses that other platforms send leads to')
    .addCommand(
      command('create', 'make a webhook')
        .requiredOption('--account <name>', 'name of the account')
        .requiredOption('--name <name>', 'what it is for')
        .requiredOption('--source <label>', 'source label')
        .addOption(new Option('--default-status <status>', 'of its leads').choices(leadStatuses).default('New'))
        .option('--default-source <label>', 'where the payload gives none; without it, the source label')
        .option('--default-tags <list>', 'tags for every lead', list)
        .option('--default-assignee <email>', 'where neither the payload nor a distribution rule names anybody')
        .action(async (options) => {
          const made = await withInstallation(async ({ database, config }) => {
            const actor = await accountNamed(database, options.account)
            const email = options.defaultAssignee
            const assignee = email && activePersonByEmail(await accountOf(database, actor.account_id), email)
            if (email && !assignee)
              throw new Error(`--default-assignee: nobody active in this account has the email ${email}.`)
            const webhook = {
              name: checkedText(options.name, '--name'),
              source_label: checkedText(options.source, '--source'),
              default_assignee: assignee ? assignee.id : null,
              default_status: options.defaultStatus,
              default_source: options.defaultSource ? checkedText(options.defaultSource, '--default-source') : null,
              default_tags: ((options.defaultTags ?? []) as string[]).map((tag) => checkedText(tag, '--default-tags')),
            }
            const { id, token } = await asActor(database, actor, (tx) => createWebhook(tx, actor, webhook))
            return { id, url: urlOf(config, token) }
          })
          print(
            options,
            made,
            ({ url }) => `${url}\nPaste this address into the platform. It is the only key: do not publish it.`,
          )
        }),
    )
    .addCommand(
      command('list', 'list webhooks').action(async (options) => {
        const webhooks = await withInstallation(async ({ database, config }) => {
          const all = await accountsIn(database)
          const lists = all.map((actor) => asActor(database, actor, (tx) => listWebhooks(tx, actor.account_id)))
          return (await Promise.all(lists)).flat().map((webhook) => ({
            id: webhook.id,
            name: webhook.name,
            source: webhook.source_label,
            enabled: webhook.enabled,
            url: urlOf(config, webhook.token),
            mapping: webhook.mapping.map(({ path, field }) => `${path}=${field}`),
            proposal: webhook.proposal?.map(({ path, field }) => `${path}=${field}`) ?? [],
          }))
        })
        print(options, webhooks, (rows) => table(rows, 'There are no webhooks yet.'))
      }),
    )
    .addCommand(
      command('enable', 'take deliveries again')
        .argument('<id>')
        .action((id, options) =>
          change(id, options, 'The webhook is enabled.', { id, enabled: true }, async ({ database }, actor) => {
            await asActor(database, actor, (tx) => setEnabled(tx, actor, id, true))
          }),
        ),
    )
    .addCommand(
      command('disable', 'answer deliveries with 403; they are kept and can be replayed')
        .argument('<id>')
        .action((id, options) =>
          change(id, options, 'The webhook is disabled.', { id, enabled: false }, async ({ database }, actor) => {
            await asActor(database, actor, (tx) => setEnabled(tx, actor, id, false))
          }),
        ),
    )
    .addCommand(
      command('regenerate', 'give a webhook a new address; the old one ends at once')
        .argument('<id>')
        .action(async (id, options) => {
          const url = await withInstallation(async ({ database, config }) => {
            const actor = await accountOfWebhook(database, id)
            return urlOf(config, (await asActor(database, actor, (tx) => regenerateToken(tx, actor, id)))!)
          })
          print(
            options,
            { id, url },
            () => `${url}\nPaste this address into the platform; the old one no longer works.`,
          )
        }),
    )
    .addCommand(
      command('map', 'map incoming fields by hand, in place of what was mapped before; without any, all is recognised')
        .argument('<id>')
        .argument(
          '[path=field...]',
          `where the value is and what it is: reach.tel=phone (fields: ${mappedFields.join(', ')})`,
          readMapping,
        )
        .action((id, mapping: MappingEntry[] = [], options) =>
          change(
            id,
            options,
            mapping.length > 0 ? 'The mapping is saved.' : 'The mapping is empty: all fields are recognised.',
            { id, mapping },
            async ({ database }, actor) => {
              await asActor(database, actor, (tx) => setMapping(tx, actor, id, mapping))
            },
          ),
        ),
    )
    .addCommand(
      command('deliveries', 'the newest 100 deliveries')
        .argument('<id>')
        .action(async (id, options) => {
          const deliveries = await withInstallation(async ({ database }) => {
            const actor = await accountOfWebhook(database, id)
            const newest = await asActor(database, actor, (tx) => newestDeliveries(tx, actor.account_id, id, 100))
            return newest.map(({ id, received_at, outcome, lead_id, body, content_type, warnings, error }) => ({
              id,
              received_at,
              outcome,
              lead_id,
              payload: payloadOf(body, content_type),
              warnings,
              error,
            }))
          })
          print(options, deliveries, (rows) =>
            table(
              rows.map(({ payload, warnings, ...row }) => ({ ...row, warnings: warnings.length })),
              'Nothing was delivered yet.',
            ),
          )
        }),
    )
    .addCommand(
      command('replay', 'run a delivery again, as its webhook is set up now')
        .argument('<delivery-id>')
        .action(async (id, options) => {
          const replayed = await withInstallation(async ({ database }) => {
            const found = await accountThatHas(database, (actor) =>
              asActor(database, actor, (tx) =>
                isUuid(id) ? findDelivery(tx, actor.account_id, id) : Promise.resolve(null),
              ),
            )
            if (!found) throw new Error(`There is no delivery with the id ${id}.`)
            const { outcome, lead } = await replayDelivery(database, found.actor, id).catch((error) => {
              throw error instanceof Refusal ? new Error(`Refused again: ${error.message}`) : error
            })
            return { outcome, lead_id: lead.id }
          })
          print(options, replayed, ({ outcome, lead_id }) => `The lead ${lead_id} was ${outcome}.`)
        }),
    )
}

async function change(
  id: string,
  options: { json?: boolean },
  sentence: string,
  value: object,
  work: (opened: Opened, actor: Actor) => Promise<void>,
) {
  await withInstallation(async (opened) => work(opened, await accountOfWebhook(opened.database, id)))
  print(options, value, () => sentence)
}

/** Collects `path=field` arguments; a path may itself hold an equals sign. */
function readMapping(text: string, before: MappingEntry[] = []): MappingEntry[] {
  const at = text.lastIndexOf('=')
  const [path, field] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || !mappedFields.includes(field as MappedField)) {
    throw new InvalidArgumentError(`Write it as path=field, with one of the fields ${mappedFields.join(', ')}.`)
  }
  return [...before, { path, field: field as MappedField }]
}

/** As an object where it can be read as one, else as text. */
function payloadOf(body: Buffer | null, contentType: string | null): unknown {
  if (body === null) return null
  const read = readBody(body, contentType ?? undefined)
  return 'payload' in read ? read.payload : body.toString('utf8')
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
