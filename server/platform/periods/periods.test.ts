import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CalendarPeriod, type Days, dateRangeOf, daysOfPeriod } from './contract.ts'

const periods: [CalendarPeriod, today: string, from: string, to: string][] = [
  ['this-month', '2026-11-30', '2026-11-01', '2026-11-30'],
  ['this-month', '2026-12-01', '2026-12-01', '2026-12-01'],
  ['last-month', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['last-month', '2027-01-01', '2026-12-01', '2026-12-31'],
  ['last-month', '2028-03-31', '2028-02-01', '2028-02-29'],
  ['this-quarter', '2026-11-30', '2026-10-01', '2026-11-30'],
  ['this-quarter', '2027-01-01', '2027-01-01', '2027-01-01'],
  ['last-quarter', '2027-01-01', '2026-10-01', '2026-12-31'],
  ['last-quarter', '2026-04-30', '2026-01-01', '2026-03-31'],
  ['this-year', '2026-11-30', '2026-04-01', '2026-11-30'],
  ['this-year', '2027-03-31', '2026-04-01', '2027-03-31'],
  ['this-year', '2027-04-01', '2027-04-01', '2027-04-01'],
  ['last-year', '2027-03-31', '2025-04-01', '2026-03-31'],
  ['last-year', '2027-04-01', '2026-04-01', '2027-03-31'],
]
for (const [period, today, from_date, to_date] of periods)
  test(`${period} on ${today} is ${from_date} to ${to_date}`, () =>
    assert.deepEqual(daysOfPeriod(period, today), { from_date, to_date }))

const ranges: [Days, from: string | undefined, to: string | undefined][] = [
  [{ days: 1 }, '2026-03-01', '2026-03-01'],
  [{ days: 30 }, '2026-01-31', '2026-03-01'],
  [{ days: 36_500 }, '1970-01-01', '2026-03-01'],
  [{ period: 'last-month' }, '2026-02-01', '2026-02-28'],
  [{ from_date: '2026-02-03' }, '2026-02-03', undefined],
  [{}, undefined, undefined],
]
for (const [days, from, to] of ranges)
  test(`${JSON.stringify(days)} is from ${from} to ${to}`, () => {
    const { from_date, to_date } = dateRangeOf(days, '2026-03-01')
    assert.deepEqual([from_date, to_date], [from, to])
  })
