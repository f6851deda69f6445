import { findAccount } from '../../account/users.ts'
import { accountActor, asActor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import { isAway, isBusy, isConflict } from '../../database/errors.ts'
import { HttpProblem, tryLater } from '../../http/problem.ts'
import { findContacts } from '../../payload/read-payload.ts'
import type { Delivery, Result } from './delivery.ts'
import { hashOfBody } from './save-delivery.ts'
import { isCut, type Storage } from './storage-quota.ts'
import { bodyCut, recordDeliveries } from './store.ts'

/** How long after it was received the service tries to finish a delivery, in milliseconds: sooner it would be as busy. */
const firstTry = 10_000

/** Deliveries per transaction. */
const batchSize = 50

/** A delivery was not processed in time. It is stored, and finished later. */
export class DeliveryWaits extends HttpProblem {
  constructor() {
    const { status, code, message, headers } = tryLater(
      'The service is too busy to process this delivery now. It is stored and will be processed; sending it again changes nothing.',
    )
    super(status, code, message, { headers })
  }
}

export const waitingText = 'It was not processed in time. The service processes it as soon as it can.'

/** Returns whether the same delivery may succeed later, while the database answers. */
export function isTemporary(error: unknown): boolean {
  return isBusy(error) || (error instanceof HttpProblem && error.status === 503)
}

/**
 * Stores a delivery that could not be processed in time, to be finished later. Those of an account are stored together, before its
 * other work: there may be many, and their senders wait. Returns false if it could not be stored whole, such as beyond the quota.
 */
export async function keepDelivery(database: Database, storage: Storage, delivery: Delivery): Promise<boolean> {
  const { account_id, body, content_type, received_at } = delivery
  const kept = await storage.admit(delivery, 'rejected')
  if (!kept) return false
  const { country } = await findAccount(database, account_id)
  const contacts = await findContacts(body ?? Buffer.alloc(0), content_type, country, account_id)
  const result: Result = { outcome: 'waiting', lead_id: null, picks: [], warnings: [], error: waitingText, contacts }
  const item = isCut(kept)
    ? { delivery: kept, result: { ...result, outcome: 'rejected' as const, error: bodyCut().message } }
    : {
        delivery: { ...kept, body_hash: hashOfBody(kept), finish_at: new Date(received_at.getTime() + firstTry) },
        result,
      }
  const isStored = await database.together(`keep ${account_id}`, item, (items) => keepAll(database, account_id, items))
  return isStored && !isCut(kept)
}

type Kept = Parameters<typeof recordDeliveries>[2]

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
    await asActor(database, actor, (tx) => recordDeliveries(tx, accountId, batch))
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
