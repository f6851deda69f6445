const words =
  /mail|phone|mobile|\bmob|tel|cell|contact|whats|name|naam|msisdn|from|caller|number|city|company|message|note|comment|enquiry|inquiry|query|source/i

/** Whether a value may be of a lead, judged so cheaply that any number of values can be ranked before most are dropped. */
export function isTelling(label: string, value: unknown): boolean {
  if (typeof value === 'number') return value >= 1_000_000
  if (typeof value !== 'string') return false
  if (value.length <= 320 && (value.includes('@') || /\d(?:[\s().-]{0,3}\d){6}/.test(value))) return true
  return label.length <= 200 && words.test(label)
}
