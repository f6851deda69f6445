import { queryOptions } from '@tanstack/react-query'
import type { DueCalls, Today } from '#contract/selling/today'
import { leadKeys } from '../../crm/leads/keys.ts'
import { type Data, get } from '../../platform/api/api.ts'
import { offline } from '../../platform/api/offline-answers.ts'
import { live, liveWhenHidden } from '../../platform/live/refresh.ts'

const minute = 60_000

/** In the URL, instead of the email of an owner. */
export const wholeTeam = 'team'

/** The promised calls of an owner or of the team, by default your own. */
export function todayQuery(of: string | undefined) {
  const asked = of === wholeTeam ? { team: true } : { assigned_to: of }
  return queryOptions({
    queryKey: leadKeys.today(asked),
    queryFn: async ({ signal }) => (await get<Data<Today>>('/web/today', asked, signal)).data,
    meta: of === undefined ? { ...live, ...offline } : live,
    // Calls become due.
    refetchInterval: minute,
  })
}

/** The promised calls that are due now. It is asked for again when the next one is. */
export const dueCallsQuery = queryOptions({
  queryKey: leadKeys.due,
  queryFn: async ({ signal }) => (await get<Data<DueCalls>>('/web/today/due', {}, signal)).data,
  meta: liveWhenHidden,
  refetchInterval: ({ state }) => {
    const seconds = state.data?.changes_in ?? Number.POSITIVE_INFINITY
    return Math.min(5 * minute, seconds * 1000)
  },
  refetchIntervalInBackground: true,
})
