import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDuration } from '../../platform/http/parse-time.ts'
import { chooseDateOrder, noteDateSigns, readCellTime } from './read-time.ts'

for (const [text, expected] of [
  ['31/12/2025', '2025-12-30T18:30:00.000Z'],
  ['31-12-2025', '2025-12-30T18:30:00.000Z'],
  ['31.12.2025', '2025-12-30T18:30:00.000Z'],
  ['31/12/25', '2025-12-30T18:30:00.000Z'],
  ['03/04/2025', '2025-04-02T18:30:00.000Z'],
  ['3/4/2025 9:05', '2025-04-03T03:35:00.000Z'],
  ['31-Dec-2025 10:22 PM', '2025-12-31T16:52:00.000Z'],
  ['31-Dec-2025, 10:22:33 pm', '2025-12-31T16:52:33.000Z'],
  ['31 December 2025 12:05 AM', '2025-12-30T18:35:00.000Z'],
  ['31st Dec, 2025 at 12:05 p.m.', '2025-12-31T06:35:00.000Z'],
  ['31-Dec-25', '2025-12-30T18:30:00.000Z'],
  ['Dec 31, 2025', '2025-12-30T18:30:00.000Z'],
  ['December 31 2025 22:22', '2025-12-31T16:52:00.000Z'],
  ['Wed, 31 Dec 2025 22:22:00 +0530', '2025-12-31T16:52:00.000Z'],
  ['Wed Dec 31 2025 22:22:00 GMT+0530 (India Standard Time)', '2025-12-31T16:52:00.000Z'],
  ['2025-12-31', '2025-12-30T18:30:00.000Z'],
  ['2025/12/31 10:22', '2025-12-31T04:52:00.000Z'],
  ['2025-12-31 10:22:33', '2025-12-31T04:52:33.000Z'],
  ['2025-12-31T10:22:33', '2025-12-31T04:52:33.000Z'],
  ['2025-12-31T10:22:33.123Z', '2025-12-31T10:22:33.000Z'],
  ['2025-12-31T10:22:33+05:30', '2025-12-31T04:52:33.000Z'],
  ['2025-12-31T10:22:33.000+0000', '2025-12-31T10:22:33.000Z'],
  ['2025-12-31 10:22:33 UTC', '2025-12-31T10:22:33.000Z'],
  ['2025-12-31 10:22 IST', '2025-12-31T04:52:00.000Z'],
  ['20251231', '2025-12-30T18:30:00.000Z'],
  ['46022', '2025-12-30T18:30:00.000Z'],
  ['46022.932', '2025-12-31T16:52:05.000Z'],
  ['1767198120', '2025-12-31T16:22:00.000Z'],
  ['1767198120123', '2025-12-31T16:22:00.000Z'],
  ['29/02/2024', '2024-02-28T18:30:00.000Z'],
] as const) {
  test(`${text} is read as ${expected}`, () => assert.equal(readCellTime(text)?.toISOString(), expected))
}

for (const text of [
  '',
  '-',
  'yesterday',
  '31/02/2025',
  '29/02/2025',
  '12/31/2025',
  '2025-13-01',
  '31/12/2025 25:00',
  '31/12/2025 13:00 PM',
  '31/12/2025 or later',
  '12345',
  '9820012345678901',
  '98200 11223',
  '1'.repeat(100),
]) {
  const wanted = text === '12345' ? '1933-10-17T18:30:00.000Z' : undefined
  test(`“${text.slice(0, 20)}” is ${wanted ?? 'no date'}`, () =>
    assert.equal(readCellTime(text)?.toISOString(), wanted))
}

test('a column is read month first only if its values cannot be day first', () => {
  for (const [cells, expected] of [
    [['03/04/2025'], 'day first'],
    [['03/04/2025', '13/04/2025'], 'day first'],
    [['03/04/2025', '12/31/2025'], 'month first'],
    [['12/31/2025', '13/04/2025'], 'day first'],
    [['2025-01-31', 'x'], 'day first'],
  ] as const) {
    const signs = { dayFirst: false, monthFirst: false, ambiguous: false }
    for (const cell of cells) noteDateSigns(signs, cell)
    assert.equal(chooseDateOrder(signs), expected, cells.join())
  }
  assert.equal(readCellTime('03/04/2025', 'month first')?.toISOString(), '2025-03-03T18:30:00.000Z')
})

for (const [text, unit, seconds] of [
  ['125', 'seconds', 125],
  ['0', 'seconds', 0],
  ['2', 'minutes', 120],
  ['1.5', 'minutes', 90],
  ['00:02:05', 'seconds', 125],
  ['2:05', 'seconds', 125],
  ['1:02:05', 'minutes', 3725],
  ['2 min 5 sec', 'seconds', 125],
  ['2m 5s', 'seconds', 125],
  ['1 hr 2 mins', 'seconds', 3720],
  ['1h 2m 5s', 'seconds', 3725],
  ['45 seconds', 'minutes', 45],
  ['', 'seconds', undefined],
  ['long', 'seconds', undefined],
  ['-5', 'seconds', undefined],
] as const) {
  test(`a duration of “${text}” in ${unit} is ${seconds} s`, () => assert.equal(readDuration(text, unit), seconds))
}
