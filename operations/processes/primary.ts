import type { CountedInMemory } from '../../server/platform/http/count-in-memory.ts'
import type { CountTogether } from '../../server/platform/http/rate-limit.ts'
import { openDialogue } from './dialogue.ts'
import type { Metrics, ToPrimary, ToWorker } from './questions.ts'

/** In milliseconds. The primary process waits for the metrics of each worker itself. */
const patience = { count: 1000, metrics: 5000 }

interface Settings {
  /** The metrics of this worker. */
  metrics(): Promise<Metrics>
  log(message: string): void
}

/** The primary process, as a worker sees it. */
export function openPrimary({ metrics, log }: Settings) {
  const ask = openDialogue(process, (_question: ToWorker) => metrics())
  const askPrimary = (question: ToPrimary, patience: number) => ask(question, patience)
  let away = false
  const say = (now: boolean, message: string) => {
    if (now !== away) log(message)
    away = now
  }

  /** Returns null if the primary process does not answer. */
  const count: CountTogether = async (limit, seconds, key, group) => {
    try {
      const counted = await askPrimary({ count: { limit, seconds, key, group } }, patience.count)
      say(false, 'The primary process answers again: the workers count requests together.')
      return counted as CountedInMemory
    } catch (error) {
      say(true, `Each worker counts requests by itself: ${(error as Error).message}.`)
      return null
    }
  }
  return { count, metricsOfAll: () => askPrimary('metrics of all', patience.metrics) as Promise<string> }
}
