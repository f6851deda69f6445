import { randomInt } from 'node:crypto'
import type { ErrorCode, Problem } from './contract.ts'

interface Where {
  field?: string | undefined
  headers?: Record<string, string>
}

/** Only the web app receives it. */
type WebErrorCode = 'CHANGED'

/** An error that is answered to the caller as it is. Any other error is a bug: it is logged and answered as a bare 500. */
export class HttpProblem extends Error {
  readonly status: number
  readonly code: ErrorCode | WebErrorCode
  readonly field: string | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: ErrorCode | WebErrorCode, message: string, { field, headers = {} }: Where = {}) {
    // It is answered and not logged. Its stack would take a fifth of the time of a rejection.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = limit
    this.status = status
    this.code = code
    this.field = field
    this.headers = headers
  }
}

/** What the caller receives. */
export const problemBody = ({ code, message, field }: HttpProblem): Problem => ({
  error: { code, message, ...(field === undefined ? {} : { field }) },
})

export const invalid = (message: string, field?: string) => new HttpProblem(400, 'INVALID_PARAM', message, { field })

export const tooDeep = () => invalid('The body has too many lists or objects in each other.')

export const unauthorized = (message: string) =>
  new HttpProblem(401, 'UNAUTHORIZED', message, { headers: { 'www-authenticate': 'Bearer' } })

export const notFound = (message: string, field?: string) => new HttpProblem(404, 'NOT_FOUND', message, { field })

/** Another user changed the record since the caller read it. */
export const changedMeanwhile = (message: string, field: string) => new HttpProblem(409, 'CHANGED', message, { field })

export const forbidden = (code: 'IP_NOT_ALLOWED' | 'PERMISSION_DENIED' | 'WEBHOOK_DISABLED', message: string) =>
  new HttpProblem(403, code, message)

export const methodNotAllowed = (allowed: string) =>
  new HttpProblem(405, 'METHOD_NOT_ALLOWED', `This URL supports ${allowed}.`, { headers: { allow: allowed } })

export const requestTimeout = () => new HttpProblem(408, 'INVALID_PARAM', 'The request took too long to arrive.')

export const headersTooLarge = () => new HttpProblem(431, 'INVALID_PARAM', 'The URL or the headers are too large.')

export const unsupportedMediaType = () =>
  new HttpProblem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.')

export const tooLarge = () => new HttpProblem(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.')

/** `wait` is in whole seconds. */
export const rateLimited = (what: string, wait: number) =>
  new HttpProblem(429, 'RATE_LIMITED', `${what}. Try again in ${timeOf(wait)}.`, {
    headers: {
      'retry-after': String(wait),
    },
  })

const timeOf = (seconds: number) => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`)

export const unavailable = () => tryLater('The database cannot be reached just now. Try again in a moment.')

const unwritableReasons = { read_only: 'it is set to read-only', disk_full: 'its disk is full' }

/** Reads are answered meanwhile. */
export const unwritable = (reason: keyof typeof unwritableReasons) =>
  tryLater(`The database does not accept writes just now: ${unwritableReasons[reason]}. Try again later.`)

export const busy = () =>
  tryLater('The account has more requests under way than can be done in time. Try again in a moment.')

export const locked = () => tryLater('Other work on the same lead did not end in time. Try again in a moment.')

export const tooManyLookups = () =>
  tryLater('Too many unknown webhook URLs are being looked up. Try again in a moment.')

/** Every 503 comes from here. `Retry-After` is random, so that callers rejected together do not all retry at once. */
export const tryLater = (message: string, headers: Record<string, string> = {}) =>
  new HttpProblem(503, 'UNAVAILABLE', message, { headers: { 'retry-after': String(randomInt(5, 11)), ...headers } })

/** Reveals nothing: the log has the error under the request's id. */
export const internalError = () =>
  new HttpProblem(
    500,
    'INTERNAL_ERROR',
    'Something went wrong on our side. Give the X-Request-Id when you ask about it.',
  )
