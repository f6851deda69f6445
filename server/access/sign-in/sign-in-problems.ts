import { msg } from '@lingui/core/runtime-macro'
import { HttpProblem, invalid, rateLimited } from '../../platform/http/problem.ts'
import type { Text } from '../../platform/languages/translate.ts'

interface Sent {
  message?: string
  code?: string
}

/** Translates an error of better-auth to an HttpProblem with a readable message. */
export function signInProblem(path: string, status: number, sent: Sent): HttpProblem {
  const known = problems[sent.code ?? '']
  if (known) return known(path)
  if (sent.code === 'VALIDATION_ERROR') return unreadable(sent.message ?? '')
  switch (status) {
    case 401:
      return unauthorized(msg`Sign in first.`)
    case 403:
      return crossSiteProblem()
    case 409:
      return unauthorized(msg`The backup code was used just now. Start again with your password.`)
  }
  return new HttpProblem(status, 'INVALID_PARAM', msg`The body is invalid.`)
}

/** A wrong code is an invalid field. 401 means that the user has to start again. */
const problems: Record<string, (path: string) => HttpProblem> = {
  INVALID_EMAIL_OR_PASSWORD: () => unauthorized(msg`The email or the password is wrong.`),
  INVALID_EMAIL: () => invalid(msg`${{ field: 'email' }} must be an email address.`, 'email'),
  INVALID_PASSWORD: (path) =>
    invalid(msg`The password is wrong.`, path === '/change-password' ? 'currentPassword' : 'password'),
  PASSWORD_TOO_SHORT: () => invalid(msg`The new password must be 10 to 128 characters.`, 'newPassword'),
  PASSWORD_TOO_LONG: (path) =>
    path === '/change-password'
      ? invalid(msg`The new password must be 10 to 128 characters.`, 'newPassword')
      : invalid(msg`A password has at most 128 characters.`, 'password'),
  SESSION_NOT_FRESH: () =>
    new HttpProblem(403, 'PERMISSION_DENIED', msg`You signed in more than a day ago. Sign in again to do this.`),
  SINGLE_SIGN_ON_ONLY: () =>
    new HttpProblem(403, 'PERMISSION_DENIED', msg`Your account asks for single sign-on: sign in without the password.`),
  INVALID_CODE: () => invalid(msg`The code is wrong or expired. Enter the one that your app shows now.`, 'code'),
  INVALID_BACKUP_CODE: () => invalid(msg`The backup code is wrong or was used before.`, 'code'),
  INVALID_TWO_FACTOR_COOKIE: () => unauthorized(msg`Signing in took too long. Start again with your password.`),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () =>
    unauthorized(msg`Too many codes were wrong. Start again with your password.`),
  ACCOUNT_TEMPORARILY_LOCKED: () => rateLimited(msg`Too many codes were wrong`, 900),
  TOTP_ALREADY_ENABLED: () => invalid(msg`Two-factor sign-in is on already. Turn it off first.`),
  TOTP_NOT_ENABLED: () => invalid(msg`Two-factor sign-in is not set up.`),
  TWO_FACTOR_NOT_ENABLED: () => invalid(msg`Two-factor sign-in is not on.`),
  BACKUP_CODES_NOT_ENABLED: () => invalid(msg`Two-factor sign-in is not set up.`),
}

/** Names the first invalid field of `[body.email] Invalid input: …; [body.password] …`. */
function unreadable(message: string): HttpProblem {
  const field = /^\[body\.(\w+)\]/.exec(message)?.[1]
  return field
    ? invalid(msg`${{ field }} is missing or invalid.`, field)
    : invalid(msg`The body must be a JSON object.`)
}

const crossSiteProblem = () =>
  new HttpProblem(403, 'PERMISSION_DENIED', msg`This request came from a page of another site.`)

/** Without WWW-Authenticate: the web app shows its own form. */
const unauthorized = (message: Text) => new HttpProblem(401, 'UNAUTHORIZED', message)
