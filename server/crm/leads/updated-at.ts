import { wholeSecond } from '../../platform/http/instants.ts'
import type { Submission } from './lead.ts'

/** When a submission is saved. It may have been received long before: a delivery that is replayed, a row of a file. */
export function savingTime({ received_at, saved_at = received_at }: Submission): Date {
  return wholeSecond(saved_at > received_at ? saved_at : received_at)
}

/**
 * `updated_at` of a lead that is changed: at least a second after the last change, so that each change has another time, and
 * programs that compare times see all of them.
 */
export function nextUpdate(before: Date, at: Date): Date {
  return new Date(Math.max(wholeSecond(at).getTime(), before.getTime() + 1000))
}
