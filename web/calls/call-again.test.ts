import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callAgainTimes } from './call-again.ts'

for (const [now, expected] of [
  // A Saturday in India, already Sunday there at the second one.
  ['2026-11-21T05:00:00Z', ['06:00', '08:00', '22 04:30', '23 04:30', '28 04:30']],
  ['2026-11-21T20:00:00Z', ['21:00', '23:00', '23 04:30', '29 04:30']],
  ['2026-11-23T05:00:00Z', ['06:00', '08:00', '24 04:30', '30 04:30']],
] as const) {
  test(`times to call again at ${now} are later today, and at ten in India`, () => {
    const times = callAgainTimes(Date.parse(now)).map(({ at }) => at)
    assert.equal(times.length, expected.length)
    for (const [place, at] of times.entries()) {
      const [first = '', second] = expected[place]!.split(' ')
      assert.ok(at.endsWith(second ? `${first}T${second}:00Z` : `T${first}:00Z`), `${at} ${expected[place]}`)
    }
  })
}
