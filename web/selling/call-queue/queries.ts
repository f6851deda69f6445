import { queryOptions } from '@tanstack/react-query'
import type { CallQueue, QueueReason } from '#contract/selling/call-queue'
import type { Offer } from '#contract/selling/offers'
import { leadKeys } from '../../crm/leads/keys.ts'
import { type Data, get } from '../../platform/api/api.ts'
import { offline } from '../../platform/api/offline-answers.ts'
import { live, liveOfOthers } from '../../platform/live/refresh.ts'
import { isSoon } from './place.ts'

const minute = 60_000

/** Leads that the user may claim. */
export const offersQuery = queryOptions({
  queryKey: leadKeys.offers,
  queryFn: async ({ signal }) => (await get<Data<Offer[]>>('/web/offers', {}, signal)).data,
  // A colleague may claim one, or an Admin assign it.
  meta: liveOfOthers,
  // Longer than a call, after which they are shown again.
  staleTime: 600_000,
})

/** The queue of a user, by default your own; with a reason, the leads of that alone. */
export const queueQuery = (assigned_to: string | undefined, reason?: QueueReason) =>
  queryOptions({
    queryKey: leadKeys.queue({ assigned_to, reason }),
    queryFn: async ({ signal }) =>
      (await get<Data<CallQueue>>('/web/call-queue', { assigned_to, reason }, signal)).data,
    // New leads and missed calls come at once (web/telephony/ringing/refresh.ts), and what colleagues change soon.
    meta: assigned_to === undefined && reason === undefined ? { ...live, ...offline } : live,
    // A call that is due is first at once.
    refetchInterval: ({ state }) => Math.min(minute, untilDue(state.data)),
  })

/** In milliseconds, until the next promised call of the queue is due. */
function untilDue(queue: CallQueue | undefined): number {
  const now = Date.now()
  const times = queue?.leads.filter((lead) => isSoon(lead, now)).map(({ since }) => Date.parse(since) - now) ?? []
  return Math.min(...times, Number.POSITIVE_INFINITY)
}
