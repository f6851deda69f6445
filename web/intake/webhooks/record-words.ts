import { plural, t } from '@lingui/core/macro'
import type { DeliveryPreview } from '#contract/intake/payload'
import type { RecordCounts } from '#contract/intake/webhooks'
import { formatList } from '../../platform/ui/lists.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'

/** The outcomes that the records of a request would have; the first record is shown. */
export function recordsSummary({
  total,
  more,
  leads,
  ignored,
  rejected,
}: NonNullable<DeliveryPreview['records']>): string {
  const tried = leads + ignored + rejected
  const outcomes = formatList([
    plural(leads, { one: '# makes a lead', other: '# make a lead' }),
    ...(ignored > 0 ? [plural(ignored, { one: '# is ignored', other: '# are ignored' })] : []),
    ...(rejected > 0 ? [plural(rejected, { one: '# is rejected', other: '# are rejected' })] : []),
  ])
  const all = formatNumber(total)
  const shown = more ? t`The first of more than ${all} records is shown.` : t`The first of ${all} records is shown.`
  const summary = tried < total ? t`Of the first ${tried}, ${outcomes}.` : t`${outcomes}.`
  return `${shown} ${summary}`
}

/** "2 created, 1 still rejected"; empty if nothing was replayed. */
export function replayedSummary(counts: RecordCounts): string {
  const { created, merged, duplicate, rejected, ignored, test, waiting } = counts
  const parts = [
    created > 0 && t`${created} created`,
    merged > 0 && t`${merged} merged`,
    duplicate > 0 && t`${duplicate} duplicate`,
    rejected > 0 && t`${rejected} still rejected`,
    ignored > 0 && t`${ignored} ignored`,
    test > 0 && plural(test, { one: '# test', other: '# tests' }),
    waiting > 0 && t`${{ waiting: formatNumber(waiting) }} waiting for another replay`,
  ]
  return formatList(parts.filter((text) => text !== false))
}

/** How many were replayed, without those that wait. */
export function replayedCount(counts: RecordCounts): number {
  const { waiting, ...replayed } = counts
  return Object.values(replayed).reduce((sum, count) => sum + count, 0)
}
