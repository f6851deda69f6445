import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../server/platform/database/connect.ts'
import { polledRoutes } from '../../server/platform/http/log-line.ts'

/** Traces requests and their work in the database. */
export interface Tracing {
  /** The trace of a caller continues only if `isTrusted` accepts its IP address. */
  observeRequests(app: FastifyInstance, isTrusted: (ip: string) => boolean): void
  observeDatabase(database: Database): Database
  /** Sends what was traced last. */
  close(): Promise<void>
}

type Env = Readonly<Record<string, string | undefined>>

/** Whether OpenTelemetry's variables ask for traces. Throws if they ask for what is not supported. */
export function isTracingWanted(env: Env): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/json'
  if (!protocol.startsWith('http/')) {
    throw new Error(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, and traces are sent over HTTP: set it to http/json, and the endpoint to ` +
        'the HTTP port of the collector, usually 4318.',
    )
  }
  return true
}

/** Throws if traces are asked for and cannot be sent. */
export async function checkTracing(env: Env): Promise<void> {
  if (isTracingWanted(env)) await loadPackages()
}

/** Returns null if no variable asks for traces: then nothing is loaded. */
export async function openTracing(env: Env, log: (message: string) => void): Promise<Tracing | null> {
  if (!isTracingWanted(env)) return null
  const { api, core, base, exporter, resources, context } = await loadPackages()
  api.diag.setLogger(
    { error: log, warn: log, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: api.DiagLogLevel.WARN },
  )
  // Sampler, batches, endpoint and headers come from the variables.
  const named = resources.resourceFromAttributes({ 'service.name': 'lead-engine' })
  const detected = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new base.BasicTracerProvider({
    resource: named.merge(detected),
    spanProcessors: [new base.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  })
  api.context.setGlobalContextManager(new context.AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('lead-engine')
  const propagator = new core.W3CTraceContextPropagator()
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace } = api

  function observeRequests(app: FastifyInstance, isTrusted: (ip: string) => boolean) {
    const contexts = new WeakMap<FastifyRequest, ReturnType<typeof trace.setSpan>>()
    app.addHook('onRequest', (request, reply, done) => {
      const { method, headers, id, socket } = request
      // Never the URL, which may contain a webhook token.
      const route = request.routeOptions.url ?? 'unknown'
      if (polledRoutes.has(route) || request.routeOptions.config.isStream) return done()
      const parent = isTrusted(socket.remoteAddress ?? '')
        ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
        : ROOT_CONTEXT
      const attributes = { 'http.request.method': method, 'http.route': route, 'lead_engine.request_id': id }
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
      // Emitted after every answer, and when the client disconnects.
      reply.raw.once('close', () => {
        span.setAttribute('http.response.status_code', reply.statusCode)
        if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      })
      contexts.set(request, trace.setSpan(parent, span))
      api.context.with(contexts.get(request)!, done)
    })
    // The body arrives in events of the socket, which do not belong to the request.
    app.addHook('preValidation', (request, _reply, done) => {
      const active = contexts.get(request)
      if (active) api.context.with(active, done)
      else done()
    })
  }

  function observeDatabase(database: Database): Database {
    const traced =
      (kind: 'read' | 'readBriefly' | 'readReplica' | 'write'): Database['read'] =>
      (requester, work) => {
        if (!trace.getActiveSpan()) return database[kind](requester, work)
        const attributes = { 'db.system.name': 'postgresql' }
        return tracer.startActiveSpan(`database ${kind}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
          try {
            return await database[kind](requester, (sql) => {
              span.addEvent('connection')
              return work(sql)
            })
          } catch (error) {
            // Messages may quote values.
            const { code, name } = error as { code?: unknown; name?: string }
            span.setAttribute('error.type', String(code ?? name ?? 'unknown'))
            span.setStatus({ code: SpanStatusCode.ERROR })
            throw error
          } finally {
            span.end()
          }
        })
      }
    // Not a copy, which would not follow what changes later.
    return Object.assign(Object.create(database) as Database, {
      read: traced('read'),
      readBriefly: traced('readBriefly'),
      readReplica: traced('readReplica'),
      write: traced('write'),
    })
  }

  return {
    observeRequests,
    observeDatabase,
    // A collector that is away must not delay the end.
    close: () => Promise.race([provider.shutdown(), sleep(2000, undefined, { ref: false })]),
  }
}

async function loadPackages() {
  try {
    const [api, core, base, exporter, resources, context] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/context-async-hooks'),
    ])
    return { api, core, base, exporter, resources, context }
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages for traces are not installed: run the command under Traces in docs/operating.md.',
      { cause: error },
    )
  }
}
