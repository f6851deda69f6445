import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCount, formatMoney, formatNumber } from './numbers.ts'

test('money and counts are grouped as in India', () => {
  assert.deepEqual([0, 125_000, 12_000_000, 1250.5].map(formatMoney), ['₹0', '₹1,25,000', '₹1,20,00,000', '₹1,250.50'])
  assert.equal(formatNumber(1_234_567), '12,34,567')
  assert.deepEqual(
    [formatCount(1, 'lead'), formatCount(0, 'lead'), formatCount(2, 'person', 'people')],
    ['1 lead', '0 leads', '2 people'],
  )
})
