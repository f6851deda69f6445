import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatIsoDate,
  formatRelative,
  formatSpan,
  istDay,
} from './time.ts'

test('times are shown in IST, in any time zone', () => {
  assert.equal(formatDateTime('2026-11-21T05:00:00Z'), '21 Nov 2026, 10:30')
  assert.equal(formatDateTime('2026-11-21T18:30:00Z'), '22 Nov 2026, 00:00')
  assert.equal(formatDate('2026-11-21T18:29:59Z'), '21 Nov 2026')
  assert.equal(formatDate('2026-12-31T18:30:00Z'), '1 Jan 2027')
  assert.equal(formatIsoDate('2026-11-01'), '1 Nov')
  assert.match(istDay(), /^\d{4}-\d\d-\d\d$/)
})

test('relative times use the largest unit that fits', () => {
  const now = Date.parse('2026-11-21T05:00:00Z')
  for (const [seconds, words] of [
    [10, 'just now'],
    [-10, 'just now'],
    [50, '50 s ago'],
    [59.7, '1 min ago'],
    [59 * 60, '59 min ago'],
    [3 * 3600, '3 h ago'],
    [6 * 86_400, '6 d ago'],
    [-6 * 86_400, 'in 6 d'],
    [61 * 86_400, '2 mo ago'],
    [800 * 86_400, '2 y ago'],
  ] as const)
    assert.equal(formatRelative(now - seconds * 1000, now), words)
  assert.equal(formatSpan(15 * 3600), '15 h')
})

test('a duration shows minutes and seconds, and hours if there are any', () => {
  assert.deepEqual([0, 7, 95, 3600, 3725].map(formatDuration), ['0:00', '0:07', '1:35', '1:00:00', '1:02:05'])
})
