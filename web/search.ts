/** Addresses hold plain words: `/leads?status=New&source=IVR`, nothing quoted. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

type Given = Record<string, unknown>

/** The text at that name, if there is one. */
export function text(search: Given, name: string): string | undefined {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}

/** The word at that name, if it is one of these. */
export function oneOf<T extends string>(search: Given, name: string, words: readonly T[]): T | undefined {
  return words.find((word) => word === search[name])
}

/** The whole number at that name, if it is one and above zero. */
export function count(search: Given, name: string): number | undefined {
  const value = Number(search[name])
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** Whether that name stands there as `true`. */
export const flag = (search: Given, name: string): true | undefined =>
  String(search[name]) === 'true' ? true : undefined

/** Which days a list is of. */
export const days = (search: Given) => ({
  days: count(search, 'days'),
  from_date: day(search, 'from_date'),
  to_date: day(search, 'to_date'),
})

/** The calendar day at that name, such as 2026-11-21, if it is one. */
function day(search: Given, name: string): string | undefined {
  const value = text(search, name)
  return value && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}
