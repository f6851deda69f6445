import { accountActor, asActor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isAway, isConflict } from '../../../platform/database/errors.ts'
import type { Result } from './delivery.ts'
import { type DeliveryContext, hashOfBody } from './settle.ts'
import { isCut } from './storage-quota.ts'
import { addDeliveries, bodyCut } from './store.ts'

/** How long after it was received the service tries to finish a delivery, in milliseconds: sooner it would be as busy. */
const firstTry = 10_000

/** Deliveries per transaction. */
const batchSize = 50

const suspendedText = 'The account is suspended. The service processes it when the account is resumed.'

export const waitingText = 'It was not processed in time. The service processes it as soon as it can.'

/**
 * Stores a delivery that is not processed now, to be finished later: it could not be in time, and its sender is answered 503 and may repeat
 * it, or its account is suspended. Those of an account are stored together, before its
 * other work: there may be many, and their senders wait. Returns false if it could not be stored whole, such as beyond the quota.
 */
export async function keepDelivery({
  database,
  reader,
  account,
  delivery,
  storage,
}: DeliveryContext): Promise<boolean> {
  const kept = storage ? await storage.admit(delivery, 'rejected') : null
  if (!kept) return false
  const { body, content_type, received_at } = delivery
  const contacts = await reader.findContacts(body ?? Buffer.alloc(0), content_type, account.country, account.id)
  const error = account.suspendedAt ? suspendedText : waitingText
  const result: Result = { outcome: 'waiting', lead_id: null, picks: [], warnings: [], error, contacts }
  const item = isCut(kept)
    ? { delivery: kept, result: { ...result, outcome: 'rejected' as const, error: bodyCut().message } }
    : {
        delivery: {
          ...kept,
          ...(account.suspendedAt ? {} : { body_hash: hashOfBody(kept) }),
          finish_at: new Date(received_at.getTime() + firstTry),
        },
        result,
      }
  const isStored = await database.batchByKey(`keep ${account.id}`, item, (items) =>
    keepAll(database, account.id, items),
  )
  return isStored && !isCut(kept)
}

type Kept = Parameters<typeof addDeliveries>[2]

/** Returns for each whether it was stored. */
async function keepAll(database: Database, accountId: string, items: Kept): Promise<boolean[]> {
  const stored: boolean[] = []
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize)
    stored.push(...(await keepBatch(database, accountId, batch)))
  }
  return stored
}

async function keepBatch(database: Database, accountId: string, batch: Kept): Promise<boolean[]> {
  const actor = { ...accountActor(accountId), first: true } as const
  try {
    await asActor(database, actor, (tx) => addDeliveries(tx, accountId, batch))
    return batch.map(() => true)
  } catch (error) {
    // The senders may still be answered after the database is back.
    if (isAway(error)) throw error
    // One of them was stored by an earlier run, whose commit was not answered because the database went away.
    if (!isConflict(error)) return batch.map(() => false)
    if (batch.length === 1) return [true]
    const each: boolean[] = []
    for (const one of batch) each.push(...(await keepBatch(database, accountId, [one])))
    return each
  }
}
