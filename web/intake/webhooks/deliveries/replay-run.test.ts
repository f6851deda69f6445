import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordCounts, ReplayedDeliveries } from '#contract/intake/webhooks'
import { emptyRun, withResults } from './replay-run.ts'

type Result = ReplayedDeliveries['results'][number]

const none: RecordCounts = { created: 0, merged: 0, duplicate: 0, rejected: 0, ignored: 0, test: 0, waiting: 0 }
const result = (delivery_id: string, more: Partial<Result> = {}): Result => ({
  delivery_id,
  batch_id: null,
  outcome: 'created',
  lead_id: null,
  error: null,
  records: null,
  ...more,
})

test('a record that waits and is replayed later in the same run is counted once', () => {
  const first = withResults(emptyRun, [
    result('one'),
    result('batch', { records: { ...none, created: 100, waiting: 30 } }),
  ])
  assert.deepEqual(first.counts, { ...none, created: 101, waiting: 30 })
  const second = withResults(first, [
    result('record 101', { batch_id: 'batch' }),
    result('record 102', { batch_id: 'batch', outcome: 'rejected' }),
  ])
  assert.deepEqual(second.counts, { ...none, created: 102, rejected: 1, waiting: 28 })
})

test('a record that has waited since an earlier run does not change how many wait', () => {
  const { counts } = withResults(emptyRun, [result('record 7', { batch_id: 'earlier' })])
  assert.deepEqual(counts, { ...none, created: 1 })
})
