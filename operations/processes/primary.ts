import type { CountedInMemory } from '../../server/platform/http/count-in-memory.ts'
import type { CountTogether } from '../../server/platform/http/rate-limit.ts'
import { openIpc } from './ipc.ts'
import type { Metrics, ToPrimary, ToWorker } from './ipc-messages.ts'

/** In milliseconds. The primary process waits for the metrics of each worker itself. */
const timeoutsMs = { count: 1000, metrics: 5000 }

interface Settings {
  /** The metrics of this worker. */
  metrics(): Promise<Metrics>
  log(message: string): void
}

/** The primary process, as a worker sees it. */
export function openPrimary({ metrics, log }: Settings) {
  const ask = openIpc(process, (_request: ToWorker) => metrics())
  const askPrimary = (request: ToPrimary, timeoutMs: number) => ask(request, timeoutMs)
  let away = false
  const say = (now: boolean, message: string) => {
    if (now !== away) log(message)
    away = now
  }

  /** Returns null if the primary process does not answer. */
  const count: CountTogether = async (limit, seconds, key, group) => {
    try {
      const counted = await askPrimary({ count: { limit, seconds, key, group } }, timeoutsMs.count)
      say(false, 'The primary process answers again: the workers count requests together.')
      return counted as CountedInMemory
    } catch (error) {
      say(true, `Each worker counts requests by itself: ${(error as Error).message}.`)
      return null
    }
  }
  return { count, metricsOfAll: () => askPrimary('metrics of all', timeoutsMs.metrics) as Promise<string> }
}
