import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/connect.ts'
import { Problem, Uuid } from '../http/contract.ts'
import { forbidden, notFound, rateLimited, tooLarge } from '../http/problem.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Delivery } from './deliveries.ts'
import { findWebhook } from './store.ts'
import { refuseDelivery, takeDelivery } from './take-delivery.ts'

const Received = Type.Object({
  data: Type.Object({ id: Uuid('The lead.'), status: Type.Enum(['created', 'merged']) }),
})

interface Body {
  bytes: Buffer
  /** More came than is taken; `bytes` is its beginning. */
  tooLarge: boolean
}

const mostBytes = 1024 * 1024

/** POST /webhook/<token>: section 4.8 of the contract. The token in the address is the only key (spec 5.2). */
export const receiveWebhooks =
  (database: Database, limit: RateLimit, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Senders name content types as they like, or wrongly: every body is taken as bytes and read afterwards.
    app.decorateRequest('sentContentType', null)
    app.addHook('onRequest', async (request) => {
      request.sentContentType = request.headers['content-type'] ?? null
      request.headers['content-type'] = 'application/octet-stream'
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload: IncomingMessage, done) => {
      readBytes(payload).then((body) => done(null, body), done)
    })

    app.post(
      '/webhook/:token',
      {
        schema: {
          tags: ['Webhooks'],
          security: [],
          summary: 'Receive a lead from any platform',
          description:
            'No Authorization header: the token in the address is the key. Every call is kept and can be replayed.',
          params: Type.Object({ token: Type.String() }),
          response: {
            200: Received,
            400: Problem,
            403: Problem,
            404: Problem,
            413: Problem,
            429: Problem,
            503: Problem,
          },
        },
      },
      async (request) => {
        const webhook = await findWebhook(database, request.params.token)
        if (!webhook) throw notFound('There is no webhook at this address. It may have been given a new one.')
        const body = (request.body ?? { bytes: Buffer.alloc(0), tooLarge: false }) as Body
        const delivery: Delivery = {
          account_id: webhook.account_id,
          id: randomUUID(),
          webhook_id: webhook.id,
          received_at: clock(),
          address: request.ip,
          content_type: request.sentContentType,
          body: body.bytes,
        }
        const counted = await limit.count(webhook.id)
        const refusal = !counted.allowed
          ? rateLimited(`This webhook has taken its ${limit.perMinute} deliveries of this minute`, counted.wait)
          : !webhook.enabled
            ? forbidden('WEBHOOK_DISABLED', 'This webhook is disabled. It can be enabled in the web settings.')
            : body.tooLarge
              ? tooLarge()
              : null
        if (refusal) {
          await refuseDelivery(database, webhook, delivery, refusal)
          throw refusal
        }
        const { outcome, lead } = await takeDelivery(database, webhook, delivery)
        return { data: { id: lead.id, status: outcome } }
      },
    )
  }

/** Reads on to the end of a body that is too large, within reason, so that its sender hears the answer. */
async function readBytes(payload: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload) {
    if (size < mostBytes) chunks.push(chunk)
    size += chunk.length
    if (size > 8 * mostBytes) break
  }
  const bytes = Buffer.concat(chunks)
  return { bytes: bytes.subarray(0, mostBytes), tooLarge: size > mostBytes }
}

declare module 'fastify' {
  interface FastifyRequest {
    sentContentType: string | null
  }
}
