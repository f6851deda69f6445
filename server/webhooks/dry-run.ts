import { accountOf } from '../accounts/people.ts'
import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { newestDeliveries } from './deliveries.ts'
import type { LeadDraft, LeadField } from './lead-draft.ts'
import type { MappingEntry } from './map-payload.ts'
import { readPayload } from './read-payload.ts'
import type { Webhook } from './store.ts'

export interface Trial {
  delivery_id: string
  received_at: Date
  /** What the delivery says under the mapping that is saved, and under the one that is tried. */
  before: LeadDraft
  after: LeadDraft
  changed: LeadField[]
}

/** What a mapping would make of the newest deliveries, before it is saved. Changes nothing. */
export async function tryMapping(
  database: Database,
  actor: Actor,
  webhook: Webhook,
  mapping: MappingEntry[],
  limit: number,
): Promise<Trial[]> {
  const { country } = await accountOf(database, actor.account_id)
  const deliveries = await readAsActor(database, actor, (tx) =>
    newestDeliveries(tx, actor.account_id, webhook.id, limit),
  )
  const trials: Trial[] = []
  for (const { id, received_at, body, content_type } of deliveries) {
    if (body === null) continue
    const input = { body, content_type, country }
    const now = await readPayload({ ...input, mapping: webhook.mapping })
    const then = await readPayload({ ...input, mapping })
    if ('refusal' in now || 'refusal' in then) continue
    const [before, after] = [now.reading.lead, then.reading.lead]
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])] as LeadField[]
    const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    trials.push({ delivery_id: id, received_at, before, after, changed })
  }
  return trials
}
