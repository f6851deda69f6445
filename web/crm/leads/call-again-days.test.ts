import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atTime, callAgainDays, callAgainTimes, nextFullHour, onDay, timesOfDay } from './call-again-days.ts'

const usual = { work_days: [1, 2, 3, 4, 5, 6], work_from: 9 * 60, work_until: 19 * 60 }
const night = { work_days: [5, 6], work_from: 21 * 60, work_until: 2 * 60 }
const afternoon = { work_days: [1, 2, 3, 4, 5], work_from: 14 * 60, work_until: 18 * 60 }
/** In IST. */
const at = (time: string) => Date.parse(`${time}:00+05:30`)

for (const [name, hours, now, days, today, tomorrow] of [
  [
    'a Saturday morning',
    usual,
    '2026-11-21T10:32',
    ['Today', 'Mon 23 Nov', 'In 3 days', 'Next week'],
    ['11:00', '11:35', '12:00', '13:35', '16:00', '18:00'],
    ['10:00', '11:00', '12:00', '16:00', '18:00'],
  ],
  [
    'an evening',
    usual,
    '2026-12-03T18:30',
    ['Tomorrow', 'Mon 7 Dec', 'Next week'],
    [],
    ['10:00', '11:00', '12:00', '16:00', '18:00'],
  ],
  [
    'a Sunday',
    usual,
    '2026-11-22T12:00',
    ['Tomorrow', 'In 3 days', 'Mon 30 Nov'],
    [],
    ['10:00', '11:00', '12:00', '16:00', '18:00'],
  ],
  [
    'a night shift',
    night,
    '2026-11-27T22:32',
    ['Today', 'Tomorrow', 'Next week'],
    ['23:00', '23:35'],
    ['21:00', '22:00', '23:00'],
  ],
  [
    'an afternoon',
    afternoon,
    '2026-11-24T09:00',
    ['Today', 'Tomorrow', 'In 3 days', 'Next week'],
    ['14:00', '15:00', '16:00', '17:00'],
    ['14:00', '15:00', '16:00', '17:00'],
  ],
] as const) {
  test(`days and times to call again on ${name} are in working hours`, () => {
    const given = { ...hours, work_days: [...hours.work_days] }
    const offered = callAgainDays(given, at(now))
    assert.deepEqual(
      offered.map(({ label }) => label),
      days,
    )
    assert.deepEqual(timesOfDay(given, now.slice(0, 10), at(now)), today)
    const next = offered.find(({ day }) => day !== now.slice(0, 10))!
    assert.deepEqual(timesOfDay(given, next.day, at(now)), tomorrow)
  })
}

test('one list has the times of today, and the first one of each other day, as instants', () => {
  const list = callAgainTimes(usual, at('2026-11-21T16:32'))
  assert.deepEqual(list, [
    { label: 'Today, 17:35', at: '2026-11-21T12:05:00Z' },
    { label: 'Today, 18:00', at: '2026-11-21T12:30:00Z' },
    { label: 'Mon 23 Nov, 10:00', at: '2026-11-23T04:30:00Z' },
    { label: 'Tue 24 Nov, 10:00', at: '2026-11-24T04:30:00Z' },
    { label: 'Sat 28 Nov, 10:00', at: '2026-11-28T04:30:00Z' },
  ])
})

test('a day and a time are chosen in any order, and the next full hour is ahead', () => {
  const now = at('2026-11-24T10:10')
  assert.equal(onDay(usual, '', '2026-11-25', now), '2026-11-25T10:00')
  assert.equal(onDay(usual, '2026-11-25T16:00', '2026-11-27', now), '2026-11-27T16:00')
  assert.equal(onDay(usual, '2026-11-25T10:00', '2026-11-24', now), '2026-11-24T11:00')
  assert.equal(atTime(usual, '', '11:00', now), '2026-11-25T11:00')
  assert.equal(atTime(usual, '2026-11-27T10:00', '11:00', now), '2026-11-27T11:00')
  for (const [time, hour] of [
    ['2026-11-24T10:10', '2026-11-24T11:00'],
    ['2026-11-24T10:00', '2026-11-24T11:00'],
    ['2026-11-24T23:28', '2026-11-25T09:00'],
    ['2026-11-28T18:30', '2026-11-30T09:00'],
  ] as const)
    assert.equal(nextFullHour(usual, at(time)), hour)
  assert.equal(nextFullHour(night, at('2026-11-28T23:28')), '2026-11-29T00:00')
  assert.equal(nextFullHour(night, at('2026-11-29T01:28')), '2026-12-04T21:00')
})
