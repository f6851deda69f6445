import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisMaximum, spanName, toSpans, unitOf } from './spans.ts'

const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10)
    return { day, total: 1, amounts: index % 2 === 0 ? { New: 1 } : {} }
  })

const widths: [days: number, unit: string, columns: number, first: [from: string, to: string]][] = [
  [92, 'day', 92, ['2026-08-22', '2026-08-22']],
  // A Friday.
  [93, 'week', 14, ['2026-08-21', '2026-08-23']],
  [191, 'month', 7, ['2026-05-15', '2026-05-31']],
  [366, 'month', 13, ['2025-11-21', '2025-11-30']],
]
for (const [count, unit, columns, first] of widths)
  test(`${count} days have a column for each ${unit}, and none is lost`, () => {
    const days = daysFrom(new Date(Date.parse('2026-11-22') - count * 86_400_000).toISOString().slice(0, 10), count)
    const spans = toSpans(days)
    assert.deepEqual([unitOf(days), spans.length], [unit, columns])
    assert.deepEqual([spans[0]!.from_date, spans[0]!.to_date], first)
    assert.equal(spans.at(-1)?.to_date, '2026-11-21')
    const sum = (of: (span: (typeof spans)[number]) => number) => spans.reduce((sum, span) => sum + of(span), 0)
    assert.deepEqual([sum(({ total }) => total), sum(({ amounts }) => amounts.New ?? 0)], [count, Math.ceil(count / 2)])
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
