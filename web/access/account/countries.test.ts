import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countriesLike, countryOptions } from './countries.ts'

test('a search lists the exact country first', () => {
  const first = (typed: string) => countriesLike(countryOptions(), typed)[0]?.value
  assert.deepEqual(['India', 'ind', '+91', '91', 'US', 'states', 'niger', 'Guinea', 'kingdom', 'atlantis'].map(first), [
    'IN',
    'IN',
    'IN',
    'IN',
    'US',
    'US',
    'NE',
    'GN',
    'GB',
    undefined,
  ])
})

test('a search in Hindi and in English finds countries with Hindi names', () => {
  const countries = countryOptions('hi')
  for (const typed of ['भारत', 'India', '+91']) assert.equal(countriesLike(countries, typed)[0]?.label, 'भारत (+91)')
})
