import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisMaximum, spanName, toSpans } from './spans.ts'

const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10)
    return { day, total: 1, amounts: index % 2 === 0 ? { New: 1 } : {} }
  })

test('up to 91 days each have a column; more stand in weeks that begin on Monday, and none is lost', () => {
  assert.equal(toSpans(daysFrom('2026-08-23', 91)).length, 91)
  // A Saturday.
  const weeks = toSpans(daysFrom('2026-08-22', 92))
  assert.deepEqual(
    weeks.slice(0, 2).map(({ from_date, to_date, total }) => [from_date, to_date, total]),
    [
      ['2026-08-22', '2026-08-23', 2],
      ['2026-08-24', '2026-08-30', 7],
    ],
  )
  assert.equal(weeks.at(-1)?.to_date, '2026-11-21')
  assert.equal(
    weeks.reduce((sum, { total }) => sum + total, 0),
    92,
  )
  assert.equal(
    weeks.reduce((sum, { amounts }) => sum + (amounts.New ?? 0), 0),
    46,
  )
  assert.ok(toSpans(daysFrom('2025-11-21', 366)).length <= 54)
})

test('a column is named by its day, or by the first and the last', () => {
  assert.equal(spanName({ from_date: '2026-11-21', to_date: '2026-11-21' }), '21 Nov')
  assert.equal(spanName({ from_date: '2026-11-16', to_date: '2026-11-22' }), '16 Nov – 22 Nov')
})

test('an axis ends at or above the maximum, with a whole number half way', () => {
  for (const [max, top] of [
    [1, 2],
    [3, 4],
    [10, 10],
    [11, 20],
    [101, 200],
    [850, 1000],
  ] as const)
    assert.equal(axisMaximum(max), top)
})
