import { HttpProblem } from '../../http/problem.ts'
import type { Webhook } from '../store.ts'
import { type Challenge, signedChallenge } from './handshake.ts'
import type { ReadDelivery } from './read-delivery.ts'

/** Why a delivery makes no lead although it is valid. */
export class NoLead extends HttpProblem {
  readonly outcome: 'test' | 'ignored'
  readonly attention: boolean
  readonly challenge: Challenge | null

  constructor(
    outcome: 'test' | 'ignored',
    message: string,
    { attention = false, challenge = null as Challenge | null } = {},
  ) {
    super(400, 'INVALID_PARAM', message)
    this.outcome = outcome
    this.attention = attention
    this.challenge = challenge
  }
}

/** Returns why the check of a URL by a header makes no lead. */
export const headerSentBack = () =>
  new NoLead('test', 'A check of the URL by the platform: its Validation-Token was sent back.')

/** Returns null where the delivery should make a lead. */
export function noLeadReason(
  { is_test, is_own, event }: ReadDelivery,
  { secret_token }: Webhook,
  ownTest = false,
): NoLead | null {
  if (is_test) {
    const from = ownTest ? 'A test from the settings' : 'A test lead of the platform'
    return new NoLead('test', `${from}: it is stored, but makes no lead.`)
  }
  if (is_own)
    return new NoLead('ignored', 'A message that the business itself sent, or a receipt of one: it makes no lead.')
  if (event === null) return null
  const { challenge, plain_token, has_contact } = event
  if (plain_token !== null) return signedReason(plain_token, secret_token)
  if (challenge !== null)
    return new NoLead('test', 'A handshake of the platform: its challenge was sent back.', { challenge })
  return has_contact
    ? new NoLead(
        'ignored',
        'No lead field was recognised, but there is a possible phone or email: map it, then replay this delivery.',
        { attention: true },
      )
    : new NoLead('ignored', 'No lead field was recognised: the delivery is stored, but makes no lead.')
}

function signedReason(plainToken: string, secretToken: string | null): NoLead {
  return secretToken === null
    ? new NoLead(
        'ignored',
        'Zoom checks this URL and needs its secret token: copy it from the Zoom app, save it under “Connect a source”, then validate the URL again.',
      )
    : new NoLead('test', 'A check of the URL by Zoom: its token was sent back, signed with the secret token.', {
        challenge: signedChallenge(plainToken, secretToken),
      })
}
