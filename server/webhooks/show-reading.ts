import { type Account, accountOf } from '../accounts/people.ts'
import type { Database } from '../database/connect.ts'
import { Refusal } from '../http/problem.ts'
import { leadToCreate } from '../leads/create-lead.ts'
import type { Submission } from '../leads/save-lead.ts'
import type { Reading } from './contract.ts'
import type { Delivery } from './deliveries.ts'
import type { MappingEntry, Pick } from './map-payload.ts'
import { placeOf } from './owner-mapping.ts'
import { pathText } from './path.ts'
import { actorOf, payloadOf, readPayload, submissionOf } from './read-delivery.ts'
import { followPath } from './recognition/follow-path.ts'
import { leavesOf } from './recognition/leaves.ts'
import { Opener } from './recognition/open-value.ts'
import type { Webhook } from './store.ts'

/** How a delivery is read by its webhook as it is set up now, and the lead that it would make. Changes nothing. */
export async function showReading(database: Database, webhook: Webhook, delivery: Delivery): Promise<Reading> {
  const none: Reading = { values: [], picks: [], warnings: [], lead: null, from_defaults: [], rule: null, error: null }
  let reading = none
  try {
    const account = await accountOf(database, webhook.account_id)
    const payload = payloadOf(delivery)
    const read = readPayload(webhook, account, payload)
    const values = valuesOf(payload, read.picks, webhook.mapping)
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

/** All values of the payload with what they are read as. A path may be written in several ways: places are compared. */
function valuesOf(payload: Record<string, unknown>, picks: Pick[], mapping: MappingEntry[]): Reading['values'] {
  const opener = new Opener()
  const taken = new Map<string, Pick>()
  const ignored = mapping.filter(({ field }) => field === 'ignore')
  const ignoring = ignored.map(
    ({ path }): Pick => ({ field: 'ignore', path, value: '', reason: 'left out by hand', by: 'owner' }),
  )
  for (const pick of [...picks, ...ignoring]) {
    const at = placeOf(payload, pick.path, opener)?.at
    if (at !== undefined && !taken.has(at)) taken.set(at, pick)
  }
  return leavesOf(payload).map(({ path, value }) => {
    const pick = taken.get(followPath(payload, path, opener)?.at ?? '')
    const { field = null, by = null, reason = null } = pick ?? {}
    return { path: pathText(path), segments: [...path], value, field, by, reason }
  })
}
