import { Counter, type Registry } from 'prom-client'
import { HttpProblem } from '../../../platform/http/problem.ts'
import { type DeliveryOutcome, deliveryOutcomes } from '../contract.ts'
import { DeliveryWaits } from './delivery.ts'
import type { Challenge } from './handshake.ts'

type Outcome = DeliveryOutcome | 'disabled' | 'limited' | 'failed'

/** What a webhook answers: the challenge of a handshake, or how the delivery ended. */
type Answer =
  | { challenge: Challenge }
  | { data: { status: DeliveryOutcome | 'ready'; leads?: { status: DeliveryOutcome }[] } }

/** Returns a function that counts how a delivery ends; of a request with several records, each of them. */
export function outcomeCounter(registry: Registry) {
  const deliveries = new Counter({
    name: 'lead_engine_deliveries_total',
    help:
      'Webhook deliveries by outcome: as on their page, or disabled (the webhook is), limited (too many) or failed ' +
      '(an error of the service or the database)',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  for (const outcome of [...deliveryOutcomes, 'disabled', 'limited', 'failed']) deliveries.inc({ outcome }, 0)

  return async <T extends Answer>(answering: Promise<T>): Promise<T> => {
    try {
      const answer = await answering
      for (const outcome of outcomesOf(answer)) deliveries.inc({ outcome })
      return answer
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome) deliveries.inc({ outcome })
      throw error
    }
  }
}

function outcomesOf(answer: Answer): DeliveryOutcome[] {
  if ('challenge' in answer || answer.data.status === 'ready') return []
  return answer.data.leads?.map(({ status }) => status) ?? [answer.data.status]
}

/** Returns null for a call of an unknown URL. */
function outcomeOf(error: unknown): Outcome | null {
  if (error instanceof DeliveryWaits) return 'waiting'
  const status = error instanceof HttpProblem ? error.status : 500
  if (status >= 500) return 'failed'
  if (status === 404) return null
  if (status === 429) return 'limited'
  return status === 403 ? 'disabled' : 'rejected'
}
