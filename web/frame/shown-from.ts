import { useSyncExternalStore } from 'react'
import { readAnswers } from '../platform/api/offline-answers.ts'
import { queryClient } from '../platform/api/query.ts'

const cache = queryClient.getQueryCache()

/** When the oldest of the stored answers came that the page shows of leads and calls, in milliseconds. */
export const useShownFrom = () => useSyncExternalStore((listener) => cache.subscribe(listener), oldestShown)

function oldestShown(): number | null {
  const shown = cache.findAll({ type: 'active', predicate: ({ meta }) => meta?.live === true })
  const times = shown.flatMap(({ queryHash }) => readAnswers.get(queryHash) ?? [])
  return times.length === 0 ? null : Math.min(...times)
}
