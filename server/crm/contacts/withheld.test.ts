import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithheld } from './withheld.ts'

const withheld = [
  '+266696687',
  '+7378742833',
  '+2562533',
  '+8566696',
  '+86282452253',
  'anonymous',
  'sip:Anonymous@host',
  '000',
  '+1 000 000 0000',
  '2562533',
  '+8656696',
  '7748283',
  '00266696687',
  '0000000000',
  '+00',
  '+910000000000',
  'PRIVATE NUMBER',
  'Restricted',
  'Number Withheld',
  'Unknown Caller',
  'Caller ID Blocked',
  'Unavailable',
  'not available',
  'sip:anonymous@anonymous.invalid',
  '"Anonymous" <sip:anonymous@192.0.2.10>',
  '9999999999',
  '+911111111111',
  '-2',
  '<unknown>',
]
const numbers = [
  '+91 73787 42833',
  '108',
  '',
  'Restricted area sales',
  'Asha Private Limited',
  '201',
  'blocked drain',
  '9266696687',
  '7748283001',
  '8656696123',
  '7378742834',
  '9000000001',
  '+91 99999 99998',
]

for (const text of withheld) test(`“${text}” stands for a withheld number`, () => assert.equal(isWithheld(text), true))
for (const text of numbers) test(`“${text}” does not`, () => assert.equal(isWithheld(text), false))
