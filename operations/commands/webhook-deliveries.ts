import type { Command } from 'commander'
import { readBody } from '../../server/intake/payload/read-body.ts'
import type { RecordCounts } from '../../server/intake/webhooks/contract.ts'
import { replayDelivery, replayRejected } from '../../server/intake/webhooks/deliveries/replay.ts'
import { findDelivery, newestDeliveries } from '../../server/intake/webhooks/deliveries/store.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import { accountOfWebhook, accountThatHas } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, print, table } from './output.ts'

export function deliveriesCommand(): Command {
  return command('deliveries', 'the newest 100 deliveries')
    .argument('<id>')
    .action(async (id, options) => {
      const deliveries = await withInstallation(async ({ database }) => {
        const actor = await accountOfWebhook(database, id)
        const newest = await asActor(database, actor, (tx) => newestDeliveries(tx, actor.account_id, id, 100))
        return newest.map(({ body, content_type, ...delivery }) => {
          const { id, received_at, outcome, lead_id, warnings, error, batch_id, record, records } = delivery
          const payload = payloadOf(body, content_type)
          return { id, received_at, outcome, lead_id, payload, warnings, error, batch_id, record, records }
        })
      })
      print(options, deliveries, (all) => {
        const rows = all.map(({ payload, warnings, batch_id, record, records, ...row }) => {
          return { ...row, record: record && `${record}/${records}`, warnings: warnings.length }
        })
        return table(rows, 'There are no deliveries yet.')
      })
    })
}

export function replayCommand(): Command {
  return command('replay', 'replay a delivery with the current settings of its webhook')
    .argument('<delivery-id>')
    .action(async (id, options) => {
      const replayed = await withInstallation(async ({ database }) => {
        const found = await accountThatHas(database, (actor) =>
          asActor(database, actor, async (tx) => (isUuid(id) ? findDelivery(tx, actor.account_id, id) : null)),
        )
        if (!found) throw new Error(`There is no delivery with the id ${id}.`)
        const { outcome, lead_id, error, records } = await replayDelivery(database, found.actor, id)
        if (outcome === 'rejected') throw new Error(`Rejected again: ${error}`)
        return { outcome, lead_id, records }
      })
      print(options, replayed, ({ outcome, lead_id, records }) => {
        if (records) return `Its records: ${countsText(records)}.`
        return lead_id === null ? `It made no lead: ${outcome}.` : `The lead ${lead_id} was ${outcome}.`
      })
    })
}

export function replayRejectedCommand(): Command {
  return command('replay-rejected', 'replay all rejected deliveries of a webhook, oldest first')
    .alias('replay-refused')
    .argument('<id>')
    .action(async (id, options) => {
      const results = await withInstallation(async ({ database }) =>
        replayRejected(database, await accountOfWebhook(database, id), id),
      )
      print(options, results, (all) => {
        const rows = all.map(({ records, ...row }) => ({ ...row, records: records && countsText(records) }))
        return table(rows, 'This webhook has no rejected deliveries.')
      })
    })
}

/** `2 created, 1 rejected` */
function countsText(counts: RecordCounts): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([outcome, count]) => `${count} ${outcome}`).join(', ')
}

/** Returns the parsed payload, or the text if it cannot be parsed. */
function payloadOf(body: Buffer | null, contentType: string | null): unknown {
  if (body === null) return null
  const read = readBody(body, contentType ?? undefined)
  return 'payload' in read ? read.payload : body.toString('utf8')
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
