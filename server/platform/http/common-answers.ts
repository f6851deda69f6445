import type { AnswerDocs } from './describe.ts'
import {
  forbidden,
  headersTooLarge,
  internalError,
  methodNotAllowed,
  problemBody,
  rateLimited,
  requestTimeout,
  tooLarge,
  unauthorized,
  unavailable,
  unsupportedMediaType,
} from './problem.ts'

/** The errors that several operations share, by status. Each is published once, under its name. */
export function commonAnswers(requestsPerMinute: number): Record<number, AnswerDocs & { name: string }> {
  return {
    401: {
      name: 'Unauthorized',
      description: 'The API key is missing or not valid.',
      headers: ['WWW-Authenticate'],
      examples: {
        'no key': problemBody(unauthorized('Send your API key as "Authorization: Bearer le_live_…".')),
        'not valid': problemBody(
          unauthorized('This API key is not valid. It may have been revoked or regenerated, or its user deactivated.'),
        ),
      },
    },
    403: {
      name: 'Forbidden',
      description:
        'The API key lacks the permission, or may not be used from this IP address, or the account is suspended.',
      examples: {
        permission: problemBody(
          forbidden(
            'PERMISSION_DENIED',
            'This API key lacks the delete permission. An Admin can allow it in the web settings.',
          ),
        ),
        'IP address': problemBody(
          forbidden(
            'IP_NOT_ALLOWED',
            'This API key may not be used from 127.0.0.1. Its IP whitelist is in the web settings.',
          ),
        ),
        suspended: problemBody(
          forbidden(
            'ACCOUNT_SUSPENDED',
            'This account is suspended. Its data is kept, and new leads wait. Ask the provider of this service to resume it.',
          ),
        ),
      },
    },
    405: {
      name: 'MethodNotAllowed',
      description: 'The path has no such method. `Allow` lists those it has; the message says what to do instead.',
      headers: ['Allow'],
      examples: {
        'change of a lead': problemBody(
          methodNotAllowed(
            'GET, HEAD, POST',
            'To change a lead, POST /api/v1/leads with the same phone or email: it merges.',
          ),
        ),
      },
    },
    408: {
      name: 'RequestTimeout',
      description: 'The request did not arrive within 20 seconds. The connection is closed.',
      examples: { 'too slow': problemBody(requestTimeout()) },
    },
    413: {
      name: 'PayloadTooLarge',
      description: 'The body is larger than 1 MiB.',
      examples: { 'too large': problemBody(tooLarge()) },
    },
    415: {
      name: 'UnsupportedMediaType',
      description: 'The body is not JSON.',
      examples: { 'not JSON': problemBody(unsupportedMediaType()) },
    },
    429: {
      name: 'RateLimited',
      description: `The API key has used its ${requestsPerMinute} requests of this minute. Wait \`Retry-After\` seconds.`,
      headers: ['Retry-After'],
      examples: {
        'too many': problemBody(
          rateLimited(`This API key has used its ${requestsPerMinute} requests of this minute`, 42),
        ),
      },
    },
    431: {
      name: 'HeadersTooLarge',
      description: 'URL and headers are larger than 16 KiB. The connection is closed.',
      examples: { 'too large': problemBody(headersTooLarge()) },
    },
    500: {
      name: 'InternalError',
      description: 'An error of the service. Its log has more under the `X-Request-Id`.',
      examples: { 'internal error': problemBody(internalError()) },
    },
    503: {
      name: 'Unavailable',
      description: 'The database is unavailable, or the service is busy. Wait `Retry-After` seconds and send it again.',
      headers: ['Retry-After'],
      examples: { unavailable: problemBody(unavailable()) },
    },
  }
}

/** The headers of answers, as the description shows them. */
export const commonHeaders: Record<string, { description: string; schema: object; example?: unknown }> = {
  'X-Request-Id': {
    description: 'Names the request in the log of the service.',
    schema: { type: 'string', format: 'uuid' },
    example: '0f5b6a3c-2a4e-4c9b-9d0e-5f1f6f0c7a11',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the API key may make in a minute.',
    schema: { type: 'integer' },
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer' },
    example: 87,
  },
  'X-RateLimit-Reset': {
    description: 'When the minute ends, in Unix seconds.',
    schema: { type: 'integer' },
    example: 1_795_244_460,
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
    example: 7,
  },
  'X-Unknown-Parameters': {
    description:
      'Names of up to 10 fields or parameters that are unknown, with what you may have meant. Absent if ' +
      'there is none.',
    schema: { type: 'string' },
    example: 'mobile; did-you-mean=phone, colour',
  },
  Link: {
    description: 'Where the API reference is.',
    schema: { type: 'string' },
    example: '</docs>; rel="help"',
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the first response to the Idempotency-Key again. Else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  Allow: { description: 'The methods of the path.', schema: { type: 'string' }, example: 'GET, HEAD, POST' },
  'WWW-Authenticate': { description: 'Always Bearer.', schema: { type: 'string' }, example: 'Bearer' },
}
