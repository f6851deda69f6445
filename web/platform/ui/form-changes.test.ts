import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedValues } from './form-changes.ts'

test('only changed fields are sent', () => {
  const before = { name: 'Portal', permissions: ['read', 'write'], team: null }
  assert.deepEqual(changedValues(before, { ...before, permissions: ['read', 'write'] }), {})
  assert.deepEqual(changedValues(before, { ...before, name: 'IVR', permissions: ['read'] }), {
    name: 'IVR',
    permissions: ['read'],
  })
})
