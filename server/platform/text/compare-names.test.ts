import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames } from './contract.ts'

test('names with numbers are in the order of the numbers', () => {
  for (const names of [
    ['Campaign 2', 'Campaign 10', 'campaign 106'],
    ['User1', 'User2', 'User10'],
    ['Asha', 'bela', 'Chand'],
    ['अमित', 'आशा', 'कमल'],
  ])
    assert.deepEqual(names.toReversed().toSorted(compareNames), names)
})
