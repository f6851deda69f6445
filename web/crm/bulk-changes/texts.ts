import { plural, t } from '@lingui/core/macro'
import type { BulkChange } from '#contract/crm/bulk-changes'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { formatCallAgain } from '../leads/call-again.ts'
import { priorityNames, statusNames } from '../leads/lead-words.ts'

/** "Owner: Bela and Chand · Status: Contacted" */
export function changeText({ change }: BulkChange): string {
  const { assign_to, status, lost_reason, priority, call_again_at, add_tags = [], remove_tags = [] } = change
  if (change.delete) return t`Delete`
  const parts = [
    assign_to === null
      ? t`Unassigned`
      : assign_to && t`Owner: ${{ owners: assign_to.map(({ name }) => name).join(', ') }}`,
    status && t`Status: ${{ status: statusNames[status] }}`,
    lost_reason && t`Lost reason: ${{ reason: lost_reason }}`,
    priority && t`Priority: ${{ priority: priorityNames[priority] }}`,
    call_again_at === null
      ? t`No time to call again`
      : call_again_at && t`Call again: ${{ time: formatCallAgain(call_again_at) }}`,
    (add_tags.length > 0 || remove_tags.length > 0) &&
      t`Tags: ${{ tags: [...add_tags.map((tag) => `+${tag}`), ...remove_tags.map((tag) => `−${tag}`)].join(' ') }}`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** "Changing 12,345 leads: 4,500 done" */
export function progressText(job: BulkChange): string {
  const { state, total, position, changed, skipped, unchanged, restored, kept, error } = job
  const isDeletion = job.change.delete === true
  const done = formatNumber(state === 'undoing' ? restored + kept : position)
  if (state === 'running' && position === 0)
    return isDeletion
      ? t`Deleting ${plural(total, { one: '# lead', other: '# leads' })}…`
      : t`Changing ${plural(total, { one: '# lead', other: '# leads' })}…`
  if (state === 'running')
    return isDeletion
      ? t`Deleting ${plural(total, { one: '# lead', other: '# leads' })}: ${done} done`
      : t`Changing ${plural(total, { one: '# lead', other: '# leads' })}: ${done} done`
  if (state === 'undoing') return t`Restoring ${plural(changed, { one: '# lead', other: '# leads' })}: ${done} done`
  if (state === 'undone')
    return kept > 0
      ? t`${plural(restored, { one: '# lead', other: '# leads' })} restored. ${plural(kept, { one: '# lead', other: '# leads' })} not restored: changed or deleted since`
      : t`${plural(restored, { one: '# lead', other: '# leads' })} restored`
  const counts = [
    isDeletion
      ? t`${plural(changed, { one: '# lead', other: '# leads' })} deleted`
      : t`${plural(changed, { one: '# lead', other: '# leads' })} changed`,
    unchanged > 0 && t`${{ count: formatNumber(unchanged) }} had these values already`,
    skipped > 0 && t`${{ count: formatNumber(skipped) }} skipped`,
  ]
    .filter(Boolean)
    .join(', ')
  if (state === 'cancelled') return t`Canceled. ${counts}`
  return state === 'stopped' ? t`Stopped: ${{ reason: String(error) }} ${counts}` : counts
}
