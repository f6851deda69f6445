import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'

/** Digits are grouped as in India in every language. */
const numberLocale = `${i18n.locale || 'en'}-IN`

const rupees = new Intl.NumberFormat(numberLocale, {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
})
/** ₹1.2 crore, ₹3.5 lakh; below a lakh in full. */
export function formatShortMoney(value: number): string {
  // What rounds to 100 lakh is a crore.
  if (value >= 9_995_000) return t`₹${{ amount: short.format(value / 1e7) }} crore`
  if (value >= 100_000) return t`₹${{ amount: short.format(value / 1e5) }} lakh`
  return rupees.format(Math.round(value))
}

const short = new Intl.NumberFormat(numberLocale, { maximumSignificantDigits: 3 })
const numbers = new Intl.NumberFormat(numberLocale)

/** ₹1,25,000 */
export const formatMoney = (value: number) => rupees.format(value)

const percents = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 })
/** 12.5% of 0.125 */
export const formatPercent = (share: number) => percents.format(share)

/** 12,34,567: grouped as money is. */
export const formatNumber = (value: number) => numbers.format(value)
