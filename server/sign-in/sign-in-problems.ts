import { HttpProblem, invalid, rateLimited } from '../http/problem.ts'

interface Sent {
  message?: string
  code?: string
}

/** What better-auth refused, in the one shape of all refusals and in sentences for people. */
export function signInProblem(path: string, status: number, sent: Sent): HttpProblem {
  const known = sentences[sent.code ?? '']
  if (known) return known(path)
  if (sent.code === 'VALIDATION_ERROR') return unreadable(sent.message ?? '')
  switch (status) {
    case 401:
      return unauthorized('Sign in first.')
    case 403:
      return ofAnotherSite()
    case 409:
      return unauthorized('The backup code was used just now. Begin again with your password.')
  }
  return new HttpProblem(status, 'INVALID_PARAM', 'The body is not what this address takes.')
}

/** Codes that are wrong are a field at fault, like any other; 401 is left for who has to begin anew. */
const sentences: Record<string, (path: string) => HttpProblem> = {
  INVALID_EMAIL_OR_PASSWORD: () => unauthorized('The email or the password is wrong.'),
  INVALID_EMAIL: () => invalid('email must be an email address.', 'email'),
  INVALID_PASSWORD: (path) =>
    invalid('The password is wrong.', path === '/change-password' ? 'currentPassword' : 'password'),
  PASSWORD_TOO_SHORT: () => invalid('The new password must be 10 to 128 characters.', 'newPassword'),
  PASSWORD_TOO_LONG: (path) =>
    path === '/change-password'
      ? invalid('The new password must be 10 to 128 characters.', 'newPassword')
      : invalid('A password has at most 128 characters.', 'password'),
  SESSION_NOT_FRESH: () =>
    new HttpProblem(403, 'PERMISSION_DENIED', 'You signed in more than a day ago. Sign in again to do this.'),
  INVALID_CODE: () => invalid('The code is wrong or has run out. Enter the one that your app shows now.', 'code'),
  INVALID_BACKUP_CODE: () => invalid('The backup code is wrong or was used before.', 'code'),
  INVALID_TWO_FACTOR_COOKIE: () => unauthorized('Signing in took too long. Begin again with your password.'),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () => unauthorized('Too many codes were wrong. Begin again with your password.'),
  ACCOUNT_TEMPORARILY_LOCKED: () => rateLimited('Too many codes were wrong', 900),
  TOTP_ALREADY_ENABLED: () => invalid('Two-factor sign-in is on already. Switch it off first.'),
  TOTP_NOT_ENABLED: () => invalid('Two-factor sign-in is not set up.'),
  TWO_FACTOR_NOT_ENABLED: () => invalid('Two-factor sign-in is not on.'),
  BACKUP_CODES_NOT_ENABLED: () => invalid('Two-factor sign-in is not set up.'),
}

/** `[body.email] Invalid input: …; [body.password] …`: the first field at fault is named. */
function unreadable(message: string): HttpProblem {
  const field = /^\[body\.(\w+)\]/.exec(message)?.[1]
  return field
    ? invalid(`${field} is missing or not what it should be.`, field)
    : invalid('The body must be a JSON object.')
}

export const ofAnotherSite = () =>
  new HttpProblem(403, 'PERMISSION_DENIED', 'This was asked by a page of another site.')

/** Without WWW-Authenticate: what is asked for here is a form of ours, no header. */
const unauthorized = (message: string) => new HttpProblem(401, 'UNAUTHORIZED', message)
