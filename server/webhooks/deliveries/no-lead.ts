import { HttpProblem } from '../../http/problem.ts'
import type { ReadDelivery } from './read-delivery.ts'

/** Why a delivery makes no lead although it is valid. */
export class NoLead extends HttpProblem {
  readonly outcome: 'test' | 'ignored'
  readonly attention: boolean
  readonly challenge: string | null

  constructor(
    outcome: 'test' | 'ignored',
    message: string,
    { attention = false, challenge = null as string | null } = {},
  ) {
    super(400, 'INVALID_PARAM', message)
    this.outcome = outcome
    this.attention = attention
    this.challenge = challenge
  }
}

/** Returns null where the delivery should make a lead. */
export function noLeadReason({ is_test, is_own, event }: ReadDelivery, ownTest = false): NoLead | null {
  if (is_test) {
    const from = ownTest ? 'A test from the settings' : 'A test lead of the platform'
    return new NoLead('test', `${from}: it is stored, but makes no lead.`)
  }
  if (is_own)
    return new NoLead('ignored', 'A message that the business itself sent, or a receipt of one: it makes no lead.')
  if (event === null) return null
  const { challenge, has_contact } = event
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
