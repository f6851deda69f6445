import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import { findAccount } from '../../../access/account/users.ts'
import { type Actor, readAsActor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { IdParameter } from '../../../platform/http/contract.ts'
import { allDays, dateWindow } from '../../../platform/http/date-window.ts'
import { instantOrNull, instantText } from '../../../platform/http/instants.ts'
import { forbidden, notFound } from '../../../platform/http/problem.ts'
import { acceptedLanguage } from '../../../platform/languages/translate.ts'
import { DeliveryPreview } from '../../payload/contract.ts'
import { showPayload } from '../../payload/read-payload.ts'
import {
  DeliveryPage,
  DeliveryQuery,
  MappingDryRun,
  MappingToPreview,
  ReplayableCount,
  Replayed,
  ReplayedDeliveries,
  ReplayFilter,
  ReplayRequest,
  ShownDelivery,
  TestDelivery,
} from '../contract.ts'
import { existingWebhook } from '../store.ts'
import type { Delivery } from './delivery.ts'
import { changedDeliveries, countLosses, dryRunMapping } from './dry-run.ts'
import { previewDelivery } from './preview-delivery.ts'
import { processDelivery } from './process-delivery.ts'
import { deliveryReader } from './read-delivery.ts'
import { countReplayable, findWithWebhook, replayDelivery, replaySome } from './replay.ts'
import { maxRead, readSearch } from './search-deliveries.ts'
import { isMoreThanRead, listDeliveries, recordsOfBatch } from './store.ts'

const Preview = Type.Object({ data: DeliveryPreview })

/** The deliveries of webhooks, for Admins. */
export const deliveryRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/webhooks/:id/deliveries',
      { schema: { params: IdParameter, querystring: DeliveryQuery, response: { 200: DeliveryPage } } },
      async ({ webCaller, params: { id }, query }) => {
        const { account_id } = webCaller
        const { limit = 50, search: text, before } = query
        const filter = filterOf(query)
        const { country } = await findAccount(database, account_id)
        const { rows, isBounded } = await readAsActor(database, webCaller, async (tx) => {
          await existingWebhook(tx, account_id, id)
          const search = text === undefined ? null : await readSearch(tx, webCaller, text, country)
          const listed = { ...filter, search, ...(before && { before }), limit: limit + 1 }
          return {
            rows: await listDeliveries(tx, account_id, id, listed),
            isBounded: search !== null && search.id === null && (await isMoreThanRead(tx, account_id, id, filter)),
          }
        })
        const page = rows.slice(0, limit)
        return {
          data: page.map((delivery) => ({ ...delivery, ...timesOf(delivery) })),
          next: rows.length > limit ? page.at(-1)!.id : null,
          searched: isBounded ? maxRead : null,
        }
      },
    )

    app.get(
      '/deliveries/:id',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: ShownDelivery }) } } },
      async ({ webCaller, params: { id } }) => {
        const { delivery } = await deliveryWith(webCaller, id)
        const { body, content_type, batch_id } = delivery
        const batch = batch_id
          ? await readAsActor(database, webCaller, (tx) => recordsOfBatch(tx, webCaller.account_id, batch_id))
          : []
        const payload = body && (await showPayload({ body, content_type }, webCaller.account_id))
        const text = body && payload === null ? body.toString('utf8') : null
        return { data: { ...delivery, ...timesOf(delivery), payload, text, batch, cut: cutOf(delivery) } }
      },
    )

    app.get(
      '/deliveries/:id/preview',
      { schema: { params: IdParameter, response: { 200: Preview } } },
      async ({ webCaller, headers, params: { id } }) => {
        const { delivery, webhook } = await deliveryWith(webCaller, id)
        return {
          data: await previewDelivery(database, webhook, delivery, acceptedLanguage(headers['accept-language'])),
        }
      },
    )

    // Under a mapping that is not saved yet.
    app.post(
      '/deliveries/:id/preview',
      { schema: { params: IdParameter, body: MappingToPreview, response: { 200: Preview } } },
      async ({ webCaller, headers, params: { id }, body: { mapping } }) => {
        const { delivery, webhook } = await deliveryWith(webCaller, id)
        const language = acceptedLanguage(headers['accept-language'])
        return { data: await previewDelivery(database, { ...webhook, mapping }, delivery, language) }
      },
    )

    app.post(
      '/deliveries/:id/replay',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: Replayed }) } } },
      async ({ webCaller, params: { id } }) => ({ data: await replayDelivery(database, webCaller, id) }),
    )

    app.post(
      '/webhooks/:id/dry-run',
      {
        schema: {
          params: IdParameter,
          body: MappingToPreview,
          response: { 200: Type.Object({ data: MappingDryRun }) },
        },
      },
      async ({ webCaller, params: { id }, body: { mapping } }) => {
        const webhook = await readAsActor(database, webCaller, (tx) => existingWebhook(tx, webCaller.account_id, id))
        const tried = await dryRunMapping(database, webCaller, webhook, { mapping, limit: 50 })
        const changed = changedDeliveries(tried)
        const deliveries = changed.map((delivery) => ({ ...delivery, received_at: instantText(delivery.received_at) }))
        return { data: { tried: tried.length, changed: changed.length, ...countLosses(tried), deliveries } }
      },
    )

    app.get(
      '/webhooks/:id/replay',
      {
        schema: {
          params: IdParameter,
          querystring: ReplayFilter,
          response: { 200: Type.Object({ data: ReplayableCount }) },
        },
      },
      async ({ webCaller, params: { id }, query }) => {
        const filter = filterOf(query)
        return readAsActor(database, webCaller, async (tx) => {
          await existingWebhook(tx, webCaller.account_id, id)
          return { data: await countReplayable(tx, webCaller.account_id, id, filter) }
        })
      },
    )

    app.post(
      '/webhooks/:id/replay',
      {
        schema: {
          params: IdParameter,
          body: ReplayRequest,
          response: { 200: Type.Object({ data: ReplayedDeliveries }) },
        },
      },
      async ({ webCaller, params: { id }, body: { after = null, ...query } }) => {
        const filter = filterOf(query)
        await readAsActor(database, webCaller, (tx) => existingWebhook(tx, webCaller.account_id, id))
        return { data: await replaySome(database, webCaller, id, { filter, after }) }
      },
    )

    // Processed like a platform's own test, but it never becomes the proposed mapping.
    app.post(
      '/webhooks/:id/test',
      {
        schema: {
          params: IdParameter,
          body: TestDelivery,
          response: { 201: Type.Object({ data: Type.Object({ delivery_id: Type.String() }) }) },
        },
      },
      async ({ webCaller, params: { id }, body, ip }, reply) => {
        const webhook = await readAsActor(database, webCaller, (tx) => existingWebhook(tx, webCaller.account_id, id))
        if (!webhook.enabled) throw forbidden('WEBHOOK_DISABLED', msg`This webhook is disabled: enable it first.`)
        const { account_id } = webhook
        const delivery = {
          account_id,
          id: randomUUID(),
          webhook_id: id,
          received_at: clock(),
          address: ip,
          content_type: 'application/json',
          body: Buffer.from(JSON.stringify({ ...(body.payload ?? sample), is_test: true })),
        }
        const account = await findAccount(database, account_id)
        const context = {
          database,
          reader: deliveryReader,
          account,
          webhook,
          delivery,
          stage: 'new',
          isOwnTest: true,
        } as const
        const { problem } = await processDelivery(context)
        if (problem) throw problem
        return reply.code(201).send({ data: { delivery_id: delivery.id } })
      },
    )

    const filterOf = ({ outcome, from_date, to_date }: Pick<DeliveryQuery, 'outcome' | 'from_date' | 'to_date'>) => ({
      outcome,
      window:
        from_date || to_date
          ? dateWindow({ ...allDays, ...(from_date && { from_date }), ...(to_date && { to_date }) }, clock())
          : null,
    })

    async function deliveryWith(actor: Actor, id: string) {
      const found = await findWithWebhook(database, actor, id)
      if (!found) throw notFound(msg`There is no such delivery.`)
      return found
    }
  }

const sample = {
  name: 'Asha Rao',
  phone: '+91 98200 11223',
  email: 'asha.rao@example.com',
  city: 'Pune',
  message: 'A test delivery: please call back in the evening.',
}

const cutOf = ({ body_size, body_hash }: Pick<Delivery, 'body_size' | 'body_hash'>) =>
  typeof body_size === 'number' ? { size: body_size, sha256: body_hash?.toString('hex') ?? '' } : null

const timesOf = ({ received_at, replayed_at }: { received_at: Date; replayed_at: Date | null }) => ({
  received_at: instantText(received_at),
  replayed_at: instantOrNull(replayed_at),
})
