import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerColumn, viewColumns } from '#contract/crm/leads'
import { leadSearch } from '../leads/lead-search.ts'
import {
  isChanged,
  questionsOf,
  searchOfView,
  toggleColumn,
  usedColumns,
  valuesOf,
  viewSearchOf,
} from './view-search.ts'

const view = {
  id: 'v',
  name: 'Hot',
  shared: false,
  may_change: true,
  search: { tag: ['b', 'a'], days: 7, reverse: true },
}

test('a view keeps filters, order and columns, and not the page or an open form', () => {
  const search = leadSearch({ tag: ['b', 'a'], days: 7, columns: ['phone'], offset: 50, add: true, view: 'v' })
  assert.deepEqual(viewSearchOf(search), { tag: ['a', 'b'], days: 7, columns: ['phone'] })
})

test('a view keeps the choice of days, not the days it stands for', () => {
  const search = leadSearch({ period: 'last-month', closed_period: 'this-month', status: 'Won' })
  assert.deepEqual(viewSearchOf(search), { period: 'last-month', closed_period: 'this-month', status: ['Won'] })
  assert.deepEqual(viewSearchOf(leadSearch({ closed_days: 30 })), { closed_days: 30 })
})

test('only lists of closed leads are sorted by closing', () => {
  for (const closed of [{ status: 'Won' }, { status: ['Lost', 'Won'] }, { closed_days: 7 }, { closed_by: 'me' }])
    assert.equal(leadSearch({ ...closed, sort: 'closed' }).sort, 'closed', JSON.stringify(closed))
  for (const open of [{}, { status: ['New', 'Won'] }, { days: 7 }])
    assert.equal(leadSearch({ ...open, sort: 'closed', reverse: true }).sort, undefined, JSON.stringify(open))
})

test('a view is changed if its URL says something else', () => {
  assert.equal(isChanged(view, searchOfView(view)), false)
  assert.equal(isChanged(view, { ...searchOfView(view), tag: ['a', 'b'], offset: 50 }), false)
  for (const change of [{ tag: ['a'] }, { days: undefined }, { reverse: undefined }, { columns: ['phone' as const] }])
    assert.equal(isChanged(view, { ...searchOfView(view), ...change }), true, JSON.stringify(change))
})

test('values that are no longer valid are left out', () => {
  const old = { ...view, search: { status: ['New', 'Lukewarm'], last_call: 'yesterday' } as never }
  assert.deepEqual(viewSearchOf(searchOfView(old)), { status: ['New'] })
})

test('one column stays', () => {
  assert.deepEqual(toggleColumn(viewColumns, 'phone', viewColumns), viewColumns.slice(1))
  assert.equal(toggleColumn(viewColumns.slice(1), 'phone', viewColumns), undefined)
  assert.deepEqual(toggleColumn(['phone'], 'phone', viewColumns), ['phone'])
})

test('columns of answers follow the others, and columns without values are not shown until they are chosen', () => {
  const used = usedColumns({ product: ['Lake View'], campaign: [], ad: [], form: [] })
  assert.ok(used.includes('product') && !used.includes('campaign'))
  assert.deepEqual(usedColumns(undefined).includes('product'), false)
  assert.ok(!used.includes('notes') && !used.includes('updated'))
  assert.deepEqual(valuesOf(used, undefined), [])
  assert.deepEqual(valuesOf(used, 'closed'), ['closed'])
  assert.deepEqual(valuesOf(['phone', 'notes', 'call_again'], 'updated'), ['call_again', 'notes'])
  const budget = answerColumn('Budget?')
  const shown = toggleColumn(['phone', budget], 'product', used)!
  assert.deepEqual(shown, ['phone', 'product', budget])
  assert.deepEqual(questionsOf(shown), ['Budget?'])
  assert.deepEqual(toggleColumn(shown, budget, used), ['phone', 'product'])
  const url = leadSearch({ columns: [budget, 'phone', 'answer:', 'x', ...Array.from('abcdef', answerColumn)] })
  assert.deepEqual(url.columns, ['phone', budget, ...Array.from('abcd', answerColumn)])
})
