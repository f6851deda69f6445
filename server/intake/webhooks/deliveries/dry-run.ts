import { findAccount } from '../../../access/account/users.ts'
import { answerLine } from '../../../crm/enquiries/contract.ts'
import type { EnquiryDraft } from '../../../crm/enquiries/enquiry.ts'
import { type Actor, asActor, readAsActor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isKnownPath } from '../../payload/compare-fields.ts'
import type { MappingEntry } from '../../payload/contract.ts'
import { toLeadField } from '../../payload/lead-builder.ts'
import type { DraftField, LeadDraft } from '../../payload/lead-draft.ts'
import type { Reading } from '../../payload/map-payload.ts'
import type { DeliveryOutcome } from '../contract.ts'
import { existingWebhook, type Webhook } from '../store.ts'
import { type Decision, decide } from './decide.ts'
import type { Delivery, ReadDelivery } from './delivery.ts'
import { deliveryReader } from './read-delivery.ts'
import { findDelivery, markForReplay, newestBodySizes } from './store.ts'

/** The fields of a lead, and what differs of its enquiry. */
type ReadLead = LeadDraft & { enquiry?: string }

export interface DryRunDelivery {
  delivery_id: string
  /** Its number in its request; null where there were no others. */
  record: number | null
  received_at: Date
  /** The lead under the saved mapping, and under the new one. */
  before: ReadLead
  after: ReadLead
  changed: (keyof ReadLead)[]
  /** Under the new mapping. */
  makes_lead: boolean
  /** It makes a lead under the saved mapping and none under the new one. */
  would_be_rejected: boolean
  /** The fields that the saved mapping finds and the new one does not. */
  loses: DraftField[]
  /** The paths of the new mapping that it does not have. */
  absent: string[]
}

/** A dry run reads no more than this: of a webhook with large bodies it reads fewer deliveries. */
export const maxBytes = 16 * 1024 * 1024

/**
 * Returns what a mapping would make of the newest deliveries, before it is saved. A request with several records that was
 * stored as a whole counts as its records. Changes nothing.
 */
export async function dryRunMapping(
  database: Database,
  actor: Actor,
  webhook: Webhook,
  { mapping, limit, outcome }: { mapping: MappingEntry[]; limit: number; outcome?: DeliveryOutcome },
): Promise<DryRunDelivery[]> {
  const { account_id } = actor
  const account = await findAccount(database, account_id)
  const newest = await readAsActor(database, actor, (tx) =>
    newestBodySizes(tx, account_id, webhook.id, { limit, outcome }),
  )
  const readUnder = async (mapping: MappingEntry[], delivery: Delivery) => {
    const context = { database, reader: deliveryReader, account, webhook: { ...webhook, mapping }, delivery }
    const read = await context.reader.read(context)
    return { read, decision: decide(context, read) }
  }
  const results: DryRunDelivery[] = []
  let bytes = 0
  for (const { id, size } of newest) {
    bytes += size
    if (bytes > maxBytes || results.length === limit) break
    const delivery = await readAsActor(database, actor, (tx) => findDelivery(tx, account_id, id))
    if (!delivery?.body) continue
    const { received_at } = delivery
    const payloads: Delivery[] = [delivery]
    for (const one of payloads) {
      if (results.length === limit) break
      const now = await readUnder(webhook.mapping, one)
      if (now.decision.kind === 'batch' && payloads.length === 1) {
        payloads.push(...now.decision.bodies.slice(0, limit).map((text, index) => recordOf(delivery, text, index)))
        continue
      }
      const then = await readUnder(mapping, one)
      // No mapping makes a lead of a body that cannot be read, or of the business's own message.
      if (then.read.problem !== null || then.read.is_own) continue
      results.push({ delivery_id: id, record: one.record ?? null, received_at, ...compared(now, then) })
    }
  }
  return results
}

const maxIgnored = 100

/** Offers the newest ignored deliveries for replay from which the saved mapping of a webhook now reads a lead. */
export async function offerIgnored(database: Database, actor: Actor, webhookId: string): Promise<void> {
  const webhook = await readAsActor(database, actor, (tx) => existingWebhook(tx, actor.account_id, webhookId))
  const { mapping } = webhook
  const results = await dryRunMapping(database, actor, webhook, { mapping, limit: maxIgnored, outcome: 'ignored' })
  const ids = results.filter(({ makes_lead }) => makes_lead).map(({ delivery_id }) => delivery_id)
  if (ids.length > 0) await asActor(database, actor, (tx) => markForReplay(tx, actor.account_id, [...new Set(ids)]))
}

const recordOf = (delivery: Delivery, text: string, index: number) => ({
  ...delivery,
  body: Buffer.from(text),
  content_type: 'application/json',
  record: index + 1,
})

/** Counts the deliveries that would be rejected or lose a field. */
export function countLosses(results: DryRunDelivery[]) {
  const kept = results.filter((result) => !result.would_be_rejected)
  return {
    would_be_rejected: results.length - kept.length,
    would_lose_fields: kept.filter(({ loses }) => loses.length > 0).length,
  }
}

/** Returns the mapped paths that no delivery has, of those known to the webhook. Before the first delivery, none. */
export function unknownPaths(
  results: DryRunDelivery[],
  mapping: MappingEntry[],
  knownFields: Record<string, string>,
): string[] {
  if (results.length === 0) return []
  const paths = [...new Set(mapping.map(({ path }) => path))]
  return paths.filter((path) => !isKnownPath(knownFields, path) && results.every(({ absent }) => absent.includes(path)))
}

/** Returns the changed deliveries, the rejected first. */
export function changedDeliveries(results: DryRunDelivery[]): DryRunDelivery[] {
  const weight = ({ would_be_rejected, loses }: DryRunDelivery) => (would_be_rejected ? 2 : loses.length > 0 ? 1 : 0)
  return results.filter(({ changed }) => changed.length > 0).sort((one, other) => weight(other) - weight(one))
}

type Tried = { read: ReadDelivery; decision: Decision }

function compared(now: Tried, then: Tried): Omit<DryRunDelivery, 'delivery_id' | 'record' | 'received_at'> {
  const before: ReadLead = { ...now.read.lead, ...enquiryWithout(now.read, then.read) }
  const after: ReadLead = { ...then.read.lead, ...enquiryWithout(then.read, now.read) }
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof ReadLead)[]
  const kept = fieldsFound(then.read)
  const makes_lead = then.decision.kind === 'lead'
  return {
    before,
    after,
    changed: fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])),
    makes_lead,
    would_be_rejected: now.decision.kind === 'lead' && !makes_lead,
    loses: [...fieldsFound(now.read)].filter((field) => !kept.has(field)),
    absent: then.read.absent,
  }
}

/** A name taken from the email or phone was not found in the payload. */
function fieldsFound({ picks }: Reading): Set<DraftField> {
  return new Set(picks.map(({ field }) => toLeadField(field)).filter((field) => field !== 'ignore'))
}

/** Returns what an enquiry has that the other has not, in lines. */
function enquiryWithout(one: Reading, other: Reading): Pick<ReadLead, 'enquiry'> {
  const known = new Set(linesOf(other.enquiry))
  const lines = linesOf(one.enquiry).filter((line) => !known.has(line))
  return lines.length > 0 ? { enquiry: lines.join('\n') } : {}
}

const linesOf = ({ origin, answers, consent }: EnquiryDraft): string[] => [
  ...Object.entries(origin).map(([part, value]) => `${part}: ${value}`),
  ...answers.map(answerLine),
  ...(consent?.statements ?? []).map(({ text, choice }) => `consent: ${[text, choice].filter(Boolean).join(' – ')}`),
  ...(consent?.do_not_call ? [`do_not_call: ${consent.do_not_call}`] : []),
]
