import type { RecordCounts, ReplayedDeliveries } from '#contract/intake/webhooks'

/** The results of a run so far. */
export interface ReplayRun {
  counts: RecordCounts
  /** Deliveries that became the records of a batch in this run. */
  batches: ReadonlySet<string>
}

export const emptyRun: ReplayRun = {
  counts: { created: 0, merged: 0, duplicate: 0, rejected: 0, ignored: 0, test: 0, waiting: 0 },
  batches: new Set(),
}

/** Adds results. A record that waited for another replay and is replayed in the same run no longer counts as waiting. */
export function withResults(run: ReplayRun, results: ReplayedDeliveries['results']): ReplayRun {
  const counts = { ...run.counts }
  const batches = new Set(run.batches)
  for (const { delivery_id, batch_id, outcome, records } of results) {
    if (records) {
      batches.add(delivery_id)
      for (const [name, count] of Object.entries(records)) counts[name as keyof RecordCounts] += count
    } else {
      counts[outcome]++
      if (batch_id !== null && batches.has(batch_id)) counts.waiting--
    }
  }
  return { counts, batches }
}
