import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from './bounded-cache.ts'

const keysIn = (cache: BoundedCache<number>, keys: string[]) => keys.filter((key) => cache.get(key) !== undefined)

test('what is beyond the memory replaces the oldest, and what is beyond the share of an account its own', () => {
  const cache = new BoundedCache<number>({ bytes: 100, bytesOfAccount: 50 })
  const keys = ['a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'c1', 'c2']
  cache.set('a1', 'a', 1, 20)
  cache.set('b1', 'b', 1, 20)
  cache.set('a2', 'a', 1, 20)
  cache.set('a3', 'a', 1, 20)
  assert.deepEqual(keysIn(cache, keys), ['b1', 'a2', 'a3'])
  cache.set('a4', 'a', 1, 51)
  assert.deepEqual(keysIn(cache, keys), ['b1', 'a2', 'a3'])
  cache.set('c1', 'c', 1, 40)
  assert.equal(cache.bytes, 100)
  cache.set('b2', 'b', 1, 30)
  assert.deepEqual([keysIn(cache, keys), cache.bytes], [['a3', 'b2', 'c1'], 90])
  cache.set('a4', 'a', 1, 50)
  assert.deepEqual([keysIn(cache, keys), cache.bytes], [['a4', 'b2'], 80])
})

test('a value is replaced by a newer one, and those of an account are dropped', () => {
  const cache = new BoundedCache<number>({ bytes: 100, bytesOfAccount: 50 })
  cache.set('a1', 'a', 1, 50)
  cache.set('a1', 'a', 2, 50)
  cache.set('b1', 'b', 1, 10)
  assert.deepEqual([cache.get('a1'), cache.bytes], [2, 60])
  cache.set('a1', 'a', 3, 60)
  assert.deepEqual([cache.get('a1'), cache.bytes], [undefined, 10])
  cache.set('a1', 'a', 4, 20)
  cache.deleteAccount('a')
  assert.deepEqual([keysIn(cache, ['a1', 'b1']), cache.bytes], [['b1'], 10])
  cache.clear()
  assert.equal(cache.bytes, 0)
})
