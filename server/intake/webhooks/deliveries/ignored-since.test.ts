import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoredSince } from './ignored-since.ts'

/** Each day as leads and ignored deliveries. */
const days = (...counts: [number, number][]) =>
  counts.map(([created, ignored], at) => ({
    day: `2026-11-${String(at + 1).padStart(2, '0')}`,
    created,
    merged: 0,
    rejected: 0,
    ignored,
  }))

const cases: [string, [number, number][], ReturnType<typeof ignoredSince>][] = [
  [
    'a form that changed today',
    [
      [20, 0],
      [22, 1],
      [21, 16],
    ],
    { day: '2026-11-03', ignored: 16, received: 37 },
  ],
  [
    'a form that changed days ago',
    [
      [20, 0],
      [20, 0],
      [2, 18],
      [1, 19],
      [0, 20],
    ],
    { day: '2026-11-03', ignored: 57, received: 60 },
  ],
  [
    'a form that was fixed',
    [
      [20, 0],
      [10, 10],
      [20, 0],
      [20, 0],
    ],
    null,
  ],
  [
    'events that are ignored every day',
    [
      [10, 30],
      [10, 25],
      [10, 40],
    ],
    null,
  ],
  [
    'few ignored deliveries',
    [
      [20, 0],
      [1, 4],
    ],
    null,
  ],
  [
    'no leads before',
    [
      [0, 0],
      [0, 9],
    ],
    null,
  ],
  ['only today', [[20, 30]], null],
]

for (const [what, counts, expected] of cases)
  test(what, () => assert.deepEqual(ignoredSince(days(...counts)), expected))
