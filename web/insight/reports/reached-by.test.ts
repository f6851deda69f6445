import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reachedBy } from './reached-by.ts'

test('lost leads count for each status that they had, and for the first one if their last status is not known', () => {
  const { total, unknown, stages } = reachedBy([
    { status: 'New', leads: 10, lost: 1 },
    { status: 'Contacted', leads: 5, lost: 2 },
    { status: 'Qualified', leads: 0, lost: 3 },
    { status: 'Proposal', leads: 4, lost: 0 },
    { status: 'Won', leads: 6, lost: 0 },
    { status: null, leads: 0, lost: 7 },
  ])
  assert.deepEqual([total, unknown], [38, 7])
  assert.deepEqual(
    stages.map(({ status, reached, lost }) => [status, reached, lost]),
    [
      ['New', 38, 1],
      ['Contacted', 20, 2],
      ['Qualified', 13, 3],
      ['Proposal', 10, 0],
      ['Won', 6, 0],
    ],
  )
})
