import { accountOf } from '../../account/users.ts'
import { type Actor, readAsActor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import type { LeadField } from '../../leads/contract.ts'
import type { LeadDraft } from '../../payload/lead-draft.ts'
import { leadFieldOf, type MappingEntry, type Reading } from '../../payload/map-payload.ts'
import { readPayload } from '../../payload/read-payload.ts'
import type { Webhook } from '../store.ts'
import { findDelivery, newestBodySizes } from './store.ts'

export interface Trial {
  delivery_id: string
  /** Which record of its request it is; null where the request had no others. */
  record: number | null
  received_at: Date
  /** What the delivery says under the mapping that is saved, and under the one that is tried. */
  before: LeadDraft
  after: LeadDraft
  changed: LeadField[]
  /** It makes a lead under the saved mapping and none under the tried one. */
  would_be_rejected: boolean
  /** The fields that the saved mapping finds in the delivery and the tried one does not. */
  loses: LeadField[]
}

/** A dry run reads no more than this, so that a webhook with large bodies is tried on fewer deliveries. */
const mostBytes = 16 * 1024 * 1024

/**
 * What a mapping would make of the newest deliveries, before it is saved. A request with several records that was kept
 * whole counts as its records, as receiving takes them. Changes nothing.
 */
export async function tryMapping(
  database: Database,
  actor: Actor,
  webhook: Webhook,
  mapping: MappingEntry[],
  limit: number,
): Promise<Trial[]> {
  const { account_id } = actor
  const { country } = await accountOf(database, account_id)
  const newest = await readAsActor(database, actor, (tx) => newestBodySizes(tx, account_id, webhook.id, limit))
  const trials: Trial[] = []
  let bytes = 0
  for (const { id, size } of newest) {
    bytes += size
    if (bytes > mostBytes || trials.length === limit) break
    const delivery = await readAsActor(database, actor, (tx) => findDelivery(tx, account_id, id))
    if (!delivery?.body) continue
    const { body, content_type, received_at, record } = delivery
    const read = (one: { body: Buffer; content_type: string | null }, mapping: MappingEntry[]) =>
      readPayload({ ...one, country, mapping }, account_id)
    const payloads = [{ body, content_type, record }]
    for (const one of payloads) {
      if (trials.length === limit) break
      const now = await read(one, webhook.mapping)
      if ('refusal' in now) continue
      if (now.records && payloads.length === 1) {
        payloads.push(...now.records.slice(0, limit).map(recordOf))
        continue
      }
      const then = await read(one, mapping)
      if ('refusal' in then) continue
      trials.push({ delivery_id: id, record: one.record, received_at, ...compared(now.reading, then.reading) })
    }
  }
  return trials
}

const recordOf = (text: string, index: number) => ({
  body: Buffer.from(text),
  content_type: 'application/json',
  record: index + 1,
})

/** How many deliveries a mapping would cost something. */
export function lossesOf(trials: Trial[]) {
  const kept = trials.filter((trial) => !trial.would_be_rejected)
  return {
    would_be_rejected: trials.length - kept.length,
    would_lose_fields: kept.filter(({ loses }) => loses.length > 0).length,
  }
}

/** The changed ones, the worst first. */
export function changedFirstLost(trials: Trial[]): Trial[] {
  const weight = ({ would_be_rejected, loses }: Trial) => (would_be_rejected ? 2 : loses.length > 0 ? 1 : 0)
  return trials.filter(({ changed }) => changed.length > 0).sort((one, other) => weight(other) - weight(one))
}

function compared(now: Reading, then: Reading): Omit<Trial, 'delivery_id' | 'record' | 'received_at'> {
  const [before, after] = [now.lead, then.lead]
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])] as LeadField[]
  const kept = fieldsFound(then)
  return {
    before,
    after,
    changed: fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])),
    would_be_rejected: makesLead(before) && !makesLead(after),
    loses: [...fieldsFound(now)].filter((field) => !kept.has(field)),
  }
}

/** A name taken from the email or phone was not found in the payload. */
function fieldsFound({ picks }: Reading): Set<LeadField> {
  return new Set(picks.map(({ field }) => leadFieldOf(field)).filter((field) => field !== 'ignore'))
}

const makesLead = ({ email, phone }: LeadDraft) => email !== undefined || phone !== undefined
