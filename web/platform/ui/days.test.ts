import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allTime, type Days } from '#contract/platform/periods'
import { describeDays, ofDays } from './days.ts'

const cases: [days: Days, described: string | null, of: string][] = [
  [{ days: 30 }, 'last 30 days', 'of the last 30 days'],
  [{ days: 1 }, 'today', 'of today'],
  [{ days: allTime }, null, ''],
  [{ period: 'last-month' }, 'last month', 'of last month'],
  [{ period: 'this-year' }, 'this financial year', 'of this financial year'],
  [{}, null, ''],
  [{ from_date: '2024-11-01', to_date: '2024-11-05' }, '1 Nov 2024 – 5 Nov 2024', 'of 1 Nov 2024 – 5 Nov 2024'],
  [{ from_date: '2024-11-01' }, '1 Nov 2024 – today', 'of 1 Nov 2024 – today'],
]

for (const [days, described, of] of cases) {
  test(`${JSON.stringify(days)} is ${described ?? 'all time'}`, () => {
    assert.deepEqual([describeDays(days), ofDays(days)], [described, of])
  })
}
