import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isQuick, requestSearch } from './request-search.ts'

const id = '0f5b6a3c-2a4e-4c9b-9d0e-5f1f6f0c7a11'

for (const [search, quick] of [
  [{}, true],
  [{ request: id }, true],
  [{ search: id, source: id }, true],
  [{ search: 'phone' }, false],
  [{ status: '5xx' }, false],
  [{ source: id }, false],
] as const)
  test(`${JSON.stringify(search)} is ${quick ? '' : 'not '}read again each second while it finds nothing`, () =>
    assert.equal(isQuick(requestSearch(search)), quick))
