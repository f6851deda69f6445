import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualPasswordCost } from '#test/database.ts'
import { generatePassword, hashPassword, passwordCost, verifyPassword } from './password.ts'

const password = 'a long enough password'

test('a password is stored as argon2id with its cost and a random salt', async (t) => {
  const ofTests = { ...passwordCost }
  t.after(() => Object.assign(passwordCost, ofTests))
  Object.assign(passwordCost, usualPasswordCost)
  const [one, two] = await Promise.all([hashPassword(password), hashPassword(password)])
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, two)
  assert.equal(await verifyPassword(password, one), true)
  assert.equal(await verifyPassword(`${password} `, one), false)
  assert.equal(await verifyPassword('caf\u00e9', await hashPassword('cafe\u0301')), true)
  assert.equal(await verifyPassword(password, one.replace('t=2', 't=3')), false)
  assert.equal(await verifyPassword('', 'not a hash'), false)
})

test('a password of another cost is still verified', async () => {
  // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1
  const known = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await verifyPassword('password', known), true)
  assert.equal(await verifyPassword('Password', known), false)
})

test('a generated password can be read aloud, and differs each time', () => {
  const passwords = Array.from({ length: 200 }, generatePassword)
  for (const generated of passwords) assert.match(generated, /^[a-hj-km-np-z2-9]{4}(-[a-hj-km-np-z2-9]{4}){4}$/)
  assert.equal(new Set(passwords).size, 200)
})
