import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../database/connect.ts'
import { Nullable, Problem, Uuid } from '../../http/contract.ts'
import { forbidden, type HttpProblem, notFound, rateLimited } from '../../http/problem.ts'
import type { RateLimit } from '../../http/rate-limit.ts'
import { webhookFinder } from '../find-webhook.ts'
import type { Webhook } from '../store.ts'
import { sendChallenge, verifiedChallenge } from './handshake.ts'
import { type Body, readBytes } from './read-bytes.ts'
import type { Storage } from './storage-quota.ts'
import type { Delivery } from './store.ts'
import { refuseDelivery, takeDelivery } from './take-delivery.ts'

const Received = Type.Object({
  data: Type.Object({
    id: Nullable(Uuid('The lead; null where none was made.')),
    status: Type.Enum(['created', 'merged', 'duplicate', 'ignored', 'test', 'ready'], {
      description:
        'duplicate: the platform repeated a delivery, and nothing was done. ignored: an event without any lead field, ' +
        'kept. test: a test lead or a handshake of the platform, kept and not made a lead. ready: nothing was sent.',
    }),
    leads: Type.Optional(
      Type.Array(
        Type.Object({
          id: Nullable(Uuid()),
          status: Type.Enum(['created', 'merged', 'duplicate', 'ignored', 'test', 'rejected']),
        }),
        { description: 'Of a request with several records: what became of each, in their order.' },
      ),
    ),
  }),
})

/** POST /webhook/<token>. The token in the URL is the only secret. */
export const receiveWebhooks =
  (database: Database, limit: RateLimit, storage: Storage, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Senders name content types as they like, or wrongly: every body is taken as bytes and read afterwards.
    app.decorateRequest('sentContentType', null)
    const findWebhook = webhookFinder(database)
    const bodies = new WeakMap<FastifyRequest, () => void>()
    app.addHook('onRequest', async (request, reply) => {
      // Comes after every answer, and when the sender goes away.
      reply.raw.once('close', () => bodies.get(request)?.())
      request.sentContentType = request.headers['content-type'] ?? null
      request.headers['content-type'] = 'application/octet-stream'
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (request, payload: IncomingMessage, done) => {
      const { token } = request.params as { token: string }
      // Nobody without a webhook takes room for a body.
      webhookAt(token, request.ip)
        .then(() => readBytes(payload, (free) => bodies.set(request, free)))
        .then((body) => done(null, body), done)
    })

    const response = {
      200: Received,
      400: Problem,
      403: Problem,
      404: Problem,
      413: Problem,
      415: Problem,
      429: Problem,
      500: Problem,
      503: Problem,
    }
    const params = Type.Object({ token: Type.String() })

    app.post(
      '/webhook/:token',
      {
        schema: {
          tags: ['Webhooks'],
          security: [],
          summary: 'Receive a lead from any platform',
          description:
            'No Authorization header: the token in the address is the key. Every call is kept and can be replayed.',
          params,
          response,
        },
      },
      async (request, reply) => {
        const webhook = await webhookAt(request.params.token, request.ip)
        const { bytes, refusal } = (request.body ?? { bytes: Buffer.alloc(0), refusal: null }) as Body
        const delivery = { ...deliveryOf(webhook, request), content_type: request.sentContentType, body: bytes }
        return receive(reply, webhook, delivery, refusal)
      },
    )

    // Telephone systems that can do no better send a lead in the query; platforms look whether somebody is there.
    app.get(
      '/webhook/:token',
      {
        schema: {
          tags: ['Webhooks'],
          security: [],
          summary: 'Receive a lead in the query, or answer a platform that checks the address',
          params,
          response,
        },
      },
      async (request, reply) => {
        const webhook = await webhookAt(request.params.token, request.ip)
        const { 1: sent = '' } = /\?(.*)$/s.exec(request.url) ?? []
        const query = new URLSearchParams(sent)
        const isEmpty = request.method === 'HEAD' || sent === ''
        // What holds a lead is counted and kept before it is refused.
        if (!webhook.enabled && (isEmpty || query.has('hub.challenge'))) throw disabled()
        const challenge = verifiedChallenge(webhook, query)
        if (challenge !== null) return sendChallenge(reply, challenge)
        if (isEmpty) return { data: { id: null, status: 'ready' as const } }
        const form = { content_type: 'application/x-www-form-urlencoded', body: Buffer.from(sent) }
        return receive(reply, webhook, { ...deliveryOf(webhook, request), ...form }, null)
      },
    )

    async function webhookAt(token: string, ip: string): Promise<Webhook> {
      const webhook = await findWebhook(token, ip)
      if (!webhook) throw notFound('There is no webhook at this address. It may have been given a new one.')
      return webhook
    }

    const deliveryOf = (webhook: Webhook, request: FastifyRequest) => ({
      account_id: webhook.account_id,
      id: randomUUID(),
      webhook_id: webhook.id,
      received_at: clock(),
      address: request.ip,
    })

    async function receive(reply: FastifyReply, webhook: Webhook, delivery: Delivery, unread: HttpProblem | null) {
      const counted = await limit.count(webhook.id)
      const refusal = !webhook.enabled
        ? disabled()
        : !counted.allowed
          ? rateLimited(`This webhook has taken its ${limit.most} deliveries of this minute`, counted.wait)
          : unread
      if (refusal) {
        const kind = refusal === unread ? 'rejected' : 'turned_away'
        const kept = await storage.admit(delivery, kind)
        if (kept) await refuseDelivery(database, webhook, kept, refusal)
        throw refusal
      }
      const options = { learn: true, storage }
      const { outcome, lead_id, leads, challenge } = await takeDelivery(database, webhook, delivery, options)
      if (challenge !== null) return sendChallenge(reply, challenge)
      return { data: { id: lead_id, status: outcome, ...(leads ? { leads } : {}) } }
    }
  }

const disabled = () => forbidden('WEBHOOK_DISABLED', 'This webhook is disabled. It can be enabled in the web settings.')

declare module 'fastify' {
  interface FastifyRequest {
    sentContentType: string | null
  }
}
