import { isChanging, lastChangeAt } from '../api/own-changes.ts'
import { queryClient } from '../api/query.ts'
import { sharedState } from '../api/shared-state.ts'

/** The `meta` of queries that show leads, calls or counts of them: they are loaded again when something changed. */
export const live = { live: true } as const
/** The same for a page that is hidden. */
export const liveWhenHidden = { live: true, whenHidden: true } as const
/** The same for what a change on this page affects only if that refreshes it. */
export const liveOfOthers = { live: true, ofOthers: true } as const

/** In milliseconds, between two refreshes. */
const minPauseMs = 1000
const maxPauseMs = 30_000
/** A refresh of half a second comes from a busy server: the next one waits two seconds. */
const waitsPerRefresh = 4

let wanted = false
let running = false

/** In milliseconds: within it a page refreshes what it shows of its change. */
const ownRefreshMs = 500

let isWaiting = false

/** Refreshes what this page has not refreshed itself since its last change. */
export async function refreshAfterOwn(): Promise<void> {
  if (isWaiting) return
  isWaiting = true
  do await pause(ownRefreshMs)
  while (isChanging())
  isWaiting = false
  const since = lastChangeAt()
  const isOlder = ({ meta, state }: Query) =>
    meta?.live === true && !meta.ofOthers && state.dataUpdatedAt < since && state.fetchStatus === 'idle'
  await queryClient.invalidateQueries({ predicate: isOlder })
}

/** Refreshes what the page shows, at the latest after `spread` milliseconds: not all pages ask at the same moment. */
export async function refreshSoon(spread: number): Promise<void> {
  wanted = true
  if (running) return
  running = true
  await pause(Math.random() * spread)
  while (wanted) {
    // A request that is under way may have been answered before the change.
    wanted = queryClient.isFetching(queriesToRefresh) > 0
    const start = performance.now()
    await refreshOpenQueries()
    const took = performance.now() - start
    await pause(Math.min(Math.max(minPauseMs, spread, waitsPerRefresh * took), maxPauseMs))
  }
  running = false
}

type Query = {
  meta?: Record<string, unknown> | undefined
  state: { dataUpdatedAt: number; fetchStatus: string }
}

const queriesToRefresh = { predicate: ({ meta }: Query) => meta?.live === true }
const queriesOfHiddenPage = { predicate: ({ meta }: Query) => meta?.whenHidden === true }

/** A hidden page refreshes when it is shown again, except for what its title says. */
async function refreshOpenQueries() {
  const later = { cancelRefetch: false }
  if (!document.hidden) return queryClient.invalidateQueries(queriesToRefresh, later)
  await queryClient.invalidateQueries({ ...queriesToRefresh, refetchType: 'none' })
  await queryClient.refetchQueries({ ...queriesOfHiddenPage, type: 'active' }, later)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const ownChanges = sharedState(0)

/** Runs the refresh after a change of this user: lists show its result at once, new rows too. */
export async function showOwnChange(refresh: () => Promise<unknown>): Promise<void> {
  ownChanges.set(ownChanges.get() + 1)
  // A moment later, because components get what was loaded after this.
  const done = () => setTimeout(() => ownChanges.set(ownChanges.get() - 1), 100)
  await refresh().finally(done)
}

/** Whether lists show the result of a change of this user now. */
export const useOwnChange = () => ownChanges.use() > 0
