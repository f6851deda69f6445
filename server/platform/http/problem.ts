import { randomInt } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import type { Language } from '../languages/contract.ts'
import { type Text, translate, withValues } from '../languages/translate.ts'
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
  /** The message, for the user's language. */
  readonly text: Text

  constructor(status: number, code: ErrorCode | WebErrorCode, text: Text, { field, headers = {} }: Where = {}) {
    // It is answered and not logged. Its stack would take a fifth of the time of a rejection.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(translate(text))
    Error.stackTraceLimit = limit
    this.status = status
    this.text = text
    this.code = code
    this.field = field
    this.headers = headers
  }
}

/** What the caller receives. Only the web app asks for another language than English. */
export const problemBody = ({ code, message, text, field }: HttpProblem, language: Language = 'en'): Problem => ({
  error: {
    code,
    message: language === 'en' ? message : translate(text, language),
    ...(field === undefined ? {} : { field }),
  },
})

export const invalid = (message: Text, field?: string) => new HttpProblem(400, 'INVALID_PARAM', message, { field })

export const emptyBody = () => invalid('The body is empty; send a JSON object.')

export const tooDeep = () => invalid('The body has too many lists or objects in each other.')

export const unauthorized = (message: Text) =>
  new HttpProblem(401, 'UNAUTHORIZED', message, { headers: { 'www-authenticate': 'Bearer' } })

export const notFound = (message: Text, field?: string) => new HttpProblem(404, 'NOT_FOUND', message, { field })

/** Another user changed the record since the caller read it. */
export const changedMeanwhile = (message: Text, field: string) => new HttpProblem(409, 'CHANGED', message, { field })

export const forbidden = (
  code: 'IP_NOT_ALLOWED' | 'PERMISSION_DENIED' | 'WEBHOOK_DISABLED' | 'ACCOUNT_SUSPENDED',
  message: Text,
) => new HttpProblem(403, code, message)

/** `instead` says what to do in place of the method, as a sentence. */
export const methodNotAllowed = (allowed: string, instead?: string | null) =>
  new HttpProblem(405, 'METHOD_NOT_ALLOWED', `This URL supports ${allowed}.${instead ? ` ${instead}` : ''}`, {
    headers: { allow: allowed },
  })

export const requestTimeout = () => new HttpProblem(408, 'INVALID_PARAM', msg`The request took too long to arrive.`)

export const headersTooLarge = () => new HttpProblem(431, 'INVALID_PARAM', 'The URL or the headers are too large.')

export const unsupportedMediaType = () =>
  new HttpProblem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.')

export const tooLarge = () => new HttpProblem(413, 'PAYLOAD_TOO_LARGE', msg`The body is larger than 1 MiB.`)

/** `wait` is in whole seconds. */
export const rateLimited = (what: Text, wait: number) =>
  new HttpProblem(429, 'RATE_LIMITED', withValues(tryAgainIn, { what, time: timeOf(wait) }), {
    headers: {
      'retry-after': String(wait),
    },
  })

const tryAgainIn = msg`${{ what: '' }}. Try again in ${{ time: '' }}.`
const inSeconds = msg`${{ value: 0 }} s`
const inMinutes = msg`${{ value: 0 }} min`

const timeOf = (seconds: number) =>
  seconds < 120 ? withValues(inSeconds, { value: seconds }) : withValues(inMinutes, { value: Math.ceil(seconds / 60) })

export const unavailable = () => tryLater(msg`The database cannot be reached just now. Try again in a moment.`)

const unwritableTexts = {
  read_only: msg`The database does not accept writes just now: it is set to read-only. Try again later.`,
  disk_full: msg`The database does not accept writes just now: its disk is full. Try again later.`,
}

/** Reads are answered meanwhile. The web app knows by the header that it may go on reading. */
export const unwritable = (reason: keyof typeof unwritableTexts) =>
  tryLater(unwritableTexts[reason], { 'x-not-writable': reason })

export const busy = () =>
  tryLater(msg`The account has more requests under way than can be done in time. Try again in a moment.`)

export const locked = () => tryLater(msg`Other work on the same lead did not end in time. Try again in a moment.`)

export const tooManyLookups = () =>
  tryLater('Too many unknown webhook URLs are being looked up. Try again in a moment.')

/** Every 503 comes from here. `Retry-After` is random, so that callers rejected together do not all retry at once. */
export const tryLater = (message: Text, headers: Record<string, string> = {}) =>
  new HttpProblem(503, 'UNAVAILABLE', message, { headers: { 'retry-after': String(randomInt(5, 11)), ...headers } })

/** Reveals nothing: the log has the error under the request's id. */
export const internalError = () =>
  new HttpProblem(
    500,
    'INTERNAL_ERROR',
    msg`Something went wrong on our side. Give the X-Request-Id when you ask about it.`,
  )
