import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundPayload } from './bound-payload.ts'
import { readPayloadSync } from './reading.ts'

const read = (payload: unknown) =>
  readPayloadSync({ body: Buffer.from(JSON.stringify(payload)), content_type: null, mapping: [], country: 'IN' })

test('an ordinary payload is not changed', () => {
  const payload = { name: 'Asha', list: [1, { a: null }], deep: { deeper: { deepest: [] } } }
  assert.deepEqual(boundPayload(structuredClone(payload)), { payload, cut: false, nodes: 8 })
})

test('of too many keys the first, those of contacts and the mapped ones are kept', () => {
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 'x']))
  const { payload, cut } = boundPayload({ ...wide, budget: '5', mobile: '9812004417' }, ['budget'])
  assert.ok(cut)
  assert.equal(Object.keys(payload).length, 402)
  assert.deepEqual([payload.budget, payload.mobile], ['5', '9812004417'])
})

test('long keys, long lists and deep nesting are cut', () => {
  let deep: unknown = 'end'
  for (let depth = 0; depth < 50; depth++) deep = { deep }
  const list = Array.from({ length: 5000 }, () => ({ a: [{}] }))
  const { payload, cut } = boundPayload({ ['k'.repeat(1_000_000)]: 1, list, deep, ['__proto__']: 'own' })
  assert.ok(cut)
  assert.equal(JSON.stringify(payload).length < 30_000, true)
  assert.equal((payload.list as unknown[]).length, 1000)
})

test('a cut payload has a warning, and its contact is still found', () => {
  const junk = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]))
  for (const payload of [
    { ...junk, mobile: '9812004417' },
    { junk, rows: Array.from({ length: 900 }, () => [1, 2, 3]), customer: { mobile: '9812004417' } },
  ]) {
    const result = read(payload)
    assert.ok('reading' in result)
    assert.equal(result.reading.lead.phone, '9812004417')
    assert.ok(result.reading.warnings.some(({ message }) => /left out/.test(message)))
  }
})
