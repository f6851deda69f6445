const rupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
})
const numbers = new Intl.NumberFormat('en-IN')

/** ₹1,25,000 */
export const formatMoney = (value: number) => rupees.format(value)

/** 12,34,567: grouped as money is. */
export const formatNumber = (value: number) => numbers.format(value)

/** "1 lead", "12,345 leads" */
export const formatCount = (value: number, one: string, many = `${one}s`) =>
  `${formatNumber(value)} ${value === 1 ? one : many}`
