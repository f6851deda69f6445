import type { AuditEntry } from '#contract/access/audit'
import { formatDate } from '../../platform/ui/time.ts'

/** Consecutive similar entries, shown as one sentence: the leads of an import, the replays of a webhook. */
export type Run = [AuditEntry, ...AuditEntry[]]

const folded = ['lead.created', 'lead.merged', 'call_log.created', 'delivery.replayed']

/** Groups entries by day and run. They are sorted newest first. */
export function byDay(entries: AuditEntry[]): { day: string; runs: Run[] }[] {
  const days: { day: string; runs: Run[] }[] = []
  for (const entry of entries) {
    const day = formatDate(entry.at)
    const today = days.at(-1)
    const run = today?.runs.at(-1)
    if (today?.day !== day) days.push({ day, runs: [[entry]] })
    else if (run && isSameKind(run[0], entry)) run.push(entry)
    else today.runs.push([entry])
  }
  return days
}

const isSameKind = (one: AuditEntry, other: AuditEntry) =>
  folded.includes(one.action) &&
  one.action === other.action &&
  one.via === other.via &&
  one.via_name === other.via_name &&
  one.user?.id === other.user?.id
