import { findAccount } from '../../../access/account/users.ts'
import { isEmptyEnquiry } from '../../../crm/enquiries/enquiry.ts'
import { newTags } from '../../../crm/leads/contract.ts'
import { leadToCreate, ownerOf } from '../../../crm/leads/create-lead.ts'
import { findSources } from '../../../crm/leads/source-names.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { instantText } from '../../../platform/http/instants.ts'
import type { Language } from '../../../platform/languages/contract.ts'
import { translate } from '../../../platform/languages/translate.ts'
import type { CallEvent } from '../../../telephony/calls/call-event.ts'
import { callOf, joinEvents } from '../../../telephony/calls/join-events.ts'
import { type DeliveryPreview, maxRecords } from '../../payload/contract.ts'
import type { Webhook } from '../store.ts'
import { decideRecord, type LeadDecision } from './decide.ts'
import { type Delivery, type ReadingContext, webhookActor } from './delivery.ts'
import { maxAtOnce } from './process-batch.ts'
import { deliveryReader } from './read-delivery.ts'

/**
 * Returns how a delivery is read with the current settings of its webhook, and what it would become. Of a request
 * with several records, the first is shown and the outcomes of all are counted. Changes nothing.
 */
export async function previewDelivery(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  language: Language,
): Promise<DeliveryPreview> {
  const account = await findAccount(database, webhook.account_id)
  const context = { database, reader: deliveryReader, account, webhook, delivery }
  const read = await context.reader.read(context, { withValues: true, language })
  const { values, picks, warnings, records } = read
  const decision = decideRecord(context, read)
  const { kind } = decision
  const why =
    kind === 'rejected' ? decision.problem.text : kind === 'ignored' || kind === 'test' ? decision.reason : null
  return {
    values,
    picks,
    outcome: kind,
    error: why && translate(why, language),
    records: records && (await countRecords(context, records)),
    enquiry: kind === 'lead' && !isEmptyEnquiry(read.enquiry) ? read.enquiry : null,
    call: 'event' in decision && decision.event ? callShown(decision.event, delivery) : null,
    ...(kind === 'lead' ? await leadShown(context, decision) : { warnings, lead: null, from_defaults: [], rule: null }),
  }
}

function callShown(event: CallEvent, { received_at }: Delivery): DeliveryPreview['call'] {
  const { agents, recording_url } = event
  return { ...callOf(joinEvents({}, event), instantText(received_at)), agents, recording_url }
}

async function countRecords(context: ReadingContext, bodies: string[]) {
  const counts = { total: Math.min(bodies.length, maxRecords), more: bodies.length > maxRecords }
  const outcomes = { leads: 0, ignored: 0, rejected: 0 }
  for (const text of bodies.slice(0, maxAtOnce)) {
    const delivery = { ...context.delivery, body: Buffer.from(text), content_type: 'application/json' }
    const record = { ...context, delivery }
    const { kind } = decideRecord(record, await record.reader.read(record))
    outcomes[kind === 'lead' ? 'leads' : kind === 'rejected' ? 'rejected' : 'ignored']++
  }
  return { ...counts, ...outcomes }
}

async function leadShown({ database, account, webhook }: ReadingContext, { submission, warnings }: LeadDecision) {
  const wanted = await leadToCreate(database, webhookActor(webhook), submission)
  const { fields, assignment } = wanted
  const { given } = submission
  const owner = ownerOf(wanted)
  const assignee = account.users.find((user) => user.id === owner)
  const [source = fields.source] = await findSources(database, webhookActor(webhook), [fields.source])
  return {
    warnings,
    lead: { ...fields, source, assigned_to: assignee?.email ?? null },
    from_defaults: [
      ...(['source', 'status', 'priority', 'assigned_to'] as const).filter((field) => given[field] === undefined),
      ...(newTags(webhook.default_tags, given.tags ?? []).length === 0 ? ['tags'] : []),
    ],
    rule: assignment && { id: assignment.rule.id, name: assignment.rule.name },
  }
}
