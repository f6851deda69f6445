import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Actor, readAsActor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import { IdParameter } from '../../http/contract.ts'
import { instantOrNull, instantText } from '../../http/instants.ts'
import { notFound } from '../../http/problem.ts'
import { DeliveryPreview } from '../../payload/contract.ts'
import { showPayload } from '../../payload/read-payload.ts'
import { DeliveryPage, DeliveryQuery, MappingToPreview, Replayed, ShownDelivery } from '../contract.ts'
import { webhookById } from '../store.ts'
import type { Delivery } from './delivery.ts'
import { previewDelivery } from './preview-delivery.ts'
import { replayOne } from './replay.ts'
import { findDelivery, listDeliveries, recordsOfBatch } from './store.ts'

const Preview = Type.Object({ data: DeliveryPreview })

/** The deliveries of webhooks, for Admins. */
export const deliveryRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/webhooks/:id/deliveries',
      { schema: { params: IdParameter, querystring: DeliveryQuery, response: { 200: DeliveryPage } } },
      async ({ webCaller, params: { id }, query }) => {
        const { limit = 50 } = query
        const rows = await readAsActor(database, webCaller, async (tx) => {
          if (!(await webhookById(tx, webCaller.account_id, id))) throw notFound('There is no such webhook.')
          return listDeliveries(tx, webCaller.account_id, id, { ...query, limit: limit + 1 })
        })
        const page = rows.slice(0, limit)
        return {
          data: page.map((delivery) => ({ ...delivery, ...timesOf(delivery) })),
          next: rows.length > limit ? page.at(-1)!.id : null,
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
      '/deliveries/:id/reading',
      { schema: { params: IdParameter, response: { 200: Preview } } },
      async ({ webCaller, params: { id } }) => {
        const { delivery, webhook } = await deliveryWith(webCaller, id)
        return { data: await previewDelivery(database, webhook, delivery) }
      },
    )

    // Under a mapping that is not saved yet.
    app.post(
      '/deliveries/:id/reading',
      { schema: { params: IdParameter, body: MappingToPreview, response: { 200: Preview } } },
      async ({ webCaller, params: { id }, body: { mapping } }) => {
        const { delivery, webhook } = await deliveryWith(webCaller, id)
        return { data: await previewDelivery(database, { ...webhook, mapping }, delivery) }
      },
    )

    app.post(
      '/deliveries/:id/replay',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: Replayed }) } } },
      async ({ webCaller, params: { id } }) => ({ data: await replayOne(database, webCaller, id) }),
    )

    function deliveryWith(actor: Actor, id: string) {
      return readAsActor(database, actor, async (tx) => {
        const delivery = await findDelivery(tx, actor.account_id, id)
        const webhook = delivery && (await webhookById(tx, actor.account_id, delivery.webhook_id))
        if (!delivery || !webhook) throw notFound('There is no such delivery.')
        return { delivery, webhook }
      })
    }
  }

const cutOf = ({ body_size, body_hash }: Pick<Delivery, 'body_size' | 'body_hash'>) =>
  typeof body_size === 'number' ? { size: body_size, sha256: body_hash?.toString('hex') ?? '' } : null

const timesOf = ({ received_at, replayed_at }: { received_at: Date; replayed_at: Date | null }) => ({
  received_at: instantText(received_at),
  replayed_at: instantOrNull(replayed_at),
})
