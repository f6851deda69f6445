import { type QueueReason, queueReasons } from './contract.ts'

const minute = 60_000
const day = 86_400_000

/** A promised call belongs to its time, from so long before it until so long after. */
export const promiseStarts = 10 * minute
const promiseEnds = 30 * minute
/** A customer who has just called or written still waits for the call. */
const fresh = 30 * minute
/** What came in the days before and was not tried yet goes before retries. */
const recent = 3 * day
/** Older new leads are left to the end. */
const newFor = 7 * day

/** A lead to call, with one reason. A lead may have several. Times are milliseconds. */
export interface Candidate {
  id: string
  reason: QueueReason
  since: number
  /** When a lead that was not reached is due again. */
  retry_at?: number
}

/** The most urgent first (docs/reference/call-next.md). */
const urgencies = [
  'promised',
  'fresh',
  'today',
  'overdue',
  'recent',
  'retry',
  'cold',
  'older',
  'undecided',
  'uncalled',
] as const

interface Times {
  now: number
  /** When the owner worked last, before today. */
  lastWorked: number
}

interface Placed extends Candidate {
  urgency: (typeof urgencies)[number]
  /** Within its urgency, the smallest first. */
  place: number
}

/** Returns each lead once, for its most urgent reason, the most urgent first. */
export function orderQueue(candidates: Candidate[], times: Times): Candidate[] {
  const placed = candidates.map((one) => ({ ...one, ...placeOf(one, times) })).toSorted(byUrgency)
  const seen = new Set<string>()
  return placed.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function placeOf({ reason, since, retry_at = since }: Candidate, { now, lastWorked }: Times) {
  const age = now - since
  const at = (urgency: Placed['urgency'], place: number) => ({ urgency, place })
  switch (reason) {
    case 'due':
      return age <= promiseEnds ? at('promised', Math.abs(age)) : at('overdue', age)
    case 'missed':
    case 'enquired_again':
    case 'new':
      if (age <= fresh) return at('fresh', age)
      if (since >= lastWorked) return at('today', age)
      if (age <= recent) return at('recent', age)
      return at(reason === 'new' && age > newFor ? 'uncalled' : 'older', age)
    case 'not_reached':
      return at('retry', retry_at)
    case 'going_cold':
      return at('cold', since)
    case 'no_next_step':
      return at('undecided', since)
    case 'never_called':
      return at('uncalled', age)
  }
}

const byUrgency = (one: Placed, other: Placed) =>
  urgencies.indexOf(one.urgency) - urgencies.indexOf(other.urgency) ||
  one.place - other.place ||
  queueReasons.indexOf(one.reason) - queueReasons.indexOf(other.reason) ||
  (one.id < other.id ? -1 : 1)
