import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'

interface Named {
  message: string
  /** The field of the API that the message names. */
  field?: string | undefined
}

let nameOf = (field: string) => field.replaceAll('_', ' ')

/** Names the fields of the API in messages of another language than English. */
export function nameFields(by: (field: string) => string) {
  nameOf = by
}

/** Replaces field names such as `deal_value` by words. */
export function messageInWords({ message, field }: Named): string {
  const words = field ? message.replaceAll(field, nameOf(field)) : message
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** At the field itself, `email is not a valid email address.` is "This is not a valid email address." */
export function messageAtField(named: Named): string {
  const { message, field } = named
  const predicate = field && message.startsWith(field) ? message.slice(field.length) : ''
  const isEnglish = ['', 'en'].includes(i18n.locale)
  const isPredicate = isEnglish ? /^ (is|must|may) /.test(predicate) : predicate !== ''
  return isPredicate ? `${t`This`}${predicate}` : messageInWords(named)
}
