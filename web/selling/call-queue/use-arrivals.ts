import { useEffect } from 'react'
import type { CallQueue } from '#contract/selling/call-queue'
import { sharedState } from '../../platform/api/shared-state.ts'
import { arrivalsIn, hear, hearOpened, type News, noNews } from './arrivals.ts'

/** As long as the page is loaded, so that other pages and groups do not end an announcement. */
const heard = sharedState<{ of: string | undefined; news: News }>({ of: undefined, news: noNews })

/** What came to the queue of a user and was not opened. `shownId`: the lead that is shown, which is not announced. */
export function useArrivals(
  of: string | undefined,
  queue: CallQueue | undefined,
  shownId: string | undefined,
  now: number,
) {
  const { of: ofHeard, news } = heard.use()
  const current = ofHeard === of ? news : noNews
  useEffect(() => {
    if (!queue) return
    const before = heard.get()
    const next = hear(before.of === of ? before.news : noNews, queue.leads, now)
    heard.set({ of, news: shownId === undefined ? next : hearOpened(next, shownId) })
  }, [of, queue, shownId, now])
  return arrivalsIn(
    current,
    (queue?.leads ?? []).filter(({ id }) => id !== shownId),
    now,
  )
}
