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
import type { Delivery } from './delivery.ts'
import { sendChallenge, verifiedChallenge } from './handshake.ts'
import { processDelivery } from './process-delivery.ts'
import { type Body, readBytes } from './read-bytes.ts'
import { recordWithoutLead } from './save-delivery.ts'
import type { Storage } from './storage-quota.ts'

const Received = Type.Object({
  data: Type.Object({
    id: Nullable(Uuid('The lead; null where none was made.')),
    status: Type.Enum(['created', 'merged', 'duplicate', 'ignored', 'test', 'ready'], {
      description:
        'duplicate: the platform repeated a delivery, and nothing was changed. ignored: an event without any lead field, ' +
        'stored. test: a test lead or a handshake of the platform, stored without a lead. ready: nothing was sent.',
    }),
    leads: Type.Optional(
      Type.Array(
        Type.Object({
          id: Nullable(Uuid()),
          status: Type.Enum(['created', 'merged', 'duplicate', 'ignored', 'test', 'rejected']),
        }),
        { description: 'Of a request with several records: the result of each, in their order.' },
      ),
    ),
  }),
})

/** POST /webhook/<token>. The token in the URL is the only secret. */
export const receiveWebhooks =
  (database: Database, limit: RateLimit, storage: Storage, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Content types are often wrong: every body is received as bytes and read afterwards.
    app.decorateRequest('sentContentType', null)
    const findWebhook = webhookFinder(database)
    const bodies = new WeakMap<FastifyRequest, () => void>()
    app.addHook('onRequest', async (request, reply) => {
      // Emitted after every answer, and when the sender disconnects.
      reply.raw.once('close', () => bodies.get(request)?.())
      request.sentContentType = request.headers['content-type'] ?? null
      request.headers['content-type'] = 'application/octet-stream'
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (request, payload: IncomingMessage, done) => {
      const { token } = request.params as { token: string }
      // No memory is used for the body of an unknown webhook.
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
            'No Authorization header: the token in the URL is the secret. Every call is stored and can be replayed.',
          params,
          response,
        },
      },
      async (request, reply) => {
        const webhook = await webhookAt(request.params.token, request.ip)
        const { bytes, problem } = (request.body ?? { bytes: Buffer.alloc(0), problem: null }) as Body
        const delivery = { ...deliveryOf(webhook, request), content_type: request.sentContentType, body: bytes }
        return receive(reply, webhook, delivery, problem)
      },
    )

    // Some telephone systems send a lead in the query; some platforms check the URL.
    app.get(
      '/webhook/:token',
      {
        schema: {
          tags: ['Webhooks'],
          security: [],
          summary: 'Receive a lead in the query, or answer a platform that checks the URL',
          params,
          response,
        },
      },
      async (request, reply) => {
        const webhook = await webhookAt(request.params.token, request.ip)
        const { 1: sent = '' } = /\?(.*)$/s.exec(request.url) ?? []
        const query = new URLSearchParams(sent)
        const isEmpty = request.method === 'HEAD' || sent === ''
        // A request with a lead is counted and stored before it is rejected.
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
      if (!webhook) throw notFound('There is no webhook at this URL. Its URL may have been regenerated.')
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
      const problem = !webhook.enabled
        ? disabled()
        : !counted.allowed
          ? rateLimited(`This webhook has received its ${limit.most} deliveries of this minute`, counted.wait)
          : unread
      if (problem) {
        const stored = await storage.admit(delivery, problem === unread ? 'rejected' : 'turned_away')
        if (stored) await recordWithoutLead({ database, webhook, delivery: stored }, problem)
        throw problem
      }
      const context = { database, webhook, delivery }
      const { outcome, lead_id, leads, challenge } = await processDelivery(context, { storage })
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
