import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneKey } from '../../server/contacts/contact.ts'
import { phoneNumber, phoneUrl, readPhonesIn, whatsappUrl } from './phone.ts'

const samples = [
  ...[
    '9830000001',
    '+91 91 98300 00001',
    '+91 (0) 98300 00001',
    '+91+919830000001',
    '0091 9830000001',
    '98300 00001-05',
  ],
  ...[
    '971501234568',
    '+1 415 555 2671',
    '022 2612 3456',
    '050 123 4567',
    '1800 11 4000',
    '12345678',
    '022-26123456-59',
  ],
]

test('a link dials and opens the number that the service compares', () => {
  for (const country of ['IN', 'AE'] as const) {
    for (const text of samples)
      assert.equal(phoneNumber(text, country), phoneKey(text, country), `${text} in ${country}`)
  }
  assert.equal(whatsappUrl('971501234568'), 'https://wa.me/971501234568')
  assert.equal(whatsappUrl('971501234568', 'Hi & bye\n#1'), 'https://wa.me/971501234568?text=Hi%20%26%20bye%0A%231')
  assert.equal(whatsappUrl('12345678'), null)
  readPhonesIn('AE')
  assert.deepEqual(
    [phoneUrl('050 123 4567'), whatsappUrl('050 123 4567')],
    ['tel:+971501234567', 'https://wa.me/971501234567'],
  )
  readPhonesIn('IN')
})
