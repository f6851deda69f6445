import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CountedByOrigin, originReport } from './origin-report.ts'

const window = { first_day: '2026-11-01', last_day: '2026-11-30', from: new Date(0), until: new Date() }
const none = { before: false, uncalled: 0, contacted: 0, qualified: 0, won: 0, won_paise: null, lost: 0 }

/** With names: more of them have no row of their own. */
const counted = (name: string | null, leads: number, converted: number, joined = 0) =>
  ({ ...none, name, is_joined: joined > 0, leads, converted, enquired_again: 0, names: 3 + joined }) as const

const report = (counted: CountedByOrigin['counted'], costs: [name: string, cost: number][]) => {
  const { rows, total } = originReport(window, {
    counted,
    ofAccount: { rejected: null, costs: costs.map(([name, cost]) => ({ name, month: '2026-11', cost })) },
  })
  return [...rows, { name: 'Total', ...total }].map(({ name, figures }) => [
    name,
    figures.cost,
    figures.cost_per_lead,
    figures.cost_per_converted,
  ])
}

test('the total divides its cost by the leads whose cost is known', () => {
  const rows = [counted('Diwali', 40, 4), counted('Fair', 20, 1), counted('Walk-in', 10, 0), counted(null, 900, 90)]
  assert.deepEqual(
    report(rows, [
      ['Diwali', 1000],
      ['Walk-in', 500],
    ]),
    [
      ['Diwali', 1000, 25, 250],
      ['Fair', null, null, null],
      ['Walk-in', 500, 50, null],
      [null, null, null, null],
      ['Total', 1500, 30, 375],
    ],
  )
  assert.deepEqual(report(rows, []).at(-1), ['Total', null, null, null])
})

test('joined names have a cost, but which of their leads it is of is not known', () => {
  const rows = [counted('Diwali', 40, 4), counted('Fair', 20, 1), counted('Walk-in', 10, 0), counted(null, 70, 7, 2)]
  assert.deepEqual(
    report(rows, [
      ['Diwali', 1000],
      ['Other', 600],
    ]).slice(-2),
    [
      [null, 600, null, null],
      ['Total', 1600, 25, 250],
    ],
  )
})

test('names with as many leads are in the order of their numbers', () => {
  const rows = ['Campaign 10', 'Campaign 2', 'Campaign 1'].map((name) => counted(name, 5, 0))
  const names = report(rows, []).map(([name]) => name)
  assert.deepEqual(names, ['Campaign 1', 'Campaign 2', 'Campaign 10', 'Total'])
})
