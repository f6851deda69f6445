import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countInMemory } from './count-in-memory.ts'
import { wideIpNetwork } from './ip-list.ts'

const key = fc.nat(300).map(String)
const step = fc.record({ key, wait: fc.integer({ min: 0, max: 300 }) })

test('for any sequence of requests memory is limited, and no key is counted too low', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.integer({ min: 1, max: 40 }), (steps, max) => {
      let now = 0
      const memory = countInMemory(60, max, () => now)
      // The first of a window of 60 s, and how often it came since: what an unbounded counter says.
      const known = new Map<string, { since: number; count: number }>()
      const buckets = new Set<string>()
      for (const { key, wait } of steps) {
        now += wait * 10
        const before = known.get(key)
        const window = before && now < before.since + 60_000 ? before : { since: now, count: 0 }
        known.set(key, window)
        window.count++
        const { left, count } = memory.count(key, `group ${Number(key) % 7}`)
        buckets.add(String(Number(key) % 7))
        assert.ok(left > 0 && left <= 60_000)
        assert.ok(memory.size() <= max + buckets.size)
        if (known.size <= max) assert.equal(count, window.count)
      }
    }),
  )
})

test('a hundred thousand new networks neither grow the memory nor reset a count, and groups share theirs', () => {
  let now = 0
  const memory = countInMemory(60, 1000, () => now)
  for (let n = 0; n < 10; n++) memory.count('mine', 'mine')
  for (let n = 0; n < 100_000; n++) memory.count(`2001:db8:${n.toString(16)}:1`, '2001 db8 0')
  assert.equal(memory.size(), 1001)
  assert.equal(memory.count('mine', 'mine').count, 11)
  assert.equal(memory.count('2001:db8:ffff1:1', '2001 db8 0').count, 99_002)
  now = 60_000
  assert.equal(memory.count('mine', 'mine').count, 1)
  assert.equal(memory.size(), 2, 'windows that are over are dropped')
})

test('neighboring IPs are in one wide network', () => {
  assert.equal(wideIpNetwork('203.0.113.7'), wideIpNetwork('203.0.113.200'))
  assert.notEqual(wideIpNetwork('203.0.113.7'), wideIpNetwork('203.0.114.7'))
  assert.equal(wideIpNetwork('2001:db8:5:1::1'), wideIpNetwork('2001:db8:5:ffff::2'))
  assert.notEqual(wideIpNetwork('2001:db8:5::1'), wideIpNetwork('2001:db8:6::1'))
})
