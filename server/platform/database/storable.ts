/** Removes NUL characters and half surrogate pairs, which jsonb cannot store. */
export function storable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_name, part) => (typeof part === 'string' ? asText(part) : part)))
}

const asText = (text: string) => text.replaceAll('\0', '').toWellFormed()
