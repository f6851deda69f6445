import { type Account, activeUserByEmail } from '../../account/users.ts'
import type { Actor } from '../../database/actor.ts'
import { invalid } from '../../http/problem.ts'
import type { Submission } from '../../leads/lead.ts'
import { compareFields } from '../../payload/compare-fields.ts'
import { contactsOf } from '../../payload/contacts-in.ts'
import type { Warning } from '../../payload/contract.ts'
import { fitTags, withWarnings } from '../../payload/fit-lead.ts'
import type { Reading } from '../../payload/map-payload.ts'
import { readPayload } from '../../payload/read-payload.ts'
import type { PayloadContent } from '../../payload/reading.ts'
import type { Webhook } from '../store.ts'
import type { Delivery } from './delivery.ts'

/** Returns the actor of a webhook: it sees the whole account and is no user. */
export function actorOf(webhook: Webhook): Actor {
  return { account_id: webhook.account_id, user_id: null, sees: 'all', via: 'webhook', via_id: webhook.id }
}

/** A payload as it was read, compared with what the webhook has seen before. */
export interface Read extends Reading {
  /** Paths that are new to this webhook. */
  unseen: string[]
  /** The contact keys of the phone and the email that were read. */
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

export type ReadDelivery = Omit<PayloadContent, 'reading'> & { read: Read }

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
  if ('problem' in payload) throw invalid(`${payload.problem}.`)
  const { reading, ...more } = payload
  // An event is not a changed form.
  const compared = more.event ? { unseen: [], warnings: [] } : compareFields(webhook, reading)
  const { unseen, warnings } = compared
  const contacts = contactsOf(reading.lead, account.country)
  return { read: { ...reading, warnings: [...reading.warnings, ...warnings], unseen, contacts }, ...more }
}

/**
 * Returns what is submitted to `saveLead`, and all warnings: those of `read`, an assignee that cannot be used, tags that
 * were left out. Throws where there is no contact.
 */
export function submissionOf(
  webhook: Webhook,
  account: Account,
  delivery: Delivery,
  read: Read,
): { submission: Submission; warnings: Warning[] } {
  const { lead } = read
  const { name, assigned_to, ...fields } = lead
  if (name === undefined || (lead.email === undefined && lead.phone === undefined)) {
    throw invalid(
      'No email and no phone was found in this payload. Map them in the settings of this webhook, then replay it.',
    )
  }
  const assignee = assigned_to === undefined ? undefined : activeUserByEmail(account, assigned_to)
  const fallback = account.users.find((user) => user.id === webhook.default_assignee && user.active)
  // Default tags are always added, to an existing lead too.
  const { tags, warnings } = fitTags(lead.tags ?? [], webhook.default_tags)
  const assigneeWarnings = [
    assigned_to !== undefined && !assignee ? `“${assigned_to}” is not an active user and was not used` : null,
    webhook.default_assignee !== null && !fallback ? 'The default assignee is deactivated and was not used' : null,
  ]
    .filter((message) => message !== null)
    .map((message) => ({ field: 'assigned_to', message }))
  return {
    warnings: withWarnings([...read.warnings, ...assigneeWarnings], warnings),
    submission: {
      given: { ...fields, name, tags, ...(assignee ? { assigned_to: assignee.id } : {}) },
      defaults: {
        source: webhook.default_source ?? webhook.source_label,
        status: webhook.default_status,
        priority: 'Medium',
      },
      onMatch: 'fill',
      assignment: { byRules: true, otherwise: fallback?.id ?? null, webhook_id: webhook.id },
      sender: `the webhook “${webhook.name}”`,
      received_at: delivery.received_at,
    },
  }
}
