const rupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
})
/** ₹1.2 crore, ₹3.5 lakh; below a lakh in full. */
export function formatShortMoney(value: number): string {
  // What rounds to 100 lakh is a crore.
  const [size, word] = value >= 9_995_000 ? [1e7, ' crore'] : value >= 100_000 ? [1e5, ' lakh'] : [1, '']
  return size === 1 ? rupees.format(Math.round(value)) : `₹${short.format(value / size)}${word}`
}

const short = new Intl.NumberFormat('en-IN', { maximumSignificantDigits: 3 })
const numbers = new Intl.NumberFormat('en-IN')

/** ₹1,25,000 */
export const formatMoney = (value: number) => rupees.format(value)

/** 12,34,567: grouped as money is. */
export const formatNumber = (value: number) => numbers.format(value)

/** "1 lead", "12,345 leads" */
export const formatCount = (value: number, one: string, many = `${one}s`) =>
  `${formatNumber(value)} ${value === 1 ? one : many}`
