import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appCodeIn, backupCodeIn } from './code.ts'

test('codes may contain spaces and dashes', () => {
  assert.deepEqual(['123 456', ' 123-456 ', '123456'].map(appCodeIn), ['123456', '123456', '123456'])
  for (const typed of ['abcde-fGh1J', ' abcde fGh1J', 'abcdefGh1J']) assert.equal(backupCodeIn(typed), 'abcde-fGh1J')
})
