import type { Command } from 'commander'
import { asActor } from '../database/actor.ts'
import { readBody } from '../payload/read-body.ts'
import { replayOne, replayRefused } from '../webhooks/deliveries/replay.ts'
import { findDelivery, newestDeliveries } from '../webhooks/deliveries/store.ts'
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
        return newest.map(({ id, received_at, outcome, lead_id, body, content_type, warnings, error }) => {
          const payload = payloadOf(body, content_type)
          return { id, received_at, outcome, lead_id, payload, warnings, error }
        })
      })
      print(options, deliveries, (all) => {
        const rows = all.map(({ payload, warnings, ...row }) => ({ ...row, warnings: warnings.length }))
        return table(rows, 'Nothing was delivered yet.')
      })
    })
}

export function replayCommand(): Command {
  return command('replay', 'run a delivery again, as its webhook is set up now')
    .argument('<delivery-id>')
    .action(async (id, options) => {
      const replayed = await withInstallation(async ({ database }) => {
        const found = await accountThatHas(database, (actor) =>
          asActor(database, actor, async (tx) => (isUuid(id) ? findDelivery(tx, actor.account_id, id) : null)),
        )
        if (!found) throw new Error(`There is no delivery with the id ${id}.`)
        const { outcome, lead_id, error } = await replayOne(database, found.actor, id)
        if (outcome === 'rejected') throw new Error(`Rejected again: ${error}`)
        return { outcome, lead_id }
      })
      print(options, replayed, ({ outcome, lead_id }) =>
        lead_id === null ? `It made no lead: ${outcome}.` : `The lead ${lead_id} was ${outcome}.`,
      )
    })
}

export function replayRefusedCommand(): Command {
  return command('replay-rejected', 'run all rejected deliveries of a webhook again, oldest first')
    .alias('replay-refused')
    .argument('<id>')
    .action(async (id, options) => {
      const results = await withInstallation(async ({ database }) =>
        replayRefused(database, await accountOfWebhook(database, id), id),
      )
      print(options, results, (rows) => table(rows as never, 'This webhook has no rejected deliveries.'))
    })
}

/** As an object where it can be read as one, else as text. */
function payloadOf(body: Buffer | null, contentType: string | null): unknown {
  if (body === null) return null
  const read = readBody(body, contentType ?? undefined)
  return 'payload' in read ? read.payload : body.toString('utf8')
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
