import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, isPossibleSecret, newSecret } from './secret.ts'

const secret = newSecret()
const other = secret.at(-1) === 'x' ? 'y' : 'x'

test('a secret is le_live_, 32 random characters and a checksum', () => {
  assert.match(secret, /^le_live_[0-9A-Za-z]{38}$/)
})

test('no two secrets are equal', () => {
  const many = Array.from({ length: 1000 }, newSecret)
  assert.equal(new Set(many).size, 1000)
  assert.ok(many.every(isPossibleSecret))
})

for (const [what, text, possible] of [
  ['a secret as it was made', secret, true],
  ['one whose last character is mistyped', secret.slice(0, -1) + other, false],
  ['one whose first random character is mistyped', `le_live_${secret[8] === 'a' ? 'b' : 'a'}${secret.slice(9)}`, false],
  ['one with two characters swapped', swapped(secret), false],
  ['one that lost a character', secret.slice(0, -1), false],
  ['one with a character more', `${secret}0`, false],
  ['one in capitals', secret.toUpperCase(), false],
  ['one with another prefix', secret.replace('live', 'test'), false],
  ['one with a line after it', `${secret}\n`, false],
  ['one with a space before it', ` ${secret}`, false],
  ['one with another sign in it', `${secret.slice(0, 20)}-${secret.slice(21)}`, false],
  ['the prefix alone', 'le_live_', false],
  ['nothing', '', false],
] as const) {
  test(`${what} is ${possible ? '' : 'not '}possible`, () => assert.equal(isPossibleSecret(text), possible))
}

test('the stored hash is SHA-256 and does not contain the secret', () => {
  assert.equal(hashSecret(secret).length, 32)
  assert.notDeepEqual(hashSecret(secret), hashSecret(newSecret()))
  assert.ok(!hashSecret(secret).toString('latin1').includes('le_live_'))
})

/** The first two neighbours that differ, in each other's place. */
function swapped(text: string): string {
  const at = [...text].findIndex((character, place) => place >= 8 && character !== text[place + 1])
  return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2)
}
