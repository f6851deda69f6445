import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLength } from './call-length.ts'

test('the length of a call is minutes and seconds, hours before them, or whole minutes', () => {
  for (const [typed, seconds] of [
    ['2:35', 155],
    [' 2:05 ', 125],
    ['0:07', 7],
    ['3', 180],
    ['1:02:05', 3725],
    ['90:00', 5400],
    ['2:60', null],
    ['1:60:00', null],
    ['2.05', 125],
    ['12,30', 750],
    ['2.60', null],
    ['2.5', null],
    ['-1', null],
    ['1:2:3:4', null],
    [':30', null],
    ['two', null],
    ['', null],
  ] as const)
    assert.equal(parseLength(typed), seconds, typed)
})
