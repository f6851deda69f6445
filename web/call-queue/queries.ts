import { queryOptions } from '@tanstack/react-query'
import type { CallQueue } from '#contract/call-queue'
import { type Data, get } from '../api.ts'
import { leadKeys } from '../leads/keys.ts'
import { live } from '../live/refresh.ts'

/** The queue of a user, by default your own. */
export const queueQuery = (assigned_to: string | undefined) =>
  queryOptions({
    queryKey: leadKeys.queue(assigned_to),
    queryFn: async ({ signal }) => (await get<Data<CallQueue>>('/web/call-queue', { assigned_to }, signal)).data,
    // Calls become due without a change.
    refetchInterval: 60_000,
    meta: live,
  })
