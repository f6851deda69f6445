import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { countInMemory } from '../../server/platform/http/count-in-memory.ts'
import { type Ask, openIpc } from './ipc.ts'
import type { Metrics, ToPrimary, ToWorker } from './ipc-messages.ts'
import { joinMetrics } from './join-metrics.ts'

interface Settings {
  count: number
  /** The environment of the workers, beside that of this process. */
  env: Record<string, string>
  /** The metrics of this process. */
  metrics: Registry
  log: Pick<FastifyBaseLogger, 'error'>
}

/** A worker that ends sooner after its start is started again later and later. In milliseconds. */
const minRunMs = 10_000
const pauses = { first: 250, max: 30_000 }
/** In milliseconds. */
const metricsWithin = 3000

/**
 * Starts processes that run the same command and listen on the same port, and starts them again when they end. They sign
 * in with `env`, count rate limits here, and end with this process.
 */
export function openWorkers({ count, env, metrics, log }: Settings) {
  // Each worker accepts connections itself. If this process handed them out, one that is on its way to a worker that is
  // killed would stay open without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ serialization: 'advanced' })
  const running = new Map<number, { worker: Worker; ask: Ask }>()
  const stopping = new AbortController()
  const { signal } = stopping
  const restarts = new Counter({
    name: 'lead_engine_worker_restarts_total',
    help: 'Workers that ended and were started again',
    registers: [metrics],
  })
  const counts = new Map<string, ReturnType<typeof countInMemory>>()

  function answer(request: ToPrimary) {
    if (request === 'metrics of all') return metricsOfAll()
    const { limit, seconds, key, group } = request.count
    const counted = counts.get(limit) ?? countInMemory(seconds)
    counts.set(limit, counted)
    return counted.count(key, group)
  }

  /** A worker that does not answer is missing. */
  async function metricsOfAll(): Promise<string> {
    const request: ToWorker = 'metrics'
    const ofWorkers = [...running].map(async ([number, { ask }]) => {
      const answered = await ask(request, metricsWithin).catch(() => [])
      return [String(number), answered as Metrics] as const
    })
    return joinMetrics([['primary', await metrics.getMetricsAsJSON()], ...(await Promise.all(ofWorkers))])
  }

  async function keepRunning(number: number, first: Worker) {
    let worker = first
    for (let wait = 0; ; worker = start(number)) {
      const started = performance.now()
      const reason = await endOf(worker)
      running.delete(number)
      if (signal.aborted) return
      const atOnce = performance.now() - started < minRunMs
      wait = atOnce ? Math.min(Math.max(wait * 2, pauses.first), pauses.max) : 0
      restarts.inc()
      log.error({ worker: worker.process.pid, reason, wait }, 'a worker ended and is started again')
      await pause(wait, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
    }
  }

  function start(number: number): Worker {
    const worker = cluster.fork(env)
    running.set(number, { worker, ask: openIpc(worker.process, answer) })
    return worker
  }

  let loops: Promise<void>[] = []
  return {
    /** Starts one worker, and the others when it listens. Throws if it ends instead: it says why. */
    async start(): Promise<void> {
      const first = start(1)
      const reason = await Promise.race([once(first, 'listening').then(() => null), endOf(first)])
      if (signal.aborted) return
      if (reason !== null) throw new Error(`The first worker ended at its start (${reason}).`)
      loops = Array.from({ length: count }, (_, index) =>
        keepRunning(index + 1, index === 0 ? first : start(index + 1)),
      )
    },
    /** Lets the requests of all workers end, and then the workers. */
    async stop(): Promise<void> {
      stopping.abort()
      const ended = [...running.values()].map(({ worker }) => endOf(worker))
      for (const { worker } of running.values()) worker.process.kill('SIGTERM')
      await Promise.all([...ended, ...loops])
    },
  }
}

async function endOf(worker: Worker): Promise<string> {
  if (worker.isDead()) return 'it has ended'
  const ended = Promise.withResolvers<string>()
  worker.once('exit', (status, signal) => ended.resolve(signal ?? `status ${status}`))
  worker.on('error', (error) => {
    // It could not be started, so there is no exit.
    if (worker.process.pid === undefined) ended.resolve(error.message)
  })
  return ended.promise
}
