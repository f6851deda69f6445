import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits, withinLimits } from './kept-limits.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const aged = (ms: number, size = 10) => ({ at: now - ms, data: 'x'.repeat(size - 2) })
const keysOf = (answers: Parameters<typeof withinLimits>[0]) => Object.keys(withinLimits(answers, now))

test('the newest answers are kept, as many as the limits allow', () => {
  const many = Object.fromEntries(Array.from({ length: limits.answers + 5 }, (_, n) => [`lead ${n}`, aged(n)]))
  assert.deepEqual(
    keysOf(many),
    Array.from({ length: limits.answers }, (_, n) => `lead ${n}`),
  )
  assert.deepEqual(keysOf({ old: aged(limits.ageMs), young: aged(limits.ageMs - 1) }), ['young'])
  const half = limits.characters / 2
  assert.deepEqual(keysOf({ third: aged(3, half), first: aged(1, half), second: aged(2, half) }), ['first', 'second'])
  // One that is too large takes no room from the others.
  assert.deepEqual(keysOf({ huge: aged(1, limits.characters + 1), small: aged(2) }), ['small'])
  assert.deepEqual(keysOf({}), [])
})
