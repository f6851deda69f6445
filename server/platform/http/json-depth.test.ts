import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTooDeep } from './json-depth.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
for (const [what, json, expected] of [
  ['nothing', '', false],
  ['64 lists', nested(64), false],
  ['65 lists', nested(65), true],
  ['65 lists that do not end', '['.repeat(65), true],
  ['65 objects', `${'{"a":'.repeat(65)}1`, true],
  ['lists and objects by turns', '[{"a":'.repeat(33), true],
  ['1,000 lists beside each other', `[${Array(1000).fill('[]').join()}]`, false],
  ['brackets in a text', JSON.stringify({ a: '['.repeat(1000) }), false],
  ['brackets after an escaped quote', JSON.stringify({ a: `"${'['.repeat(1000)}\\` }), false],
  ['lists after a text that ends in a backslash', `["a\\\\", ${nested(64)}]`, true],
] as const)
  test(`${what}: ${expected ? 'too deep' : 'accepted'}`, () => assert.equal(isTooDeep(Buffer.from(json)), expected))
