import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rupeesIn } from './contract.ts'

test('only amounts as people in India write them are read as rupees', () => {
  for (const [typed, rupees] of [
    ['1,25,000', 125_000],
    ['12,50,000.50', 1_250_000.5],
    ['₹ 50,000', 50_000],
    ['Rs. 50,000/-', 50_000],
    ['Rs.50000', 50_000],
    ['INR 500', 500],
    ['1.25 lakh', 125_000],
    ['2.5 Lakhs', 250_000],
    ['5L', 500_000],
    ['1.1 Cr', 11_000_000],
    ['80k', 80_000],
    ['0', 0],
    ['-500', undefined],
    ['5e5', undefined],
    ['40-50 lakh', undefined],
    ['9999999 crore', undefined],
    ['about ten', undefined],
    ['', undefined],
  ] as const)
    assert.equal(rupeesIn(typed), rupees, typed)
})
