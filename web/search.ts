/** URLs hold plain values: `/leads?status=New&source=IVR`, nothing quoted. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

type Given = Record<string, unknown>

/** Returns a text parameter, if it is set. */
export function text(search: Given, name: string): string | undefined {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}

/** Returns a parameter, if it is one of `words`. */
export function oneOf<T extends string>(search: Given, name: string, words: readonly T[]): T | undefined {
  return words.find((word) => word === search[name])
}

/** Returns a parameter, if it is a positive whole number. */
export function count(search: Given, name: string): number | undefined {
  const value = Number(search[name])
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** Returns true if the parameter is `true`. */
export const flag = (search: Given, name: string): true | undefined =>
  String(search[name]) === 'true' ? true : undefined

/** The parameters of a date filter. */
export const days = (search: Given) => ({
  days: count(search, 'days'),
  from_date: day(search, 'from_date'),
  to_date: day(search, 'to_date'),
})

/** Returns a parameter, if it is a date such as 2026-11-21. */
function day(search: Given, name: string): string | undefined {
  const value = text(search, name)
  return value && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}
