import { type Command, Option } from 'commander'
import { activeUserByEmail, findAccount } from '../../server/access/account/users.ts'
import type { Config } from '../../server/config.ts'
import { leadStatuses } from '../../server/crm/leads/contract.ts'
import { fieldsSinceTheFirst } from '../../server/intake/payload/compare-fields.ts'
import {
  createWebhook,
  listWebhooks,
  regenerateToken,
  setEnabled,
  webhookById,
} from '../../server/intake/webhooks/store.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import { accountNamed, accountOfWebhook, accountOption, listInAll } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, group, list, print, table } from './output.ts'
import { checkedText } from './setup.ts'
import { deliveriesCommand, replayCommand, replayRejectedCommand } from './webhook-deliveries.ts'
import { mapCommand, previewCommand } from './webhook-mapping.ts'

export function webhookCommand(): Command {
  return group('webhook', 'URLs to which other platforms send leads')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(switchCommand('enable', 'accept deliveries again', true))
    .addCommand(switchCommand('disable', 'reject deliveries with 403; they are saved and can be replayed', false))
    .addCommand(regenerateCommand())
    .addCommand(mapCommand())
    .addCommand(previewCommand())
    .addCommand(deliveriesCommand())
    .addCommand(replayCommand())
    .addCommand(replayRejectedCommand())
}

const urlOf = (config: Config, token: string) => `${config.baseUrl}/webhook/${token}`

function createCommand(): Command {
  return command('create', 'create a webhook')
    .option(...accountOption)
    .requiredOption('--name <name>', 'name of the webhook')
    .requiredOption('--source <label>', 'source label')
    .addOption(new Option('--default-status <status>', 'status of its leads').choices(leadStatuses).default('New'))
    .option('--default-source <label>', 'source if the payload has none; default: the source label')
    .option('--default-tags <list>', 'tags for every lead', list)
    .option('--default-assignee <email>', 'owner if neither the payload nor a distribution rule sets one')
    .action(async (options) => {
      const made = await withInstallation(async ({ database, config }) => {
        const actor = await accountNamed(database, options.account)
        const email = options.defaultAssignee
        const assignee = email && activeUserByEmail(await findAccount(database, actor.account_id), email)
        if (email && !assignee)
          throw new Error(`--default-assignee: no active user of this account has the email ${email}.`)
        const webhook = {
          name: checkedText(options.name, '--name'),
          source_label: checkedText(options.source, '--source'),
          default_assignee: assignee ? assignee.id : null,
          default_status: options.defaultStatus,
          default_source: options.defaultSource ? checkedText(options.defaultSource, '--default-source') : null,
          default_tags: ((options.defaultTags ?? []) as string[]).map((tag) => checkedText(tag, '--default-tags')),
        }
        const { id, token, verify_token } = await asActor(database, actor, (tx) => createWebhook(tx, actor, webhook))
        return { id, url: urlOf(config, token), verify_token }
      })
      print(options, made, ({ url, verify_token }) =>
        [
          url,
          'Paste this URL into the platform. Keep it secret: anyone who has it can send leads.',
          `If the platform asks for a verify token (Meta, WhatsApp): ${verify_token}`,
        ].join('\n'),
      )
    })
}

function listCommand(): Command {
  return command('list', 'list webhooks').action(async (options) => {
    const webhooks = await withInstallation(async ({ database, config }) => {
      return (await listInAll(database, listWebhooks)).map((webhook) => ({
        id: webhook.id,
        name: webhook.name,
        source: webhook.source_label,
        enabled: webhook.enabled,
        url: urlOf(config, webhook.token),
        verify_token: webhook.verify_token,
      }))
    })
    print(options, webhooks, (rows) => table(rows, 'There are no webhooks yet.'))
  })
}

function showCommand(): Command {
  return command('show', 'show a webhook: its mapping, how it read the first delivery, and new fields')
    .argument('<id>')
    .action(async (id, options) => {
      const shown = await withInstallation(async ({ database, config }) => {
        const actor = await accountOfWebhook(database, id)
        const webhook = (await asActor(database, actor, (tx) => webhookById(tx, actor.account_id, id)))!
        const { token, secret_token, ...rest } = webhook
        return { ...rest, url: urlOf(config, token), new_fields: fieldsSinceTheFirst(webhook.known_fields) }
      })
      print(options, shown, ({ name, url, enabled, mapping, proposal, new_fields }) =>
        [
          `${name} (${enabled ? 'enabled' : 'disabled'})`,
          url,
          '',
          'Mapping:',
          table(mapping as never, '  none: all fields are recognised'),
          '',
          'The first delivery was read as:',
          table(
            (proposal ?? []).map(({ field, path, reason, confidence = '' }) => ({ field, path, reason, confidence })),
            '  no delivery yet',
          ),
          ...(new_fields.length > 0 ? ['', 'New fields since then:', table(new_fields, '')] : []),
        ].join('\n'),
      )
    })
}

function switchCommand(name: string, description: string, enabled: boolean): Command {
  return command(name, description)
    .argument('<id>')
    .action(async (id, options) => {
      await withInstallation(async ({ database }) => {
        const actor = await accountOfWebhook(database, id)
        await asActor(database, actor, (tx) => setEnabled(tx, actor, id, enabled))
      })
      print(options, { id, enabled }, () => `The webhook is ${enabled ? 'enabled' : 'disabled'}.`)
    })
}

function regenerateCommand(): Command {
  return command('regenerate', 'regenerate the URL of a webhook; the old URL stops working at once')
    .argument('<id>')
    .action(async (id, options) => {
      const url = await withInstallation(async ({ database, config }) => {
        const actor = await accountOfWebhook(database, id)
        return urlOf(config, (await asActor(database, actor, (tx) => regenerateToken(tx, actor, id)))!)
      })
      print(options, { id, url }, () => `${url}\nPaste this URL into the platform; the old one no longer works.`)
    })
}
