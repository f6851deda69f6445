import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callAgainTimes } from './call-again.ts'

const usual = { work_days: [1, 2, 3, 4, 5, 6], work_from: 9 * 60, work_until: 19 * 60 }
const night = { work_days: [5, 6], work_from: 21 * 60, work_until: 2 * 60 }
const weekend = { work_days: [6, 7], work_from: 14 * 60, work_until: 18 * 60 }

for (const [name, hours, now, expected] of [
  [
    'a Saturday morning',
    usual,
    '2026-11-21T05:02',
    ['Today, 11:35', 'Today, 13:35', 'Mon 23 Nov', 'Tue 24 Nov', 'Sat 28 Nov'],
  ],
  [
    'before work',
    usual,
    '2026-11-24T03:00',
    ['Today, 09:30', 'Today, 10:00', 'Today, 11:30', 'Wed 25 Nov', 'Thu 26 Nov', 'Mon 30 Nov', 'Tue 1 Dec'],
  ],
  ['an evening', usual, '2026-12-03T13:00', ['Fri 4 Dec', 'Sat 5 Dec', 'Mon 7 Dec', 'Thu 10 Dec']],
  ['a Sunday in India already', usual, '2026-11-21T20:00', ['Mon 23 Nov', 'Tue 24 Nov', 'Mon 30 Nov']],
  [
    'a night shift',
    night,
    '2026-11-27T17:02',
    ['Today, 23:35', 'Sat 28 Nov, 01:35', 'Sat 28 Nov, 21:00', 'Fri 4 Dec, 21:00'],
  ],
  [
    'a night shift after midnight',
    night,
    '2026-11-27T18:40',
    ['Today, 01:10', 'Today, 21:00', 'Fri 4 Dec, 21:00', 'Sat 5 Dec, 21:00'],
  ],
  ['other hours', weekend, '2026-11-24T05:00', ['Sat 28 Nov, 14:00', 'Sun 29 Nov, 14:00', 'Sat 5 Dec, 14:00']],
] as const) {
  test(`times to call again on ${name} are in working hours`, () => {
    const times = callAgainTimes({ ...hours, work_days: [...hours.work_days] }, Date.parse(`${now}:00Z`))
    assert.deepEqual(
      times.map(({ label }) => label),
      expected.map((label) => (label.includes(',') ? label : `${label}, 10:00`)),
    )
    assert.ok(times.every(({ at }) => at > `${now}:00Z`))
  })
}

test('the label and the time are the same instant', () => {
  const [first] = callAgainTimes(usual, Date.parse('2026-12-03T13:00:00Z'))
  assert.deepEqual(first, { label: 'Fri 4 Dec, 10:00', at: '2026-12-04T04:30:00Z' })
})
