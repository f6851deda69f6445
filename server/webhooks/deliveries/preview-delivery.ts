import { type Account, findAccount } from '../../account/users.ts'
import type { CallEvent } from '../../calls/call-event.ts'
import { callOf, joinEvents } from '../../calls/join-events.ts'
import type { Database } from '../../database/connect.ts'
import { instantText } from '../../http/instants.ts'
import { HttpProblem } from '../../http/problem.ts'
import type { Language } from '../../languages/contract.ts'
import { translate } from '../../languages/translate.ts'
import { newTags } from '../../leads/contract.ts'
import { leadToCreate, ownerOf } from '../../leads/create-lead.ts'
import type { Submission } from '../../leads/lead.ts'
import type { DeliveryPreview } from '../../payload/contract.ts'
import { maxRecords } from '../../payload/records.ts'
import type { Webhook } from '../store.ts'
import { type Delivery, webhookActor } from './delivery.ts'
import { maxAtOnce } from './process-batch.ts'
import { readDelivery, toSubmission } from './read-delivery.ts'

/**
 * Returns how a delivery is read with the current settings of its webhook, and the lead that it would make. Of a request
 * with several records, the first is shown and the outcomes of all are counted. Changes nothing.
 */
export async function previewDelivery(
  database: Database,
  webhook: Webhook,
  delivery: Delivery,
  language: Language,
): Promise<DeliveryPreview> {
  const none: DeliveryPreview = {
    values: [],
    picks: [],
    warnings: [],
    records: null,
    lead: null,
    from_defaults: [],
    call: null,
    rule: null,
    error: null,
  }
  let reading = none
  try {
    const account = await findAccount(database, webhook.account_id)
    const found = await readDelivery(database, webhook, account, delivery, { withValues: true, language })
    const { read, values, records, call, event } = found
    reading = { ...none, values, picks: read.picks, warnings: read.warnings, call: call && callShown(call, delivery) }
    if (records) reading.records = await countRecords(database, webhook, account, delivery, records)
    // Its number came with another event, so there is no lead to show.
    if (call && event) return reading
    const { submission, warnings } = toSubmission(webhook, account, delivery, found)
    return { ...reading, warnings, ...(await resultOf(database, webhook, account, submission)) }
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error
    return { ...reading, error: translate(error.text, language) }
  }
}

function callShown(event: CallEvent, { received_at }: Delivery): DeliveryPreview['call'] {
  const { agents, recording_url } = event
  return { ...callOf(joinEvents({}, event), instantText(received_at)), agents, recording_url }
}

async function countRecords(
  database: Database,
  webhook: Webhook,
  account: Account,
  delivery: Delivery,
  bodies: string[],
) {
  const counts = { total: Math.min(bodies.length, maxRecords), more: bodies.length > maxRecords }
  const outcomes = { leads: 0, ignored: 0, rejected: 0 }
  for (const text of bodies.slice(0, maxAtOnce)) {
    const record = { ...delivery, body: Buffer.from(text), content_type: 'application/json' }
    outcomes[await outcomeOf(database, webhook, account, record)]++
  }
  return { ...counts, ...outcomes }
}

async function outcomeOf(
  database: Database,
  webhook: Webhook,
  account: Account,
  record: Delivery,
): Promise<'leads' | 'ignored' | 'rejected'> {
  try {
    const found = await readDelivery(database, webhook, account, record)
    if (found.is_test || found.is_own || found.event) return 'ignored'
    toSubmission(webhook, account, record, found)
    return 'leads'
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.status === 503) throw error
    return 'rejected'
  }
}

async function resultOf(database: Database, webhook: Webhook, { users }: Account, submission: Submission) {
  const wanted = await leadToCreate(database, webhookActor(webhook), submission)
  const { fields, assignment } = wanted
  const { given } = submission
  const owner = ownerOf(wanted)
  const assignee = users.find((user) => user.id === owner)
  return {
    lead: { ...fields, assigned_to: assignee?.email ?? null },
    from_defaults: [
      ...(['source', 'status', 'priority', 'assigned_to'] as const).filter((field) => given[field] === undefined),
      ...(newTags(webhook.default_tags, given.tags ?? []).length === 0 ? ['tags'] : []),
    ],
    rule: assignment && { id: assignment.rule.id, name: assignment.rule.name },
  }
}
