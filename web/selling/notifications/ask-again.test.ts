import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayAsk } from './ask-again.ts'

const day = 86_400_000

for (const [times, daysAgo, asks] of [
  [0, 0, true],
  [1, 6.9, false],
  [1, 7, true],
  [2, 6.9, false],
  [2, 7, true],
  [3, 400, false],
] as const) {
  test(`a device that was asked ${times} times, ${daysAgo} days ago, is ${asks ? '' : 'not '}asked`, () => {
    assert.equal(mayAsk({ times, at: 1000 }, 1000 + daysAgo * day), asks)
  })
}
