import type { FastifyReply } from 'fastify'
import { forbidden, invalid } from '../../http/problem.ts'
import { isChallenge } from '../../payload/event.ts'
import type { Webhook } from '../store.ts'

/** Meta's and WhatsApp's check of the URL: their challenge, once they have shown the verify token. */
export function verifiedChallenge(webhook: Webhook, query: URLSearchParams): string | null {
  const challenge = query.get('hub.challenge')
  if (challenge === null) return null
  if (query.get('hub.verify_token') !== webhook.verify_token) {
    throw forbidden('PERMISSION_DENIED', 'The verify token is not that of this webhook. It is in the web settings.')
  }
  if (!isChallenge(challenge)) {
    throw invalid('hub.challenge must be 1 to 1,000 printable ASCII characters.', 'hub.challenge')
  }
  return challenge
}

/** As plain text, which no browser takes for a page: whoever knows the URL chooses the words. */
export function sendChallenge(reply: FastifyReply, challenge: string) {
  return reply
    .type('text/plain; charset=utf-8')
    .header('x-content-type-options', 'nosniff')
    .serializer(String)
    .send(challenge as never) as never
}
