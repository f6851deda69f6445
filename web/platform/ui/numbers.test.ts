import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoney, formatNumber } from './numbers.ts'

test('money and numbers are grouped as in India', () => {
  assert.deepEqual([0, 125_000, 12_000_000, 1250.5].map(formatMoney), ['₹0', '₹1,25,000', '₹1,20,00,000', '₹1,250.50'])
  assert.equal(formatNumber(1_234_567), '12,34,567')
})
