import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { forbidden, invalid } from '../../../platform/http/problem.ts'
import { isChallenge } from '../../payload/challenge.ts'
import type { Webhook } from '../store.ts'

/** What a platform that checks the URL expects back: a text, or at Zoom its token with a signature. */
export type Challenge = string | { plainToken: string; encryptedToken: string }

/** Returns the challenge of Meta's and WhatsApp's URL check if the verify token is right; null for other requests. */
export function verifiedChallenge(webhook: Webhook, query: URLSearchParams): string | null {
  const challenge = query.get('hub.challenge')
  if (challenge === null) return null
  if (query.get('hub.verify_token') !== webhook.verify_token) {
    throw forbidden(
      'PERMISSION_DENIED',
      'The verify token is not that of this webhook. Copy it from the settings of the webhook.',
    )
  }
  if (!isChallenge(challenge)) {
    throw invalid('hub.challenge must be 1 to 1,000 printable ASCII characters.', 'hub.challenge')
  }
  return challenge
}

/** Returns the token that RingCentral wants back in the same header; null if there is none that can be sent back. */
export function validationToken({ 'validation-token': token }: IncomingHttpHeaders): string | null {
  return isChallenge(token) ? token : null
}

/** Answers Zoom's URL check: the secret token of the app signs what Zoom sent. */
export function signedChallenge(plainToken: string, secretToken: string): Challenge {
  return { plainToken, encryptedToken: createHmac('sha256', secretToken).update(plainToken).digest('hex') }
}

/** Everybody who knows the URL chooses the text, so no browser may read it as HTML. */
export function sendChallenge(reply: FastifyReply, challenge: Challenge) {
  const isText = typeof challenge === 'string'
  return reply
    .type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
    .header('x-content-type-options', 'nosniff')
    .serializer(isText ? String : JSON.stringify)
    .send(challenge as never) as never
}
