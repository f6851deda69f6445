import type { AuditEntry } from '#contract/audit'
import { formatDate } from '../ui/time.ts'

/** One after the other alike: an import's leads, a campaign's deliveries, what was replayed. They are told in one sentence. */
export type Run = [AuditEntry, ...AuditEntry[]]

const folded = ['lead.created', 'lead.merged', 'call_log.created', 'delivery.replayed']

/** As they come, newest first. */
export function byDay(entries: AuditEntry[]): { day: string; runs: Run[] }[] {
  const days: { day: string; runs: Run[] }[] = []
  for (const entry of entries) {
    const day = formatDate(entry.at)
    const today = days.at(-1)
    const run = today?.runs.at(-1)
    if (today?.day !== day) days.push({ day, runs: [[entry]] })
    else if (run && alike(run[0], entry)) run.push(entry)
    else today.runs.push([entry])
  }
  return days
}

const alike = (one: AuditEntry, other: AuditEntry) =>
  folded.includes(one.action) &&
  one.action === other.action &&
  one.via === other.via &&
  one.via_name === other.via_name &&
  one.user?.id === other.user?.id
