import { msg } from '@lingui/core/runtime-macro'

/**
 * The emails that better-auth accepts at sign-in, up to 254 characters. Leads may have any plausible email, but a user
 * with an email that better-auth rejects could never sign in.
 */
const signsIn = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export const isUserEmail = (text: string) => text.length <= 254 && signsIn.test(text)

export const userEmailFormat = {
  name: 'user-email',
  isValid: isUserEmail,
  message: (field: string) =>
    msg`${{ field }} must be an email address of unaccented letters, digits and . _ - + ' before the @.`,
}
