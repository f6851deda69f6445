import { asActor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import { mappingOfLike } from '../../payload/compare-fields.ts'
import type { FieldMatch } from '../../payload/contract.ts'
import type { Reading } from '../../payload/map-payload.ts'
import { mappedWebhooks, type Webhook } from '../store.ts'
import { webhookActor } from './delivery.ts'

/** What the owner mapped on another webhook, as part of the proposal of this one. */
type Learned = Omit<FieldMatch, 'value'>

/** Returns the mapping that the proposal of a webhook learned from another one. */
export function learnedMapping({ proposal }: Pick<Webhook, 'proposal'>): Learned[] {
  return (proposal ?? []).filter(({ by }) => by === 'learned')
}

/**
 * Returns the mapping of another webhook of the account whose deliveries have the shape of this first one. Deliveries
 * that are rejected leave their webhook without a proposal, so the mapped webhooks are read from the cache.
 */
export async function mappingToLearn(database: Database, webhook: Webhook, reading: Reading): Promise<Learned[]> {
  const { account_id } = webhook
  const mapped = await database.cache.get(`mapped:${account_id}`, async () => {
    const value = await asActor(database, webhookActor(webhook), (tx) => mappedWebhooks(tx, account_id))
    return { account_id, value }
  })
  const others = (mapped ?? []).filter(({ id }) => id !== webhook.id)
  const like = mappingOfLike(reading, webhook.mapping, others)
  return (like?.mapping ?? []).map(({ path, field }) => ({
    path,
    field,
    reason: `${field === 'ignore' ? 'Ignored' : 'Mapped'} manually on the webhook “${like!.name}”`,
    by: 'learned',
  }))
}
