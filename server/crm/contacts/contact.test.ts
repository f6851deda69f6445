import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emailKey, isEmail, isPhone, phoneKey } from './contact.ts'

for (const [text, key] of [
  ['9810000000.0', '+919810000000'],
  ['9810000000.00', '+919810000000'],
  ['+919810000000.0', '+919810000000'],
  ['9810000.000', '+919810000000'],
  ['981000000.0', '+919810000000'],
  ['0981000000.0', '+919810000000'],
  ['+9198100000.00', '+919810000000'],
  ['9198100000.00', '+919810000000'],
  ['9810044321', '+919810044321'],
  ['+91 98100 44321', '+919810044321'],
  ['0091-98100-44321', '+919810044321'],
  ['+91 (0) 98100 44321', '+919810044321'],
  ['(+91) 98100.44321', '+919810044321'],
  ['[91] 98100–44321', '+919810044321'],
  ['020 2612 3456', '+912026123456'],
  ['+1 (415) 555-2671', '+14155552671'],
  ['14155552671', '+14155552671'],
  ['+44 20 7946 0958', '+442079460958'],
  ['+971 50 123 4567', '+971501234567'],
  ['1800 11 4000', '+911800114000'],
  ['1234567', '1234567'],
  ['000000000', '000000000'],
] as const) {
  test(`${text} is compared as ${key}`, () => assert.equal(phoneKey(text, 'IN'), key))
}

test('a number without a country code belongs to the account’s country', () => {
  assert.equal(phoneKey('415 555 2671', 'US'), '+14155552671')
  assert.equal(phoneKey('050 123 4567', 'AE'), '+971501234567')
})

test('a text that is not a phone number has no key', () => {
  for (const text of [
    '',
    '123456',
    '1234567890123456',
    '98100x44321',
    '+',
    'call me',
    '98100\u000044321',
    ...[...'\t\n\v\f\r\u0085\u2028\u2029\u200b\ufeff'].map((sign) => `98100${sign}44321`),
    '٩٨١٠٠٤٤٣٢١',
  ]) {
    assert.equal(isPhone(text), false, text)
    assert.equal(phoneKey(text, 'IN'), null, text)
  }
})

const mobile = fc
  .tuple(fc.constantFrom('98100', '99200', '70450', '88010'), fc.integer({ min: 0, max: 99_999 }))
  .map(([front, back]) => `${front}${String(back).padStart(5, '0')}`)
const written = fc.constantFrom('', '0', '91', '+91', '+91 ', '0091', '00 91-', '(0)', '+91-0')
const between = fc.constantFrom('', ' ', '-', '.', ' - ', '\u00a0', '\u2009', '\u202f', '\u2013')

test('every spelling of an Indian mobile number has the same key', () => {
  fc.assert(
    fc.property(mobile, written, between, fc.nat(10), (digits, prefix, mark, at) => {
      const text = `${prefix}${digits.slice(0, at)}${mark}${digits.slice(at)}`
      assert.equal(phoneKey(text, 'IN'), `+91${digits}`, text)
    }),
  )
})

test('every accepted number has a key, and numbers that differ in their last digits have different keys', () => {
  const signs = fc.array(fc.constantFrom(...'0123456789', ' ', '-', '.', '(', ')'), { minLength: 1, maxLength: 32 })
  fc.assert(
    fc.property(fc.constantFrom('', '+', '00'), signs, (prefix, rest) => {
      const text = (prefix + rest.join('')).slice(0, 32)
      assert.equal(phoneKey(text, 'IN') !== null, isPhone(text), text)
    }),
  )
  fc.assert(
    fc.property(mobile, mobile, (one, other) => (one === other) === (phoneKey(one, 'IN') === phoneKey(other, 'IN'))),
  )
})

test('an email is compared without case, surrounding blanks and Unicode composition', () => {
  for (const [text, key] of [
    [' Ravi@Example.COM ', 'ravi@example.com'],
    ['RENE\u0301@x.in', 'ren\u00e9@x.in'],
    ['a.b+c@x.in', 'a.b+c@x.in'],
  ] as const) {
    assert.equal(emailKey(text), key)
  }
})

test('only one valid email address is an email', () => {
  const good = [
    'a@x.in',
    "o'hara+tag@mail.example.co.in",
    'रवि@उदाहरण.भारत',
    'a@xn--p1b6ci4b4b3a.xn--h2brj9c',
    '1@2.co',
  ]
  const bad = [
    '',
    'a',
    'a@',
    '@x.in',
    'a@x',
    'a@@x.in',
    'a b@x.in',
    '.a@x.in',
    'a.@x.in',
    'a..b@x.in',
    'a@-x.in',
    'a@x-.in',
  ]
  const worse = ['a@x..in', 'a@x.in.', 'a@x.i1', 'a@x.in,b@x.in', '<a@x.in>', 'a@[127.0.0.1]', 'a\n@x.in', '"a b"@x.in']
  for (const text of good) assert.ok(isEmail(text), text)
  for (const text of [...bad, ...worse, `${'a'.repeat(65)}@x.in`]) assert.ok(!isEmail(text), text)
})

test('a long hostile text is rejected quickly', () => {
  for (const text of [
    'a'.repeat(1_000_000),
    `${'a.'.repeat(500_000)}@`,
    `a@${'a-'.repeat(120)}`,
    `a@${'a.'.repeat(126)}`,
  ]) {
    assert.equal(isEmail(text), false)
    assert.equal(isPhone(text), false)
  }
  assert.equal(isPhone(`+${' ('.repeat(500_000)}`), false)
})
