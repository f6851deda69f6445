import { randomInt } from 'node:crypto'

/** A refusal: what the caller may be told. Anything else that is thrown is a bug and answers a bare 500. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, field?: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
    this.headers = headers
  }
}

export const invalid = (message: string, field?: string) => new Refusal(400, 'INVALID_PARAM', message, field)

export const unauthorized = (message: string) =>
  new Refusal(401, 'UNAUTHORIZED', message, undefined, { 'www-authenticate': 'Bearer' })

export const notFound = (message: string, field?: string) => new Refusal(404, 'NOT_FOUND', message, field)

/** Somebody else changed what this change was made from. */
export const changedMeanwhile = (message: string, field: string) => new Refusal(409, 'CHANGED', message, field)

export const forbidden = (code: 'IP_NOT_ALLOWED' | 'PERMISSION_DENIED' | 'WEBHOOK_DISABLED', message: string) =>
  new Refusal(403, code, message)

export const methodNotAllowed = (allowed: string) =>
  new Refusal(405, 'METHOD_NOT_ALLOWED', `This address takes ${allowed}.`, undefined, { allow: allowed })

export const tooLarge = () => new Refusal(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.')

/** `wait` in whole seconds. */
export const rateLimited = (what: string, wait: number) =>
  new Refusal(429, 'RATE_LIMITED', `${what}. Try again in ${wait} s.`, undefined, { 'retry-after': String(wait) })

export const unavailable = () => tryLater('The database cannot be reached just now. Try again in a moment.')

export const busy = () => tryLater('Other work on the same lead or account did not end in time. Try again in a moment.')

export const tooManyLookups = () =>
  tryLater('Too many unknown webhook URLs are being looked up. Try again in a moment.')

/** `Retry-After` is spread at random, so that those who were refused together do not come back together. */
const tryLater = (message: string) =>
  new Refusal(503, 'UNAVAILABLE', message, undefined, { 'retry-after': String(randomInt(5, 11)) })

/** Reveals nothing: what it was is in the log, under the request's id. */
export const internalError = () =>
  new Refusal(500, 'INTERNAL_ERROR', 'Something went wrong on our side. Give the X-Request-Id when you ask about it.')
