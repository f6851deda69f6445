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
    ['Rupees 5 lakh', 500_000],
    ['5 lakh rupees', 500_000],
    ['500 Rs.', 500],
    ['Rs. 5,000/- only', 5000],
    ['\u200e₹\u00a01,25,000', 125_000],
    ['₹3.5 लाख', 350_000],
    ['2 करोड़', 20_000_000],
    ['५० हजार', 50_000],
    ['१,२५,०००', 125_000],
    ['10 lpa', undefined],
    ['50 lks', undefined],
    ['2 BHK', undefined],
    ['upto 5', undefined],
    ['> 20k', undefined],
    ['$ 500', undefined],
    ['500 USD', undefined],
    ['-500', undefined],
    ['5e5', undefined],
    ['40-50 lakh', undefined],
    ['9999999 crore', undefined],
    ['about ten', undefined],
    ['', undefined],
  ] as const)
    assert.equal(rupeesIn(typed), rupees, typed)
})
