import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullCards } from './full-cards.ts'

const ended = { id: 'ended', state: 'ended' } as const
const spoken = { id: 'spoken', state: 'answered' } as const
const rings = { id: 'rings', state: 'ringing' } as const
const full = (use: { small?: string[]; usedId?: string; max?: number }) => {
  const { small = [], usedId = null, max = 1 } = use
  return [...fullCards([ended, spoken, rings], { small: new Set(small), usedId, max })]
}

test('a call that rings is full, also before others and if it was made small; a card in use keeps its place', () => {
  assert.deepEqual(full({}), ['rings'])
  assert.deepEqual(full({ small: ['rings'] }), ['rings'])
  assert.deepEqual(full({ max: 2 }), ['rings', 'spoken'])
  assert.deepEqual(full({ usedId: 'ended' }), ['ended'])
  assert.deepEqual(full({ usedId: 'ended', max: 2 }), ['ended', 'rings'])
  assert.deepEqual(full({ small: ['spoken'], max: 2 }), ['rings', 'ended'])
  assert.deepEqual(fullCards([ended], { small: new Set(['ended']), usedId: null, max: 1 }).size, 0)
})
