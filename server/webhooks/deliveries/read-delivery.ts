import { type Account, activeUserByEmail } from '../../account/users.ts'
import type { Actor } from '../../database/actor.ts'
import { invalid } from '../../http/problem.ts'
import type { Submission } from '../../leads/lead.ts'
import { compareFields } from '../../payload/compare-fields.ts'
import { contactsOf } from '../../payload/contacts-in.ts'
import type { Reading as ShownReading } from '../../payload/contract.ts'
import type { Event } from '../../payload/event.ts'
import { fitTags } from '../../payload/fit-lead.ts'
import type { Reading } from '../../payload/map-payload.ts'
import { readPayload } from '../../payload/read-payload.ts'
import type { Webhook } from '../store.ts'
import type { Delivery } from './store.ts'

/** A webhook acts for its account: it sees all of it, and is nobody's. */
export function actorOf(webhook: Webhook): Actor {
  return { account_id: webhook.account_id, user_id: null, sees: 'all', via: 'webhook', via_id: webhook.id }
}

/** What a payload was read as, and what is to be said of it. */
export interface Read extends Reading {
  /** Paths that this webhook never saw before. */
  unseen: string[]
  /** The phone and the email that were read, as keys. */
  contacts: string[]
}

export const nothingRead: Read = {
  lead: {},
  picks: [],
  warnings: [],
  unmapped: [],
  absent: [],
  unseen: [],
  contacts: [],
}

export interface ReadDelivery {
  read: Read
  platform_id: string | null
  content_hash: string
  is_test: boolean
  event: Event | null
  values: ShownReading['values']
  records: string[] | null
}

/** Throws where the body cannot be read. */
export async function readDelivery(
  webhook: Webhook,
  account: Account,
  { body, content_type }: Delivery,
  withValues = false,
): Promise<ReadDelivery> {
  const { mapping } = webhook
  const input = { body: body ?? Buffer.alloc(0), content_type, mapping, country: account.country, withValues }
  const payload = await readPayload(input, webhook.account_id)
  if ('refusal' in payload) throw invalid(`${payload.refusal}.`)
  const { reading, ...more } = payload
  // An event is no form that has changed.
  const compared = more.event ? { unseen: [], warnings: [] } : compareFields(webhook, reading)
  const { unseen, warnings } = compared
  const contacts = contactsOf(reading.lead, account.country)
  return { read: { ...reading, warnings: [...reading.warnings, ...warnings], unseen, contacts }, ...more }
}

/** Adds to the warnings of `read` what stood in the way of an assignee, and which tags found no place. */
export function submissionOf(webhook: Webhook, account: Account, delivery: Delivery, read: Read): Submission {
  const { lead } = read
  const { name, assigned_to, ...fields } = lead
  if (name === undefined || (lead.email === undefined && lead.phone === undefined)) {
    throw invalid(
      'No email and no phone was found in this payload. Map them in the settings of this webhook, then replay it.',
    )
  }
  const assignee = assigned_to === undefined ? undefined : activeUserByEmail(account, assigned_to)
  if (assigned_to !== undefined && !assignee) {
    read.warnings.push({ field: 'assigned_to', message: `“${assigned_to}” is no active user, and was passed over` })
  }
  const fallback = account.users.find((person) => person.id === webhook.default_assignee && person.active)
  if (webhook.default_assignee !== null && !fallback) {
    read.warnings.push({ field: 'assigned_to', message: 'The default assignee is deactivated, and was passed over' })
  }
  return {
    given: {
      ...fields,
      name,
      // Default tags are always added, to a lead that exists too.
      tags: fitTags(read.warnings, lead.tags ?? [], webhook.default_tags),
      ...(assignee ? { assigned_to: assignee.id } : {}),
    },
    defaults: {
      source: webhook.default_source ?? webhook.source_label,
      status: webhook.default_status,
      priority: 'Medium',
    },
    onMatch: 'fill',
    assignment: { byRules: true, otherwise: fallback?.id ?? null, webhook_id: webhook.id },
    sender: `the webhook “${webhook.name}”`,
    received_at: delivery.received_at,
  }
}
