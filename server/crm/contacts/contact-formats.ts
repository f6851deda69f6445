import { msg } from '@lingui/core/runtime-macro'
import { isEmail, withoutInvisible } from './contact.ts'
import { latinDigits } from './contract.ts'
import { emailsIn } from './parse-contact.ts'

/** The formats of contacts in requests. Which phones a text has depends on the country of the account: leads/given-contacts.ts. */

/** Control characters would end a text early. */
const isOneLine = (text: string) => !/[\p{Cc}\u2028\u2029]/u.test(text)

const mayBePhone = (text: string) => isOneLine(text) && latinDigits(text).replace(/\D/g, '').length >= 7
const hasEmail = (text: string) => isOneLine(text) && (isEmail(text) || emailsIn(text).length > 0)

/** The email, if there is one. */
const onlyEmail = (text: string) => {
  const [first, ...others] = isOneLine(text.trim()) ? emailsIn(text) : []
  return first !== undefined && others.length === 0 ? first : withoutInvisible(text)
}

export const phoneFormat = {
  name: 'phone',
  clean: withoutInvisible,
  isValid: mayBePhone,
  message: (field: string) =>
    msg`${{ field }} is not a valid phone number: write 7 to 15 digits, with spaces, dashes, dots, brackets and a leading + or 00 if you like.`,
}

export const emailFormat = {
  name: 'email',
  clean: onlyEmail,
  isValid: hasEmail,
  message: (field: string) => msg`${{ field }} is not a valid email address.`,
}

/** Any of both. */
export const contactFormat = {
  name: 'contact',
  clean: (text: string) => (/[@\uff20]/.test(text) ? onlyEmail(text) : withoutInvisible(text)),
  isValid: (text: string) => mayBePhone(text) || hasEmail(text),
  message: (field: string) => msg`${{ field }} is not a valid phone number or email address.`,
}
