import { leadKeys } from '../../crm/leads/keys.ts'
import { queryClient } from '../../platform/api/query.ts'
import { ringingQuery } from './queries.ts'

/** In milliseconds, between two requests. */
const minPauseMs = 500

let wanted = false
let running = false

/** Refreshes ringing calls, the call queue and offers: a call rings or has changed, or a lead is new. Events that follow one another share a refresh. */
export async function refreshRinging(): Promise<void> {
  wanted = true
  if (running) return
  running = true
  while (wanted) {
    wanted = false
    const shown = [ringingQuery.queryKey, leadKeys.queues, leadKeys.offers]
    await Promise.all(shown.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    await new Promise((resolve) => setTimeout(resolve, minPauseMs))
  }
  running = false
}
