import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneKey } from './contact.ts'
import { readDigits } from './lost-digits.ts'
import { holdsMore, phonesIn } from './parse-contact.ts'

const keysIn = (text: string) => phonesIn(text, 'IN').map((number) => phoneKey(number, 'IN'))

for (const text of [
  ...[
    '9.82E+09',
    '9,82E+09',
    '9.82e9',
    '9.82E9',
    '9.82 E+09',
    '9.82\u00d710^9',
    '9.82 x 10^9',
    '9.82*10**9',
    '9.82\u00d710\u2079',
  ],
  ...[
    '9.1982E+11',
    '9.198200000E+11',
    '+9.1982E+11',
    '9.8E+09',
    '1E+10',
    'Mob: 9.82E+09',
    "'9.82E+09",
    '9.82E+09, 9.83E+09',
  ],
  ...[
    '98xxxxxx10',
    '98XXXXX210',
    'XXXXXX3210',
    '98******10',
    '+91 98*** **210',
    '98** ** **10',
    '+91-98\u2022\u2022\u2022\u2022\u2022210',
  ],
  ...['98111 5xxxx', '9820######', '98200?????', '98200_____', '98200-----', '91982000xxxx', 'Ph 98xxxxxx10 (M)'],
  ...['98200\u2026', '98200000\u2026', '982000000...', '98200 000..', '########', '###########'],
])
  test(`${text} has lost digits`, () => {
    assert.deepEqual(keysIn(text), [])
    assert.equal(readDigits(text).isLost, true)
  })

for (const [text, key] of [
  ['9.820000001E9', '+919820000001'],
  ['9.820000001E+09', '+919820000001'],
  ['9.19820000001E+11', '+919820000001'],
  ['9.8200000010E+09', '+919820000001'],
  ['9820000000', '+919820000000'],
  ['98200 00001 x12', '+919820000001'],
  ['98200 00001...', '+919820000001'],
  ['98200 00001 **', '+919820000001'],
  ['# 98200 00001 ##', '+919820000001'],
  ['Flat 9E, 98200 00001', '+919820000001'],
  ['98200 - 00001', '+919820000001'],
  ['022 - 2612 3456', '+912226123456'],
] as const)
  test(`${text} has all of its digits`, () => {
    assert.deepEqual(keysIn(text), [key])
    assert.equal(readDigits(text).isLost, false)
  })

test('beside a number with all digits, one that lost some is kept', () => {
  const text = '98200 00001 / 98xxxxxx10'
  assert.deepEqual([keysIn(text), holdsMore(text, 'IN')], [['+919820000001'], true])
})

test('a long text with signs is read quickly', () => {
  for (const sign of ['x', '9x', '*9', '9.', '#', '1e', '9 x 10 '])
    assert.equal(readDigits(sign.repeat(50_000).slice(0, 1000)).text.length <= 1000, true)
})
