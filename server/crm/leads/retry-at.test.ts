import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAt } from './retry-at.ts'

/** Times are IST. 2026-11-23 is a Monday. */
const ist = (text: string) => new Date(`${text.replace(' ', 'T')}:00+05:30`)
const text = (at: Date) => new Date(at.getTime() + 330 * 60_000).toISOString().slice(0, 16).replace('T', ' ')

const days = [1, 2, 3, 4, 5, 6]
const usual = { firstRetryAfter: 120, hours: { days, from: 9 * 60, until: 19 * 60 } }
const rows: [what: string, attempts: number, last: string, expected: string, setting?: typeof usual][] = [
  ['the first attempt, two hours later', 1, '2026-11-23 10:00', '2026-11-23 12:00'],
  ['a call of the lead that was missed', 0, '2026-11-23 10:00', '2026-11-23 12:00'],
  ['the first attempt late in the day, next morning', 1, '2026-11-23 17:30', '2026-11-24 09:00'],
  ['until the end of the day', 1, '2026-11-23 16:59', '2026-11-23 18:59'],
  ['the first attempt in the night, at the start of work', 1, '2026-11-24 05:00', '2026-11-24 09:00'],
  ['the first attempt on Saturday evening, on Monday', 1, '2026-11-28 18:00', '2026-11-30 09:00'],
  ['the first attempt on a day off', 1, '2026-11-29 12:00', '2026-11-30 09:00'],
  ['half an hour, chosen by the account', 1, '2026-11-23 10:00', '2026-11-23 10:30', { ...usual, firstRetryAfter: 30 }],
  [
    'next morning, chosen by the account',
    1,
    '2026-11-23 10:00',
    '2026-11-24 10:00',
    { ...usual, firstRetryAfter: 1440 },
  ],
  ['the second attempt, next morning', 2, '2026-11-23 10:00', '2026-11-24 09:00'],
  ['the second attempt after midnight, next morning', 2, '2026-11-24 00:30', '2026-11-25 09:00'],
  ['the second attempt on Saturday, on Monday', 2, '2026-11-28 11:00', '2026-11-30 09:00'],
  ['the third attempt in the morning, next afternoon', 3, '2026-11-23 11:00', '2026-11-24 17:00'],
  ['the third attempt in the afternoon, next morning', 3, '2026-11-23 13:00', '2026-11-24 10:30'],
  ['many attempts', 12, '2026-11-23 12:59', '2026-11-24 17:00'],
  ['the third attempt on Saturday, on Monday', 3, '2026-11-28 17:00', '2026-11-30 10:30'],
  [
    'a shift without an afternoon',
    3,
    '2026-11-23 10:00',
    '2026-11-24 13:00',
    { ...usual, hours: { days, from: 8 * 60, until: 14 * 60 } },
  ],
  [
    'a shift without a morning',
    3,
    '2026-11-23 16:00',
    '2026-11-24 12:30',
    { ...usual, hours: { days, from: 12 * 60, until: 20 * 60 } },
  ],
  [
    'a shift over midnight',
    2,
    '2026-11-23 22:00',
    '2026-11-24 20:00',
    { ...usual, hours: { days, from: 20 * 60, until: 2 * 60 } },
  ],
]
for (const [what, attempts, last, expected, setting = usual] of rows) {
  test(`a lead that was not reached is called again: ${what}`, () => {
    assert.equal(text(retryAt({ attempts, last_call_at: ist(last) }, setting)), expected)
  })
}
