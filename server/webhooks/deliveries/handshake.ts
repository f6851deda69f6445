import type { FastifyReply } from 'fastify'
import { forbidden, invalid } from '../../http/problem.ts'
import { isChallenge } from '../../payload/event.ts'
import type { Webhook } from '../store.ts'

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

/** Sends it as plain text, because everybody who knows the URL chooses the text and no browser may read it as HTML. */
export function sendChallenge(reply: FastifyReply, challenge: string) {
  return reply
    .type('text/plain; charset=utf-8')
    .header('x-content-type-options', 'nosniff')
    .serializer(String)
    .send(challenge as never) as never
}
