import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { Database } from '../../platform/database/connect.ts'
import { isAway } from '../../platform/database/errors.ts'
import { keepSome } from './keep-some.ts'
import { redactMessage, redactPath } from './redact.ts'
import { type NewRequest, saveRequests } from './store.ts'

const saveEvery = 1000
/** Requests that wait to be saved. Of more, while the database is slow, none is logged. */
export const maxWaiting = 2000

/** The API key or webhook of a request. */
type Source = Pick<NewRequest, 'account_id' | 'via' | 'via_id'>

interface Options {
  metrics: Registry
  onError(error: unknown): void
}

export interface RequestLog {
  /** Logs the requests of a part of the app. `sourceOf` returns null for those of no known key or webhook. */
  observe(part: FastifyInstance, sourceOf: (request: FastifyRequest) => Source | null): void
  /** Saves what waits, when the service stops. */
  close(): Promise<void>
}

/**
 * Logs requests for Admins. A request is only noted in memory, after its answer. Once a second the notes of all accounts are saved
 * in one statement. What cannot be saved is dropped and counted, and fails no request.
 */
export function openRequestLog(database: Database, { metrics, onError }: Options): RequestLog {
  const dropped = new Counter({
    name: 'lead_engine_request_log_dropped_total',
    help: 'Requests that are missing in the request log because the database was slow or failed',
    registers: [metrics],
  })
  const keeps = keepSome()
  let waiting: NewRequest[] = []
  let timer: NodeJS.Timeout | null = null
  let saving: Promise<void> | null = null
  let closed = false

  function note(source: Source, request: FastifyRequest, reply: FastifyReply) {
    const outcome = reply.statusCode >= 400 ? 'failed' : 'succeeded'
    if (!keeps(source.account_id, source.via_id, outcome)) return
    if (waiting.length >= maxWaiting) return dropped.inc()
    waiting.push(requestOf(source, request, reply))
    plan()
  }

  /** One save at a time, however long the database takes. */
  function plan() {
    if (timer || closed) return
    timer = setTimeout(async () => {
      saving = save()
      await saving
      timer = null
      if (waiting.length > 0) plan()
    }, saveEvery).unref()
  }

  async function save() {
    if (waiting.length === 0 || database.watch?.away) return
    const taken = waiting
    waiting = []
    try {
      await saveRequests(database.directory, taken)
    } catch (error) {
      const kept = isAway(error) ? taken.slice(0, maxWaiting - waiting.length) : []
      waiting = [...kept, ...waiting]
      dropped.inc(taken.length - kept.length)
      onError(error)
    }
  }

  return {
    observe(part, sourceOf) {
      part.addHook('onResponse', (request, reply, done) => {
        const source = sourceOf(request)
        if (source) note(source, request, reply)
        done()
      })
    },
    async close() {
      closed = true
      if (timer) clearTimeout(timer)
      await saving
      await save()
    },
  }
}

function requestOf({ account_id, via, via_id }: Source, request: FastifyRequest, reply: FastifyReply): NewRequest {
  const { problem } = request
  const { url: route = null, schema } = request.routeOptions
  const { properties } = (schema?.querystring ?? {}) as { properties?: Record<string, { enum?: unknown[] }> }
  return {
    account_id,
    id: request.id,
    at: new Date(Date.now() - reply.elapsedTime).toISOString(),
    via,
    via_id,
    address: request.ip,
    method: request.method,
    route,
    path: redactPath(request.url, route, properties),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    code: problem?.code ?? null,
    message: problem ? redactMessage(problem.message) : null,
  }
}
