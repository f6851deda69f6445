import { t } from '@lingui/core/macro'

export const minPasswordLength = 10

/** What forms check by themselves: a browser would say it in its own words and language. */
export const emailRule = (email: string) => (/\S@\S/.test(email) ? null : t`Enter your email.`)
export const passwordRule = (password: string) => (password ? null : t`Enter your password.`)
export const newPasswordRule = (password: string) =>
  password.length >= minPasswordLength ? null : t`Enter at least ${{ minPasswordLength }} characters.`
