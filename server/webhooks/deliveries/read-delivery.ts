import { msg } from '@lingui/core/runtime-macro'
import { type Account, activeUserByEmail } from '../../account/users.ts'
import type { Database } from '../../database/connect.ts'
import { invalid } from '../../http/problem.ts'
import type { Language } from '../../languages/contract.ts'
import type { Submission } from '../../leads/lead.ts'
import { compareFields } from '../../payload/compare-fields.ts'
import { listContacts } from '../../payload/contacts-in.ts'
import { type FieldMatch, isInvalidContact, type Warning } from '../../payload/contract.ts'
import { fitTags, withWarnings } from '../../payload/fit-lead.ts'
import { hasContact } from '../../payload/lead-draft.ts'
import type { Reading } from '../../payload/map-payload.ts'
import { readPayload } from '../../payload/read-payload.ts'
import type { PayloadContent } from '../../payload/reading.ts'
import type { Webhook } from '../store.ts'
import type { Delivery } from './delivery.ts'
import { learnedMapping, mappingToLearn } from './learned-mapping.ts'

/** A payload as it was read, compared with what the webhook has seen before. */
export interface Read extends Reading {
  /** Paths that are new to this webhook. */
  unseen: string[]
  /** Of the first delivery: what the owner mapped on another webhook with this shape. */
  learned: ReturnType<typeof learnedMapping>
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
  learned: [],
  contacts: [],
}

export type ReadDelivery = Omit<PayloadContent, 'reading'> & { read: Read }

/** Throws where the body cannot be read. `language`: of the reasons of recognised fields. */
export async function readDelivery(
  database: Database,
  webhook: Webhook,
  account: Account,
  { body, content_type }: Delivery,
  { withValues = false, language }: { withValues?: boolean; language?: Language } = {},
): Promise<ReadDelivery> {
  const content = { body: body ?? Buffer.alloc(0), content_type, country: account.country, withValues, language }
  const readWith = async (learned: Read['learned']) => {
    const mapping = [...webhook.mapping, ...learned]
    const payload = await readPayload({ ...content, mapping }, webhook.account_id)
    if ('problem' in payload) throw invalid(`${payload.problem}.`)
    return payload
  }
  let payload = await readWith(learnedMapping(webhook))
  const learned = webhook.proposal === null ? await mappingToLearn(database, webhook, payload.reading) : []
  if (learned.length > 0) payload = await readWith(learned)
  const { reading, ...more } = payload
  // An event is not a changed form.
  const compared = more.event ? { unseen: [], warnings: [] } : compareFields(webhook, reading)
  const { unseen, warnings } = compared
  const contacts = listContacts(reading.lead, account.country)
  return { read: { ...reading, warnings: [...reading.warnings, ...warnings], unseen, learned, contacts }, ...more }
}

const isUncertainContact = ({ field, confidence }: FieldMatch) =>
  (field === 'phone' || field === 'email') && confidence === 'unsure'

/**
 * Returns what is submitted to `saveLead`, and all warnings: those of `read`, an assignee that cannot be used, tags that
 * were left out. Throws where there is no contact.
 */
export function toSubmission(
  webhook: Webhook,
  account: Account,
  delivery: Delivery,
  { read, call }: Pick<ReadDelivery, 'read' | 'call'>,
): { submission: Submission; warnings: Warning[] } {
  const { lead } = read
  const { name, assigned_to, other_contacts = [], ...fields } = lead
  if (name === undefined || !hasContact(lead)) {
    const why = read.warnings.find(isInvalidContact)
    throw invalid(
      why
        ? `${why.message}, and there is no other contact.`
        : msg`No email and no phone was found in this payload. Map them in the settings of this webhook, then replay it.`,
      why?.field,
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
      contacts: other_contacts,
      defaults: {
        source: webhook.default_source ?? webhook.source_label,
        status: webhook.default_status,
        priority: 'Medium',
      },
      onMatch: read.picks.some(isUncertainContact) ? 'reject' : 'fill',
      assignment: { byRules: true, otherwise: fallback?.id ?? null, webhook_id: webhook.id },
      sender: `the webhook “${webhook.name}”`,
      received_at: delivery.received_at,
      ...(call ? { call: call.direction ?? 'Inbound' } : {}),
    },
  }
}
