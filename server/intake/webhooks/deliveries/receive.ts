import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { closed } from '../../../access/account/suspension.ts'
import { findAccount } from '../../../access/account/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isAway } from '../../../platform/database/errors.ts'
import { waitUntilBack } from '../../../platform/database/wait-until-back.ts'
import { webhookProblems } from '../../../platform/http/describe.ts'
import { forbidden, notFound, rateLimited, tryLater } from '../../../platform/http/problem.ts'
import type { RateLimit } from '../../../platform/http/rate-limit.ts'
import { webhookFinder } from '../find-webhook.ts'
import type { Webhook } from '../store.ts'
import { WebhookResponse } from './contract.ts'
import { lostCounter } from './count-lost.ts'
import { headerSentBack, type RecordDecision, rejected } from './decide.ts'
import { type Delivery, type DeliveryReader, DeliveryWaits, isTemporary, nothingRead } from './delivery.ts'
import { outcomeCounter } from './delivery-metrics.ts'
import { webhookDocs } from './description.ts'
import { type Challenge, sendChallenge, validationToken, verifiedChallenge } from './handshake.ts'
import { keepDelivery } from './keep-delivery.ts'
import { processDelivery } from './process-delivery.ts'
import { type Body, readBytes } from './read-bytes.ts'
import { type Settled, settle } from './settle.ts'
import type { Storage } from './storage-quota.ts'

/**
 * How many deliveries wait for the database at the same time, in all and of one URL or IP address, and how long: senders
 * wait 10 seconds and more. Nothing says which URLs exist while it is away, so one sender could invent them.
 */
const waiting = { maxWaiting: 500, maxOfKey: 400, timeoutMs: 8000 }

interface Receiver {
  database: Database
  reader: DeliveryReader
  limit: RateLimit
  storage: Storage
  clock: () => Date
}

/** POST /webhook/<token>. The token in the URL is the only secret. */
export const receiveWebhooks =
  ({ database, reader, limit, storage, clock }: Receiver): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Content types are often wrong: every body is received as bytes and read afterwards.
    app.decorateRequest('sentContentType', null)
    app.addHook('onRequest', async (request) => {
      request.sentContentType = request.headers['content-type'] ?? null
      request.headers['content-type'] = 'application/octet-stream'
    })
    // Pages of any site may send a form here. The token is the only secret, so there are no credentials to protect.
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('access-control-allow-origin', '*')
    })
    // The rest of a body that is not read would be taken for the next request.
    app.addHook('onSend', async ({ raw }, reply) => {
      if (!raw.complete) reply.header('connection', 'close')
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload: IncomingMessage, done) => done(null, payload))
    const findWebhook = webhookFinder(database)
    const waitingWork = waitUntilBack(database, waiting)
    const countOutcome = outcomeCounter(app.metrics)
    const countLost = lostCounter(app.metrics, findWebhook, storage)
    app.decorateRequest('webhookCall', null)
    // The process was overloaded: no route read the delivery.
    app.addHook<{ Params: { token: string } }>(
      'onResponse',
      async ({ method, webhookCall, params: { token }, ip }, reply) => {
        if (method === 'POST' && reply.statusCode === 503 && !webhookCall)
          countLost({ token, ip, received_at: clock(), webhook: null })
      },
    )
    // A stopping service closes its connections after 7 seconds.
    app.addHook('preClose', async () => waitingWork.shortenWaits(4000))

    const params = Type.Object({
      token: Type.String({ description: 'The secret part of the webhook URL.', examples: ['Jv3kQ8xT1mZr5nWc7yBd2g'] }),
    })
    const docs = webhookDocs(limit.max)

    app.post(
      '/webhook/:token',
      {
        schema: {
          ...docs.post,
          params,
          response: { 200: WebhookResponse, ...webhookProblems(413, 415) },
        },
      },
      async (request, reply) => {
        const call = callOf(request, request.params.token)
        const body = bodyOf(request, reply, () => call.webhook?.account_id ?? request.params.token)
        const token = validationToken(request.headers)
        const receive = async () => {
          const webhook = await webhookAt(request.params.token, call)
          const { bytes, problem } = await body.read()
          const isCheck = token !== null && bytes.length === 0
          const query = bytes.length === 0 ? queryOf(request) : ''
          // Some telephone systems send their POST like a GET.
          const sent = query === '' ? { content_type: request.sentContentType, body: bytes } : formOf(query)
          return process(webhook, call, sent, problem ? rejected(problem) : isCheck ? headerSentBack() : null)
        }
        // The sender may disconnect while its delivery waits, so the body is read before.
        return body.whileHeld(async () => {
          const answer = await answerOf(call, receive, body.read)
          if (token !== null) reply.header('validation-token', token)
          return send(reply, answer)
        })
      },
    )

    // Some telephone systems send a lead in the query; some platforms check the URL.
    app.get(
      '/webhook/:token',
      {
        schema: {
          ...docs.get,
          params,
          response: { 200: WebhookResponse, ...webhookProblems() },
        },
      },
      async (request, reply) => {
        const sent = queryOf(request)
        const query = new URLSearchParams(sent)
        const isEmpty = request.method === 'HEAD' || sent === ''
        const call = callOf(request, isEmpty || query.has('hub.challenge') ? null : request.params.token)
        const receive = async (): Promise<Answer> => {
          const webhook = await webhookAt(request.params.token, call)
          // A request with a lead is counted and stored before it is rejected.
          if (!webhook.enabled && (isEmpty || query.has('hub.challenge'))) throw disabled()
          const challenge = verifiedChallenge(webhook, query)
          if (challenge !== null) return { challenge }
          if (isEmpty) return { data: { id: null, status: 'ready' } }
          return process(webhook, call, formOf(sent), null)
        }
        return send(reply, await answerOf(call, receive, async () => {}))
      },
    )

    // What a browser asks before a page of another site may send JSON.
    app.options('/webhook/:token', { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': '*',
          'access-control-max-age': '86400',
        })
        .send(),
    )

    async function webhookAt(token: string, call: Call): Promise<Webhook> {
      const webhook = await findWebhook(token, call.address)
      if (!webhook) throw notFound('There is no webhook at this URL. Its URL may have been regenerated.')
      call.webhook = webhook
      return webhook
    }

    /** Counts what is answered, and the deliveries of which nothing is stored. */
    async function answerOf(
      call: Call,
      receive: () => Promise<Answer>,
      meanwhile: () => Promise<unknown>,
    ): Promise<Answer> {
      try {
        return await countOutcome(waitingWork.run([call.token ?? '', call.address], receive, meanwhile))
      } catch (error) {
        const { token, webhook, received_at, address } = call
        const isLost = isAway(error) || (isTemporary(error) && !(error instanceof DeliveryWaits))
        if (isLost && token !== null) countLost({ token, ip: address, received_at, webhook })
        throw error
      }
    }

    /**
     * A delivery has the id of its request: if it is processed again because the database was away, it finds its own row, and
     * X-Request-Id leads to it.
     */
    function callOf(request: FastifyRequest, token: string | null): Call {
      const { id, ip } = request
      request.webhookCall = { id, received_at: clock(), address: ip, token, webhook: null, counted: null }
      return request.webhookCall
    }

    /** `unread`: what the delivery becomes, if its body is not read. */
    async function process(
      webhook: Webhook,
      call: Call,
      sent: Pick<Delivery, 'content_type' | 'body'>,
      unread: RecordDecision | null,
    ): Promise<Answer> {
      const { id, received_at, address } = call
      const { account_id } = webhook
      call.counted ??= limit.count(webhook.id)
      const counted = await call.counted
      const early = !webhook.enabled
        ? rejected(disabled())
        : !counted.allowed
          ? rejected(rateLimited(`This webhook has received its ${limit.max} deliveries of this minute`, counted.wait))
          : unread
      const account = await findAccount(database, account_id)
      if (account.isClosed) throw closed()
      const delivery = { account_id, id, webhook_id: webhook.id, received_at, address, ...sent }
      const context = { database, reader, account, webhook, delivery, stage: 'new', storage } as const
      // The sender is not asked to repeat it: platforms stop sending after some days of errors.
      if (account.suspendedAt && !early) {
        if (!(await keepDelivery(context))) throw beyondQuota()
        return { data: { id: null, status: 'waiting' } }
      }
      return answerTo(await (early ? settle(context, nothingRead, early) : processDelivery(context)))
    }
  }

/** One request. It may be processed several times, but counts once against the rate limit. */
interface Call extends Pick<Delivery, 'id' | 'received_at' | 'address'> {
  /** Null if the call brings no lead. */
  token: string | null
  /** Null until it is found. */
  webhook: Webhook | null
  counted: ReturnType<RateLimit['count']> | null
}

const queryOf = ({ url }: FastifyRequest) => /\?(.*)$/s.exec(url)?.[1] ?? ''

const formOf = (query: string) => ({ content_type: 'application/x-www-form-urlencoded', body: Buffer.from(query) })

type Answer = { challenge: Challenge } | WebhookResponse

/** Throws the problem of a delivery that is rejected or waits. */
function answerTo({ outcome, lead_id, problem, challenge, records }: Settled): Answer {
  if (problem) throw problem
  if (challenge) return { challenge }
  const leads = records?.map((record) => ({ id: record.lead_id, status: record.outcome }))
  return { data: { id: lead_id, status: outcome as WebhookResponse['data']['status'], ...(leads && { leads }) } }
}

const send = (reply: FastifyReply, answer: Answer) =>
  'challenge' in answer ? sendChallenge(reply, answer.challenge) : answer

/** The body of a request. It is read once, and counts against the memory of its `holder` until the request is answered. */
function bodyOf({ body: payload }: FastifyRequest, reply: FastifyReply, holder: () => string) {
  let free = () => {}
  let reading: Promise<Body> | null = null
  const isOver = Promise.withResolvers<void>()
  // Emitted after every answer, and when the sender disconnects.
  reply.raw.once('close', isOver.resolve)
  const read = () =>
    (reading ??= payload
      ? readBytes(payload as IncomingMessage, holder(), (release) => {
          free = release
        })
      : Promise.resolve({ bytes: Buffer.alloc(0), problem: null }))
  return {
    read,
    /** Frees the memory when `work` has ended and the answer is sent. */
    async whileHeld<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work()
      } finally {
        void isOver.promise.then(() => free())
      }
    },
  }
}

const beyondQuota = () =>
  tryLater(
    'The account is suspended, and this webhook has used its storage of the day. Of this delivery the beginning is stored.',
  )

const disabled = () => forbidden('WEBHOOK_DISABLED', 'This webhook is disabled. It can be enabled in the web settings.')

declare module 'fastify' {
  interface FastifyRequest {
    sentContentType: string | null
    /** Null until its route answers it. */
    webhookCall: Call | null
  }
}
