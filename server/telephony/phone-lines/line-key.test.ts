import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactness, lineKey } from './line-key.ts'

for (const [text, key] of [
  ['9820000001', '+919820000001'],
  ['09820000001', '+919820000001'],
  ['+91 98200-00001', '+919820000001'],
  ['919820000001', '+919820000001'],
  [' 201 ', '201'],
  ['Asha@Example.com', 'asha@example.com'],
  ['Asha\u0000\u200b  Rao\n', 'asha rao'],
  ['SIP/201', 'sip/201'],
  ['x'.repeat(300), 'x'.repeat(200)],
  [' \u200b', null],
] as const) {
  test(`${JSON.stringify(text.slice(0, 20))} is compared as ${key?.slice(0, 20)}`, () =>
    assert.equal(lineKey(text, 'IN'), key))
}

test('a number names a user more exactly than an email, a login and a name', () => {
  const lines = ['+919820000001', 'asha@example.com', 'agent_201', 'asha rao']
  assert.deepEqual(lines.map(exactness), [0, 1, 2, 3])
})
