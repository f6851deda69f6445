import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterWorkingMinutes } from './hours.ts'

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
for (const [what, at, minutes, expected] of due) {
  test(`an alert is due in working minutes: ${what}`, () => {
    assert.equal(text(afterWorkingMinutes(ist(at), minutes, hours)), expected)
  })
}

test('an alert is due in the end, even with one short working day a week', () => {
  const sundays = { days: [7], from: 600, until: 660 }
  assert.equal(text(afterWorkingMinutes(ist('2026-11-23 10:00'), 480, sundays)), '2027-01-17 11:00')
})
