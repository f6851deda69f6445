import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, parseSearch, readChoice, stringifySearch, text } from './search.ts'
import { days } from './search-days.ts'

test('URL parameters are plain, and invalid ones are ignored', () => {
  const given = { status: 'New', search: 'सुनीता & co', offset: 50, add: undefined, source: '' }
  const url = stringifySearch(given)
  assert.equal(url.includes('"'), false)
  const read = parseSearch(url)
  assert.deepEqual(read, { status: 'New', search: 'सुनीता & co', offset: '50' })
  assert.equal(text(read, 'search'), 'सुनीता & co')
  assert.equal(readChoice(read, 'status', ['New', 'Won']), 'New')
  assert.equal(readChoice({ status: 'new' }, 'status', ['New', 'Won']), undefined)
  assert.deepEqual(
    ['50', '0', '-1', '1.5', 'x', '', undefined].map((offset) => count({ offset }, 'offset')),
    [50, undefined, undefined, undefined, undefined, undefined, undefined],
  )
  assert.deepEqual(
    ['2026-11-21', '2026-13-01', '21-11-2026', 'zzz', ''].map((from_date) => days({ from_date }).from_date),
    ['2026-11-21', undefined, undefined, undefined, undefined],
  )
  assert.equal(stringifySearch({}), '')
})
