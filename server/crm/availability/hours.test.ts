import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterWorkingMinutes, isWithin, lastShiftEnd } from './hours.ts'

/** Times are IST. 2026-11-23 is a Monday. */
const ist = (text: string) => new Date(`${text.replace(' ', 'T')}:00+05:30`)
const text = (at: Date | null) =>
  at && new Date(at.getTime() + 330 * 60_000).toISOString().slice(0, 16).replace('T', ' ')

const hours = { days: [1, 2, 3, 4, 5, 6], from: 540, until: 1140 }
const due: [what: string, at: string, minutes: number, due: string][] = [
  ['within the hours', '2026-11-23 10:00', 15, '2026-11-23 10:15'],
  ['before the hours', '2026-11-23 07:00', 15, '2026-11-23 09:15'],
  ['until the last minute of the day', '2026-11-23 18:45', 15, '2026-11-23 19:00'],
  ['over the end of the day', '2026-11-23 18:50', 15, '2026-11-24 09:05'],
  ['after the hours', '2026-11-23 22:00', 15, '2026-11-24 09:15'],
  ['over a Sunday', '2026-11-28 18:55', 15, '2026-11-30 09:10'],
  ['on a Sunday', '2026-11-29 12:00', 15, '2026-11-30 09:15'],
  ['over several days', '2026-11-23 18:00', 480 + 60, '2026-11-24 17:00'],
  ['after midnight, which is the day before in UTC', '2026-11-24 00:10', 15, '2026-11-24 09:15'],
]
const nights = { days: [5, 6], from: 21 * 60, until: 2 * 60 }
const overMidnight: typeof due = [
  ['in the evening', '2026-11-27 21:30', 15, '2026-11-27 21:45'],
  ['over midnight', '2026-11-27 23:50', 15, '2026-11-28 00:05'],
  ['after midnight, in the shift of the day before', '2026-11-28 01:00', 60, '2026-11-28 02:00'],
  ['after its end', '2026-11-28 02:00', 15, '2026-11-28 21:15'],
  ['after midnight on a day without a shift', '2026-11-29 00:30', 30, '2026-11-29 01:00'],
  ['after the last shift of the week', '2026-11-29 01:50', 15, '2026-12-04 21:05'],
  ['on a day off, though the next day has one', '2026-11-27 01:00', 15, '2026-11-27 21:15'],
  ['over two shifts', '2026-11-27 22:00', 300, '2026-11-28 22:00'],
]
for (const [title, times, rows] of [
  ['an alert is due in working minutes', hours, due],
  ['an alert is due in the working minutes of a shift over midnight', nights, overMidnight],
] as const)
  for (const [what, at, minutes, expected] of rows) {
    test(`${title}: ${what}`, () => {
      assert.equal(text(afterWorkingMinutes(ist(at), minutes, times)), expected)
    })
  }

const shifts: [from: string, until: string, at: string, isWithin: boolean][] = [
  ['21:00', '02:00', '2026-11-27 20:59', false],
  ['21:00', '02:00', '2026-11-27 21:00', true],
  ['21:00', '02:00', '2026-11-28 01:59', true],
  ['21:00', '02:00', '2026-11-28 02:00', false],
  ['21:00', '02:00', '2026-11-29 01:00', true],
  ['21:00', '02:00', '2026-11-27 01:00', false],
  ['22:00', '06:00', '2026-11-28 05:59', true],
  ['16:00', '24:00', '2026-11-27 23:59', true],
  ['16:00', '24:00', '2026-11-28 00:00', false],
  ['00:00', '24:00', '2026-11-27 00:00', true],
  ['09:00', '09:00', '2026-11-29 08:59', true],
  ['09:00', '09:00', '2026-11-29 09:00', false],
]
for (const [from, until, at, expected] of shifts) {
  test(`${at} is ${expected ? '' : 'not '}within ${from} to ${until} of a Friday and a Saturday`, () => {
    const [start, end] = [from, until].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))
    assert.equal(isWithin({ days: [5, 6], from: start!, until: end! }, ist(at)), expected)
  })
}

test('an alert is due in the end, even with one short working day a week', () => {
  const sundays = { days: [7], from: 600, until: 660 }
  assert.equal(text(afterWorkingMinutes(ist('2026-11-23 10:00'), 480, sundays)), '2027-01-17 11:00')
})

const ends: [at: string, times: typeof hours, end: string][] = [
  ['2026-11-24 08:00', hours, '2026-11-23 19:00'],
  ['2026-11-24 15:00', hours, '2026-11-23 19:00'],
  ['2026-11-24 19:00', hours, '2026-11-24 19:00'],
  ['2026-11-30 09:30', hours, '2026-11-28 19:00'],
  ['2026-11-28 01:00', nights, '2026-11-22 02:00'],
  ['2026-11-28 03:00', nights, '2026-11-28 02:00'],
  ['2026-11-26 12:00', { ...hours, days: [4] }, '2026-11-19 19:00'],
]
for (const [at, times, end] of ends) {
  test(`the last shift before ${at} ended at ${end}`, () => assert.equal(text(lastShiftEnd(ist(at), times)), end))
}
