import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfQuietHours } from './quiet-hours.ts'

/** Times are IST. 2026-11-23 is a Monday. */
const ist = (text: string) => new Date(`${text.replace(' ', 'T')}:00+05:30`)
const text = (at: Date | null) =>
  at && new Date(at.getTime() + 330 * 60_000).toISOString().slice(0, 16).replace('T', ' ')

const night = { from: 21 * 60, until: 8 * 60 }
const lunch = { from: 13 * 60, until: 14 * 60 }
const quiet: [what: string, at: string, hours: typeof night | null, ends: string | null][] = [
  ['none are set', '2026-11-23 23:00', null, null],
  ['they start and end at the same minute', '2026-11-23 23:00', { from: 60, until: 60 }, null],
  ['in the evening', '2026-11-23 21:00', night, '2026-11-24 08:00'],
  ['in the morning', '2026-11-23 07:59', night, '2026-11-23 08:00'],
  ['they have just ended', '2026-11-23 08:00', night, null],
  ['they start soon', '2026-11-23 20:59', night, null],
  ['within a day', '2026-11-23 13:30', lunch, '2026-11-23 14:00'],
  ['before those of a day', '2026-11-23 12:59', lunch, null],
  ['after those of a day', '2026-11-23 14:00', lunch, null],
]
for (const [what, at, hours, ends] of quiet) {
  test(`quiet hours: ${what}`, () => {
    assert.equal(text(endOfQuietHours(ist(at), hours)), ends)
  })
}
