import { queryOptions } from '@tanstack/react-query'
import type { CallQueue } from '#contract/call-queue'
import { type Data, get } from '../api.ts'
import { leadKeys } from '../leads/keys.ts'

/** The queue of a user, by default your own. */
export const queueQuery = (assigned_to: string | undefined) =>
  queryOptions({
    queryKey: leadKeys.queue(assigned_to),
    queryFn: async ({ signal }) => (await get<Data<CallQueue>>('/web/call-queue', { assigned_to }, signal)).data,
    // New leads and missed calls come at once (web/ringing/refresh.ts), and calls become due.
    refetchInterval: 60_000,
  })
