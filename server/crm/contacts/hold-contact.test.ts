import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayHoldContact } from './hold-contact.ts'

for (const [text, expected] of [
  ['Pune 411045', false],
  ['Housing.com', false],
  ['2 BHK, Tower 4', false],
  ['Call 98200 11223 now', true],
  ['+91 (98200) 11-22-33', true],
  ['९८२००११२२३', true],
  ['98 11—22 33 44', true],
  ['9\u200b8\u200b1\u200b1\u200b2\u200b2\u200b3', true],
  ['９８１１２２３', true],
  ['①②③④⑤⑥⑦', true],
  ['9 x 8 x 1 x 1 x 2 x 2 x 3', true],
  ['asha.rao@example', true],
  ['asha＠example', true],
  ['asha﹫example', true],
  ['asha at example.com', true],
  ['t.me/asha', true],
] as const)
  test(`“${text}” ${expected ? 'may hold' : 'holds no'} contact`, () => assert.equal(mayHoldContact(text), expected))
