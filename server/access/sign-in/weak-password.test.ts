import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translate } from '../../platform/languages/translate.ts'
import { generatePassword } from './password.ts'
import { findWeakness } from './weak-password.ts'

const own = ['asha.rao@sharma-estates.example', 'Asha Rao', 'Sharma Estates']

for (const [password, says] of [
  ['aaaaaaaaaa', /different characters/],
  ['          ', /different characters/],
  ['1111122222', /different characters/],
  ['abcabcabcabc', /different characters/],
  ['ashokashok', /repeats itself/],
  ['tiger9tiger9', /repeats itself/],
  ['1234567890', /sequence/],
  ['0987654321', /sequence/],
  ['abcdefghij', /sequence/],
  ['qwertyuiop', /sequence/],
  ['qwerty123456', /sequence/],
  ['asdfghjkl1', /sequence/],
  ['asha.rao@sharma-estates.example', /your own/],
  ['asharao1990', /your own/],
  ['AshaRao@123', /your own/],
  ['SharmaEstates1', /your own/],
  ['password12', /too common/],
  ['Password@123', /too common/],
  ['P@ssw0rd123', /too common/],
  ['passwordpassword', /too common/],
  ['Welcome2026!', /too common/],
  ['iloveyou2024', /too common/],
  ['leadengine1', /too common/],
  ['admin-admin-1', /repeats itself/],
] as const) {
  test(`${JSON.stringify(password)} is rejected with its reason`, () => {
    assert.match(translate(findWeakness(password, own) ?? 'nothing'), says)
  })
}

test('a password that is hard to guess is accepted', () => {
  for (const password of [
    'a long enough password',
    'the second password',
    'correct horse battery',
    'tuesday umbrella 42',
    'मेरी बिल्ली नीली है',
    'Zk7#pQ9!vLx2',
    'my dog eats 3 socks',
    'Asha likes green parrots',
    ...Array.from({ length: 500 }, generatePassword),
  ]) {
    assert.equal(findWeakness(password, own), null, password)
  }
})

test('every password is checked quickly', () => {
  for (const password of ['a1'.repeat(64), 'abcdef'.repeat(21), `${'password'.repeat(15)}x`, '१'.repeat(128)])
    findWeakness(password, [...own, 'a'.repeat(254)])
})
