import type { BulkChange } from '#contract/bulk-changes'
import { formatCallAgain } from '../calls/call-again.ts'
import { formatCount, formatNumber } from '../ui/numbers.ts'

/** "Owner: Bela and Chand · Status: Contacted" */
export function changeText({ change }: BulkChange): string {
  const { assign_to, status, priority, call_again_at, add_tags = [], remove_tags = [] } = change
  if (change.delete) return 'Delete'
  const parts = [
    assign_to === null ? 'Unassigned' : assign_to && `Owner: ${assign_to.map(({ name }) => name).join(', ')}`,
    status && `Status: ${status}`,
    priority && `Priority: ${priority}`,
    call_again_at === null ? 'No time to call again' : call_again_at && `Call again: ${formatCallAgain(call_again_at)}`,
    (add_tags.length > 0 || remove_tags.length > 0) &&
      `Tags: ${[...add_tags.map((tag) => `+${tag}`), ...remove_tags.map((tag) => `−${tag}`)].join(' ')}`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** "Changing 12,345 leads: 4,500 done" */
export function progressText(job: BulkChange): string {
  const { state, total, position, changed, skipped, unchanged, restored, kept, error } = job
  const leads = formatCount(total, 'lead')
  const isDeletion = job.change.delete === true
  if (state === 'running' && position === 0) return `${isDeletion ? 'Deleting' : 'Changing'} ${leads}…`
  if (state === 'running') return `${isDeletion ? 'Deleting' : 'Changing'} ${leads}: ${formatNumber(position)} done`
  if (state === 'undoing') return `Restoring ${formatCount(changed, 'lead')}: ${formatNumber(restored + kept)} done`
  if (state === 'undone')
    return [
      `${formatCount(restored, 'lead')} restored`,
      kept > 0 && `${formatCount(kept, 'lead')} not restored: changed or deleted since`,
    ]
      .filter(Boolean)
      .join('. ')
  const done = [
    `${formatCount(changed, 'lead')} ${isDeletion ? 'deleted' : 'changed'}`,
    unchanged > 0 && `${formatNumber(unchanged)} had these values already`,
    skipped > 0 && `${formatNumber(skipped)} skipped`,
  ].filter(Boolean)
  const ended = state === 'cancelled' ? 'Canceled. ' : state === 'stopped' ? `Stopped: ${error} ` : ''
  return `${ended}${done.join(', ')}`
}
