import { type Command, InvalidArgumentError } from 'commander'
import { type MappedField, type MappingEntry, mappedFields } from '../../server/intake/payload/contract.ts'
import {
  changedDeliveries,
  countLosses,
  dryRunMapping,
  unknownPaths,
} from '../../server/intake/webhooks/deliveries/dry-run.ts'
import { setMapping, webhookById } from '../../server/intake/webhooks/store.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import { accountOfWebhook } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, print, table } from './output.ts'

const entries = `path of the value and its field: reach.tel=phone; repeat a field for several paths, tried in this order; ignore leaves a value out (fields: ${mappedFields.join(', ')})`

export function mapCommand(): Command {
  return command(
    'map',
    'map incoming fields; replaces the previous mapping; fields that are not mapped, or are missing, are recognised',
  )
    .argument('<id>')
    .argument('[path=field...]', entries, readMapping)
    .action(async (id, mapping: MappingEntry[] = [], options) => {
      const unknown_paths = await withInstallation(async ({ database }) => {
        const actor = await accountOfWebhook(database, id)
        const webhook = await asActor(database, actor, async (tx) => {
          await setMapping(tx, actor, id, mapping)
          return (await webhookById(tx, actor.account_id, id))!
        })
        const newest = await dryRunMapping(database, actor, webhook, { mapping, limit: 50 })
        return unknownPaths(newest, mapping, webhook.known_fields)
      })
      const saved = mapping.length > 0 ? 'The mapping is saved.' : 'The mapping is empty: all fields are recognised.'
      print(options, { id, mapping, unknown_paths }, () =>
        [
          saved,
          ...unknown_paths.map((path) => `Warning: no known delivery has ${path}. Check its spelling and letter case.`),
        ].join('\n'),
      )
    })
}

export function previewCommand(): Command {
  return command('preview', 'show what a mapping would change in the newest 50 deliveries; saves nothing')
    .alias('try')
    .argument('<id>')
    .argument('[path=field...]', entries, readMapping)
    .action(async (id, mapping: MappingEntry[] = [], options) => {
      const deliveries = await withInstallation(async ({ database }) => {
        const actor = await accountOfWebhook(database, id)
        const webhook = (await asActor(database, actor, (tx) => webhookById(tx, actor.account_id, id)))!
        return dryRunMapping(database, actor, webhook, { mapping, limit: 50 })
      })
      print(options, deliveries, (all) => {
        const changed = changedDeliveries(all)
        const { would_be_rejected, would_lose_fields } = countLosses(all)
        const rows = changed.flatMap((delivery) =>
          delivery.changed.map((field) => ({
            delivery: delivery.delivery_id,
            record: delivery.record,
            effect: delivery.would_be_rejected
              ? 'rejected'
              : delivery.loses.some((lost) => lost === field)
                ? 'loses'
                : 'changes',
            field,
            before: delivery.before[field],
            after: delivery.after[field],
          })),
        )
        return [
          `It would change ${changed.length} of the last ${all.length} deliveries.`,
          ...(would_be_rejected > 0 ? [`${would_be_rejected} would be rejected.`] : []),
          ...(would_lose_fields > 0 ? [`${would_lose_fields} would lose a field.`] : []),
          table(rows, ''),
        ]
          .join('\n')
          .trimEnd()
      })
    })
}

/** Collects `path=field` arguments. A path may contain an equals sign. */
function readMapping(text: string, before: MappingEntry[] = []): MappingEntry[] {
  const at = text.lastIndexOf('=')
  const [path, field] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || !mappedFields.includes(field as MappedField)) {
    throw new InvalidArgumentError(`Write it as path=field, with one of the fields ${mappedFields.join(', ')}.`)
  }
  return [...before, { path, field: field as MappedField }]
}
