import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busy, tooManyLookups, unavailable } from './problem.ts'

for (const problem of [unavailable, busy, tooManyLookups]) {
  test(`${problem.name}: 503 with a Retry-After of 5 to 10 seconds, at random`, () => {
    const waits = Array.from({ length: 1000 }, () => problem().headers['retry-after'])
    assert.equal(problem().status, 503)
    assert.deepEqual(
      [...new Set(waits)].map(Number).sort((a, b) => a - b),
      [5, 6, 7, 8, 9, 10],
    )
  })
}
