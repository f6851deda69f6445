/** URLs hold plain values: `/leads?status=New&status=Won&city=Pune`, nothing quoted. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const given = new URLSearchParams(text)
  const valuesOf = (name: string) => {
    const values = given.getAll(name)
    return values.length === 1 ? values[0]! : values
  }
  return Object.fromEntries([...new Set(given.keys())].map((name) => [name, valuesOf(name)]))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
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
export function readChoice<T extends string>(search: Given, name: string, words: readonly T[]): T | undefined {
  return words.find((word) => word === search[name])
}

/** Returns the values of a parameter that may be repeated, if it is set. */
export function texts(search: Given, name: string): string[] | undefined {
  const values = [search[name]].flat().filter((value) => typeof value === 'string' && value !== '') as string[]
  return values.length > 0 ? values : undefined
}

/** Returns those values of a parameter that are among `words`. */
export function readChoices<T extends string>(search: Given, name: string, words: readonly T[]): T[] | undefined {
  const found = words.filter((word) => texts(search, name)?.includes(word))
  return found.length > 0 ? found : undefined
}

/** Returns a parameter, if it is a positive whole number. */
export function count(search: Given, name: string): number | undefined {
  const value = Number(search[name])
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** Returns true if the parameter is `true`. */
export const flag = (search: Given, name: string): true | undefined =>
  String(search[name]) === 'true' ? true : undefined
