/** The same value as jsonb can hold it: without NUL characters and halves of surrogate pairs, which senders do send. */
export function storable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_name, part) => (typeof part === 'string' ? asText(part) : part)))
}

const asText = (text: string) => text.replaceAll('\0', '').toWellFormed()
