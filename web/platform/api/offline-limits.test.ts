import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beyondLimits, limits } from './offline-limits.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const aged = (key: string, ms: number, characters = 10) => ({ key, at: now - ms, characters })

test('the newest answers stay, as many as the limits allow', () => {
  const many = Array.from({ length: limits.answers + 2 }, (_, n) => aged(`lead ${n}`, n))
  assert.deepEqual(beyondLimits(many.reverse(), now), [`lead ${limits.answers}`, `lead ${limits.answers + 1}`])
  assert.deepEqual(beyondLimits([aged('old', limits.ageMs), aged('young', limits.ageMs - 1)], now), ['old'])
  const half = limits.characters / 2
  assert.deepEqual(beyondLimits([aged('third', 3, half), aged('first', 1, half), aged('second', 2, half)], now), [
    'third',
  ])
  // One that is too large takes no room from the others.
  assert.deepEqual(beyondLimits([aged('huge', 1, limits.characters + 1), aged('small', 2)], now), ['huge'])
  assert.deepEqual(beyondLimits([{ key: 'broken', at: Number.NaN, characters: 1 }], now), ['broken'])
  assert.deepEqual(beyondLimits([], now), [])
})
