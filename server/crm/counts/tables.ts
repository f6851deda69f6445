/** What is counted by IST day: its rows, and the tables of its counts and of changes to them. */
export interface CountTables {
  counts: string
  changes: string
  /** The table whose rows are counted, by the day of `time`. */
  rows: string
  time: string
  columns: string[]
  /** The sets of columns by which the counts are kept. The other columns of such a count are null, which means any value. */
  kept: string[][]
}

export const leadCounts: CountTables = {
  counts: 'lead_counts',
  changes: 'lead_count_changes',
  rows: 'leads',
  time: 'created_at',
  columns: ['assigned_to', 'status', 'source', 'priority'],
  kept: [
    [],
    ['assigned_to'],
    ['status'],
    ['source'],
    ['priority'],
    ['status', 'source', 'priority'],
    ['assigned_to', 'status', 'source', 'priority'],
  ],
}

export const callCounts: CountTables = {
  counts: 'call_counts',
  changes: 'call_count_changes',
  rows: 'call_logs',
  time: 'called_at',
  columns: ['assigned_to', 'call_type'],
  kept: [[], ['assigned_to'], ['call_type'], ['assigned_to', 'call_type']],
}

export const deliveryCounts: CountTables = {
  counts: 'delivery_counts',
  changes: 'delivery_count_changes',
  rows: 'deliveries',
  time: 'received_at',
  columns: ['webhook_id', 'outcome'],
  kept: [['webhook_id', 'outcome']],
}

export const allCounts = [leadCounts, callCounts, deliveryCounts]

/** The assignee of unassigned leads and their calls in counts, where null means any assignee. */
export const unassigned = '00000000-0000-0000-0000-000000000000'

/** For GROUP BY, of rows with these columns and a `day`. */
export const groupingSets = ({ kept }: CountTables) =>
  `day, grouping sets (${kept.map((columns) => `(${columns.join(', ')})`).join(', ')})`
