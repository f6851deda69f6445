import assert from 'node:assert/strict'
import { test } from 'node:test'
import all from 'libphonenumber-js/metadata.max.json'
import { phoneKey } from '../../../server/crm/contacts/contact.ts'
import india from './india.json' with { type: 'json' }
import { formatPhone, loadPlans, phoneNumber, phoneUrl, readPhonesIn, whatsappUrl } from './phone.ts'

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

test('the plan of India is that of the library', () => {
  assert.deepEqual(india, {
    version: all.version,
    country_calling_codes: { 91: all.country_calling_codes[91] },
    countries: { IN: all.countries.IN },
  })
})

test('until the plans of all countries are there, a number is Indian or as it is written', () => {
  assert.deepEqual(
    [formatPhone('9830000001'), phoneUrl('98300 00001'), whatsappUrl('+91 (0) 98300 00001')],
    ['+91 98300 00001', 'tel:+919830000001', 'https://wa.me/919830000001'],
  )
  // Their later readings are valid in India, or in a country of those digits.
  for (const [text, url] of [
    ['+1 415 555 2671', 'tel:+14155552671'],
    ['0091 9830000001', 'tel:+919830000001'],
    ['+971 50 123 4568', 'tel:+971501234568'],
    ['971501234568', 'tel:971501234568'],
    ['+65 9830 0000', 'tel:+6598300000'],
  ] as const)
    assert.equal(phoneUrl(text), url)
  assert.deepEqual([formatPhone('+1 4155552671'), whatsappUrl('+1 415 555 2671')], ['+1 4155552671', null])
  readPhonesIn('AE')
  assert.deepEqual(
    [formatPhone('9830000001'), phoneUrl('050 123 4567'), whatsappUrl('9830000001')],
    ['9830000001', 'tel:0501234567', null],
  )
  readPhonesIn('IN')
})

test('a link dials and opens the number that the service compares', async () => {
  // As the first number does that needs them.
  await loadPlans()
  assert.equal(formatPhone('+1 4155552671'), '+1 415 555 2671')
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
