import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordsSummary, replayedCount, replayedSummary } from './record-words.ts'

test('the records of a request are counted, also beyond those that were read', () => {
  assert.equal(
    recordsSummary({ total: 3, more: false, leads: 1, ignored: 0, rejected: 2 }),
    'The first of 3 records is shown. 1 makes a lead, 2 are rejected.',
  )
  assert.equal(
    recordsSummary({ total: 5000, more: true, leads: 98, ignored: 1, rejected: 1 }),
    'The first of more than 5,000 records is shown. Of the first 100, 98 make a lead, 1 is ignored, 1 is rejected.',
  )
  const counts = { created: 98, merged: 1, duplicate: 0, rejected: 1, ignored: 0, test: 0, waiting: 30 }
  assert.equal(replayedSummary(counts), '98 created, 1 merged, 1 still rejected, 30 waiting for another replay')
  assert.equal(replayedCount(counts), 100)
})
