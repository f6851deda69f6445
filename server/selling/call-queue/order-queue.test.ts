import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueueReason } from './contract.ts'
import { type Candidate, orderQueue } from './order-queue.ts'

const minutes = { m: 1, h: 60, d: 24 * 60 }
/** Minutes from now: -30m, 10m, -2h, -7d. */
const offset = (text: string) => Number(text.slice(0, -1)) * minutes[text.at(-1) as keyof typeof minutes]
const at = (text: string) => offset(text) * 60_000

/** "a due -5m", and for leads that were not reached when they are due again: "a not_reached -1d -2h". */
function candidates(text: string): Candidate[] {
  return text.split(', ').map((one) => {
    const [id, reason, since, retry] = one.split(' ') as [string, QueueReason, string, string?]
    return { id, reason, since: at(since), ...(retry ? { retry_at: at(retry) } : {}) }
  })
}

/** The owner worked last 15 hours ago: yesterday until 19:00. */
const yesterday = '-15h'

const rows: [what: string, leads: string, order: string, lastWorked?: string][] = [
  // Promises at their time.
  ['a promise is due now', 'a new -1m, b due 0m', 'b a'],
  ['ten minutes before its time', 'a missed 0m, b due 10m', 'b a'],
  ['until 30 minutes after it', 'a missed 0m, b due -30m', 'b a'],
  ['later it is overdue', 'a missed -29m, b due -31m', 'a b'],
  ['the nearest to its time first', 'a due -20m, b due -3m, c due 8m', 'b c a'],
  ['soon before long due', 'a due -9m, b due 8m', 'b a'],
  ['now before soon', 'a due 1m, b due 0m', 'b a'],
  ['the first ids of the same time', 'b due 0m, a due 0m', 'a b'],
  ['before all that is fresh', 'a missed 0m, b enquired_again 0m, c new 0m, d due -30m', 'd a b c'],
  ['before what is due to be retried', 'a not_reached -3h -1h, b due 10m', 'b a'],
  ['before a lead that went cold a year ago', 'a going_cold -365d, b due -30m', 'b a'],
  // Fresh: of the last 30 minutes.
  ['the newest first', 'a new -20m, b new -10m, c new -2m', 'c b a'],
  ['whatever it is', 'a new -3m, b missed -2m, c enquired_again -1m', 'c b a'],
  ['a missed call at the same moment', 'c new -5m, b enquired_again -5m, a missed -5m', 'a b c'],
  ['fresh for 30 minutes', 'a due -31m, b new -30m', 'b a'],
  ['not longer', 'a new -31m, b missed -30m', 'b a'],
  ['a new lead before an overdue promise', 'a due -2h, b new -15m', 'b a'],
  ['a missed call before an overdue promise', 'a due -45m, b missed -15m', 'b a'],
  ['an enquiry before an overdue promise', 'a due -1d, b enquired_again -1m', 'b a'],
  ['fresh before the rest of today', 'a missed -40m, b new -29m', 'b a'],
  ['fresh before retries', 'a not_reached -1d -1d, b new -29m', 'b a'],
  ['fresh before cold leads', 'a going_cold -30d, b missed -1m', 'b a'],
  ['fresh before all the others', 'a no_next_step -9d, b never_called -1m, c new -5m', 'c a b'],
  // Since the owner worked last.
  ['today, the newest first', 'a new -2h, b missed -1h, c enquired_again -3h', 'b a c'],
  ['before overdue promises', 'a due -2h, b new -2h', 'b a'],
  ['before promises of yesterday', 'a due -1d, b missed -14h', 'b a'],
  ['what came in the evening', 'a due -3h, b new -14h', 'b a'],
  ['until the last shift ended', 'a due -3h, b new -15h', 'b a'],
  ['what came during it is recent', 'a due -3h, b new -16h', 'a b'],
  ['what came at the weekend', 'a due -3h, b new -38h', 'b a', '-39h'],
  ['before the weekend', 'a due -3h, b new -40h', 'a b', '-39h'],
  ['an import of last night', 'a new -12h, b new -13h, c due -40m', 'a b c'],
  ['a missed call of today before a retry', 'a not_reached -1d -5h, b missed -5h', 'b a'],
  // Overdue promises.
  ['the most recent first', 'a due -3d, b due -2h, c due -40m', 'c b a'],
  ['before retries', 'a not_reached -2d -1d, b due -5d', 'b a'],
  ['before cold leads', 'a going_cold -60d, b due -31m', 'b a'],
  ['before older missed calls', 'a missed -2d, b due -20d', 'b a'],
  ['before leads without a next step', 'a no_next_step -20d, b due -40d', 'b a'],
  ['of months ago before a lead to retry', 'a not_reached -3h -1m, b due -90d', 'b a'],
  // Recent: at most three days ago.
  ['recent, the newest first', 'a new -2d, b missed -16h, c enquired_again -1d', 'b c a'],
  ['before retries', 'a not_reached -3h -1h, b new -16h', 'b a'],
  ['before cold leads', 'a going_cold -60d, b enquired_again -2d', 'b a'],
  ['after overdue promises', 'a missed -16h, b due -20d', 'b a'],
  ['until three days ago', 'a not_reached -3h -1h, b new -3d', 'b a'],
  ['older than that', 'a not_reached -3h -1h, b new -4d', 'a b'],
  // Retries.
  ['the longest due first', 'a not_reached -3h -1h, b not_reached -4h -2h', 'b a'],
  ['by when they are due, not by the call', 'a not_reached -2d -1h, b not_reached -3h -2h', 'b a'],
  ['before cold leads', 'a going_cold -60d, b not_reached -3h -1m', 'b a'],
  ['before older missed calls', 'a missed -4d, b not_reached -3h 0m', 'b a'],
  ['before older new leads', 'a new -4d, b not_reached -3h -5m', 'b a'],
  ['before leads without a next step', 'a no_next_step -5d, b not_reached -3h -5m', 'b a'],
  // Going cold.
  ['the longest first', 'a going_cold -8d, b going_cold -30d, c going_cold -9d', 'b c a'],
  ['before older missed calls', 'a missed -4d, b going_cold -7d', 'b a'],
  ['before older new leads', 'a new -4d, b going_cold -7d', 'b a'],
  ['before leads without a next step', 'a no_next_step -6d, b going_cold -7d', 'b a'],
  // Older missed calls, enquiries and new leads.
  ['older, the newest first', 'a missed -5d, b new -4d, c enquired_again -6d', 'b a c'],
  ['a missed call of 30 days', 'a no_next_step -60d, b missed -30d', 'b a'],
  ['a new lead of seven days', 'a no_next_step -60d, b new -7d', 'b a'],
  ['an older new lead', 'a no_next_step -1d, b new -8d', 'a b'],
  ['an enquiry of 20 days before leads without a next step', 'a no_next_step -9d, b enquired_again -20d', 'b a'],
  // No next step.
  ['the oldest contact first', 'a no_next_step -1d, b no_next_step -9d, c no_next_step -2d', 'b c a'],
  ['before leads that were never called', 'a never_called -1d, b no_next_step -1h', 'b a'],
  ['before older new leads', 'a new -20d, b no_next_step -1m', 'b a'],
  // Never called.
  ['the newest first', 'a never_called -20d, b never_called -2d', 'b a'],
  ['with older new leads', 'a never_called -20d, b new -10d, c never_called -9d', 'c b a'],
  ['last', 'a never_called -1m, b due -30d, c missed -30d, d no_next_step -1d', 'b c d a'],
  // One lead is in the queue once.
  ['a promise that is due, and a missed call', 'a missed -1m, a due -3m, b new 0m', 'a:due b'],
  ['an overdue promise, and a fresh call', 'a due -2h, a missed -1m, b due -1h', 'a:missed b'],
  ['two missed calls', 'a missed -2h, a missed -1m', 'a:missed'],
  ['a new lead that called', 'a new -10m, a missed -5m, b new -7m', 'a:missed b'],
  ['a new lead that called when it came', 'a new -5m, a missed -5m', 'a:missed'],
  ['a lead to retry that enquires', 'a not_reached -1d -3h, a enquired_again -1m', 'a:enquired_again'],
  ['a cold lead that was not reached', 'a going_cold -9d, a not_reached -9d -8d', 'a:not_reached'],
  ['a lead without a next step that called a week ago', 'a no_next_step -9d, a missed -7d', 'a:missed'],
  ['an older enquiry of a lead to retry', 'a enquired_again -9d, a not_reached -1d -1h', 'a:not_reached'],
  ['one lead', 'a new -1m', 'a'],
]

for (const [what, leads, order, lastWorked = yesterday] of rows) {
  test(`the most urgent lead is first: ${what} (${leads})`, () => {
    const queue = orderQueue(candidates(leads), { now: 0, lastWorked: at(lastWorked) })
    const wanted = order.split(' ').map((one) => one.split(':'))
    assert.deepEqual(
      queue.map(({ id, reason }, place) => (wanted[place]?.[1] ? [id, reason] : [id])),
      wanted,
    )
  })
}
