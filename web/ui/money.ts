const rupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
})
const numbers = new Intl.NumberFormat('en-IN')

/** ₹1,25,000 */
export const money = (value: number) => rupees.format(value)

/** 12,34,567: counts are grouped as money is. */
export const grouped = (value: number) => numbers.format(value)

/** "1 lead", "12,345 leads" */
export const counted = (value: number, one: string, many = `${one}s`) => `${grouped(value)} ${value === 1 ? one : many}`
