interface Named {
  message: string
  /** The field of the API that the message names. */
  field?: string | undefined
}

/** Replaces field names such as `deal_value` by words. */
export function messageInWords({ message, field }: Named): string {
  const words = field ? message.replaceAll(field, field.replaceAll('_', ' ')) : message
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** At the field itself, `email is not a valid email address.` is "This is not a valid email address." */
export function messageAtField(named: Named): string {
  const { message, field } = named
  const predicate = field && message.startsWith(field) ? message.slice(field.length) : ''
  return /^ (is|must|may) /.test(predicate) ? `This${predicate}` : messageInWords(named)
}
