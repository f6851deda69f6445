import type { DeliveryPreview } from '#contract/payload'
import type { RecordCounts } from '#contract/webhooks'
import { formatCount, formatNumber } from '../ui/numbers.ts'

/** The outcomes that the records of a request would have; the first record is shown. */
export function recordsSummary({
  total,
  more,
  leads,
  ignored,
  rejected,
}: NonNullable<DeliveryPreview['records']>): string {
  const tried = leads + ignored + rejected
  const parts = [
    formatCount(leads, 'makes a lead', 'make a lead'),
    ...(ignored > 0 ? [formatCount(ignored, 'is ignored', 'are ignored')] : []),
    ...(rejected > 0 ? [formatCount(rejected, 'is rejected', 'are rejected')] : []),
  ]
  const all = `${more ? 'more than ' : ''}${formatNumber(total)}`
  const of = tried < total ? ` Of the first ${tried},` : ''
  return `The first of ${all} records is shown.${of} ${parts.join(', ')}.`
}

/** "2 created, 1 still rejected"; empty if nothing was replayed. */
export function replayedSummary(counts: RecordCounts): string {
  const parts = [
    counts.created > 0 && `${counts.created} created`,
    counts.merged > 0 && `${counts.merged} merged`,
    counts.duplicate > 0 && `${counts.duplicate} duplicate`,
    counts.rejected > 0 && `${counts.rejected} still rejected`,
    counts.ignored > 0 && `${counts.ignored} ignored`,
    counts.test > 0 && formatCount(counts.test, 'test'),
    counts.waiting > 0 && `${formatNumber(counts.waiting)} waiting for another replay`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** How many were replayed, without those that wait. */
export function replayedCount(counts: RecordCounts): number {
  const { waiting, ...replayed } = counts
  return Object.values(replayed).reduce((sum, count) => sum + count, 0)
}
