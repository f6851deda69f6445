import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from './form-changes.ts'

test('only changed fields are sent', () => {
  const before = { name: 'Portal', permissions: ['read', 'write'], team: null }
  assert.deepEqual(changesOf(before, { ...before, permissions: ['read', 'write'] }), {})
  assert.deepEqual(changesOf(before, { ...before, name: 'IVR', permissions: ['read'] }), {
    name: 'IVR',
    permissions: ['read'],
  })
})
