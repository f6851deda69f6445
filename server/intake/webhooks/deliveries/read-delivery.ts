import { asActor } from '../../../platform/database/actor.ts'
import { ownNumbersAmong } from '../../../telephony/phone-lines/own-numbers.ts'
import { compareFields, mappingOfLike } from '../../payload/compare-fields.ts'
import { listContacts } from '../../payload/contacts-in.ts'
import { hasContact } from '../../payload/lead-draft.ts'
import type { Reading } from '../../payload/map-payload.ts'
import { findContacts, readPayload } from '../../payload/read-payload.ts'
import { mappedWebhooks } from '../store.ts'
import {
  type DeliveryReader,
  type Learned,
  nothingRead,
  type ReadDelivery,
  type ReadingContext,
  type ReadingOptions,
  webhookActor,
} from './delivery.ts'

/** Its receiver is given it, and imports nothing of recognition. */
export const deliveryReader: DeliveryReader = { read: readDelivery, findContacts }

async function readDelivery(
  context: ReadingContext,
  { withValues = false, language }: ReadingOptions = {},
): Promise<ReadDelivery> {
  const { account, webhook, delivery } = context
  const { body, content_type } = delivery
  const content = { body: body ?? Buffer.alloc(0), content_type, country: account.country, withValues, language }
  const readWith = (learned: Learned, own: string[] = []) =>
    readPayload({ ...content, mapping: [...webhook.mapping, ...learned], own }, account.id)
  const proposed = (webhook.proposal ?? []).filter(({ by }) => by === 'learned')
  const first = await readWith(proposed)
  const isFirst = webhook.proposal === null && 'reading' in first
  const learned = isFirst ? await mappingToLearn(context, first.reading) : []
  const again = learned.length > 0 ? await readWith(learned) : first
  const own = 'reading' in again ? await ownAmong(context, again.numbers.guessed) : []
  const hadContact = 'reading' in again && hasContact(again.reading.lead)
  const payload = own.length > 0 ? await readWith(learned.length > 0 ? learned : proposed, own) : again
  if ('problem' in payload) return { ...nothingRead, problem: payload.problem }
  const { reading, ...more } = payload
  // An event is not a changed form.
  const { unseen, warnings } = more.event ? { unseen: [], warnings: [] } : compareFields(webhook, reading)
  const contacts = listContacts(reading.lead, account.country)
  return {
    ...reading,
    ...more,
    problem: null,
    is_internal: hadContact && !hasContact(reading.lead),
    warnings: [...reading.warnings, ...warnings],
    unseen,
    learned,
    contacts,
  }
}

/** Only where a call does not say whose its numbers are, so that nothing else waits for it. */
async function ownAmong({ database, webhook }: ReadingContext, numbers: string[]): Promise<string[]> {
  if (numbers.length === 0) return []
  return asActor(database, webhookActor(webhook), (tx) => ownNumbersAmong(tx, webhook.account_id, numbers))
}

/**
 * Returns the mapping of another webhook of the account whose deliveries have the shape of this first one. Deliveries
 * that are rejected leave their webhook without a proposal, so the mapped webhooks are read from the cache.
 */
async function mappingToLearn({ database, webhook }: ReadingContext, reading: Reading): Promise<Learned> {
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
