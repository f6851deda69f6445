import { createHash } from 'node:crypto'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { BoundedCache } from '../../platform/cache/bounded-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isCanceled } from '../../platform/database/errors.ts'
import { istDay } from '../../platform/http/instants.ts'
import { HttpProblem } from '../../platform/http/problem.ts'
import { dateRangeOf } from '../../platform/periods/contract.ts'
import { closedRangeOf } from '../leads/contract.ts'
import { countLeads } from '../leads/count-leads.ts'
import { filtersOf } from '../leads/filters-of.ts'
import type { View, ViewCounts, ViewSearch } from './contract.ts'

/** In milliseconds, for one request. Views that are not counted by then are counted by the next one. */
const budget = 150
/** In milliseconds. A count that takes longer is tried again later only. */
export const maxCountMs = 100
const fresh = 30_000
const freshIfTooLong = 600_000
/** A count takes as much, whatever the view searches: its key is a hash. */
const bytesOfCount = 400
const maxKept = { bytes: 20_000 * bytesOfCount, bytesOfAccount: 5000 * bytesOfCount }

type Count = ViewCounts[string]

const hashed = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64')

/** Counts the matches of views, for each user: users see different leads. What was counted is kept for half a minute. */
export function viewCounter(database: Database, clock: () => Date) {
  const kept = new BoundedCache<{ until: number; count: Count }>(maxKept)

  return async (caller: WebCaller, views: View[]): Promise<ViewCounts> => {
    const started = performance.now()
    const counts: ViewCounts = {}
    for (const { id, search } of views) {
      const key = hashed([caller.account_id, caller.user_id, caller.sees, search])
      const known = kept.get(key)
      if (known && known.until > started) {
        counts[id] = known.count
      } else if (performance.now() - started < budget) {
        const count = await countView(database, caller, search, clock())
        const until = performance.now() + (count === null ? freshIfTooLong : fresh)
        kept.set(key, caller.account_id, { count, until }, bytesOfCount)
        counts[id] = count
      }
    }
    return counts
  }
}

async function countView(database: Database, caller: WebCaller, search: ViewSearch, now: Date): Promise<Count> {
  try {
    const filters = await filtersOf(database, caller, asQuery(search, now), now)
    return await countLeads(database, caller, filters, maxCountMs)
  } catch (error) {
    // Such as a search that has become invalid: its list says what is wrong.
    if (error instanceof HttpProblem || isCanceled(error)) return null
    throw error
  }
}

/** As the web app asks for the list. */
function asQuery(view: ViewSearch, now: Date) {
  const { days, period, closed_days, closed_period, reverse, columns, ...search } = view
  const today = istDay(now)
  return { ...search, ...dateRangeOf(view, today), ...closedRangeOf(view, today) }
}
