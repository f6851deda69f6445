import assert from 'node:assert/strict'
import { test } from 'node:test'
import { absenceAt, availabilityAt, availableFrom, awaySentence } from './availability.ts'

/** Times are IST. 2026-11-23 is a Monday. */
const ist = (text: string) => new Date(`${text.replace(' ', 'T')}:00+05:30`)
const text = (at: Date | null) =>
  at && new Date(at.getTime() + 330 * 60_000).toISOString().slice(0, 16).replace('T', ' ')

const account = { workingHours: { days: [1, 2, 3, 4, 5, 6], from: 540, until: 1140 } }
const absence = (from: string, until: string) => ({ id: from, from: ist(from), until: ist(until) })
const user = {
  workingHours: null,
  absences: [
    absence('2026-11-24 11:00', '2026-11-25 00:00'),
    absence('2026-11-25 00:00', '2026-11-27 00:00'),
    absence('2026-12-01 00:00', '2026-12-06 00:00'),
  ],
}
const evenings = { ...user, workingHours: { days: [7], from: 1080, until: 1200 } }

for (const [what, person, at, state, until, from] of [
  ['within working hours', user, '2026-11-23 09:00', 'available', null, '2026-11-23 09:00'],
  ['before working hours', user, '2026-11-23 08:59', 'outside_hours', '2026-11-23 09:00', '2026-11-23 09:00'],
  ['at the end of working hours', user, '2026-11-23 19:00', 'outside_hours', '2026-11-24 09:00', '2026-11-24 09:00'],
  ['on a day off', user, '2026-11-29 12:00', 'outside_hours', '2026-11-30 09:00', '2026-11-30 09:00'],
  [
    'away, until the end of absences in a row',
    user,
    '2026-11-24 11:00',
    'away',
    '2026-11-27 00:00',
    '2026-11-27 09:00',
  ],
  ['back at the end of the absence', user, '2026-11-27 09:00', 'available', null, '2026-11-27 09:00'],
  ['the evening before leave', user, '2026-11-30 20:00', 'outside_hours', '2026-12-01 09:00', '2026-12-07 09:00'],
  ['with hours of their own', evenings, '2026-11-29 18:30', 'available', null, '2026-11-29 18:30'],
  ['outside of their own hours', evenings, '2026-11-23 11:00', 'outside_hours', '2026-11-29 18:00', '2026-11-29 18:00'],
] as const) {
  test(`a user is ${state} ${what}`, () => {
    const found = availabilityAt(account, person, ist(at))
    assert.deepEqual([found.state, found.state === 'available' ? null : text(found.until)], [state, until])
    assert.equal(text(availableFrom(account, person, ist(at))), from)
  })
}

test('a text names the last day of an absence', () => {
  const now = ist('2026-11-24 11:00')
  assert.equal(awaySentence('Asha', absenceAt(user, now)!, now), 'Asha is away until 26 Nov.')
  assert.equal(awaySentence('Asha', ist('2026-11-25 00:00'), now), 'Asha is away today.')
  assert.equal(awaySentence('Asha', ist('2027-01-04 00:00'), now), 'Asha is away until 3 Jan 2027.')
})
