import { leadKeys } from '../../crm/leads/keys.ts'
import { queryClient } from '../../platform/api/query.ts'
import { ringingQuery } from './queries.ts'

/** In milliseconds, between two requests. */
const minPauseMs = 500

let wanted = false
let running = false

/** Asks at once for the calls that ring, and for the call queue, which has new leads and missed calls. While events follow one another, twice a second. */
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
