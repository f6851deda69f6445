import { type Account, accountOf } from '../../account/users.ts'
import type { Database } from '../../database/connect.ts'
import { Refusal } from '../../http/problem.ts'
import { leadToCreate } from '../../leads/create-lead.ts'
import type { Submission } from '../../leads/save-lead.ts'
import type { Reading } from '../../payload/contract.ts'
import type { Webhook } from '../store.ts'
import { actorOf, readDelivery, submissionOf } from './read-delivery.ts'
import type { Delivery } from './store.ts'

/** How a delivery is read by its webhook as it is set up now, and the lead that it would make. Changes nothing. */
export async function showReading(database: Database, webhook: Webhook, delivery: Delivery): Promise<Reading> {
  const none: Reading = { values: [], picks: [], warnings: [], lead: null, from_defaults: [], rule: null, error: null }
  let reading = none
  try {
    const account = await accountOf(database, webhook.account_id)
    const { read, values } = await readDelivery(webhook, account, delivery, true)
    reading = { ...none, values, picks: read.picks, warnings: read.warnings }
    // Adds to the warnings of `read`, which are those of `reading`.
    const submission = submissionOf(webhook, account, delivery, read)
    return { ...reading, ...(await resultOf(database, webhook, account, submission)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...reading, error: error.message }
  }
}

async function resultOf(database: Database, webhook: Webhook, { people }: Account, submission: Submission) {
  const { fields, rule } = await leadToCreate(database, actorOf(webhook), submission)
  const { given } = submission
  const assignee = people.find((person) => person.id === fields.assigned_to)
  return {
    lead: { ...fields, assigned_to: assignee?.email ?? null },
    from_defaults: [
      ...(['source', 'status', 'priority', 'assigned_to'] as const).filter((field) => given[field] === undefined),
      ...((given.tags ?? []).every((tag) => webhook.default_tags.includes(tag)) ? ['tags'] : []),
    ],
    rule: rule && { id: rule.id, name: rule.name },
  }
}
