import { msg } from '@lingui/core/runtime-macro'
import { activeUserByEmail } from '../../../access/account/users.ts'
import type { Submission } from '../../../crm/leads/lead.ts'
import { type HttpProblem, invalid } from '../../../platform/http/problem.ts'
import type { Text } from '../../../platform/languages/translate.ts'
import type { CallEvent } from '../../../telephony/calls/call-event.ts'
import { type FieldMatch, isInvalidContact, type Warning } from '../../payload/contract.ts'
import { fitTags, withWarnings } from '../../payload/fit-lead.ts'
import { hasContact } from '../../payload/lead-draft.ts'
import type { ReadDelivery, ReadingContext } from './delivery.ts'
import { type Challenge, signedChallenge } from './handshake.ts'

/** What a delivery becomes. */
export type Decision = { kind: 'batch'; bodies: string[] } | RecordDecision

/** What a delivery that is not split becomes. */
export type RecordDecision = LeadDecision | CallDecision | NoLead | Rejected

export interface LeadDecision {
  kind: 'lead'
  submission: Submission
  /** Those of the reading, an assignee that cannot be used, and tags that were left out. */
  warnings: Warning[]
  /** Set if it is an event of a call. */
  event: CallEvent | null
}

/** An event of a call without the customer's number, which another event of the call has. */
export interface CallDecision {
  kind: 'call'
  event: CallEvent
  /** Why the delivery is ignored, if no other event of the call has come. */
  reason: Text
  /** Whether that needs a look. */
  attention: boolean
}

/** It is valid and makes no lead. Answered 200: platforms switch off a webhook that rejects their tests and events. */
export interface NoLead {
  kind: 'ignored' | 'test'
  reason: Text
  /** It has a possible phone or email. */
  attention: boolean
  challenge: Challenge | null
  /** Whether its fields are those of a lead, so that the webhook learns them. */
  isLearned: boolean
}

export interface Rejected {
  kind: 'rejected'
  problem: HttpProblem
}

interface Given extends Pick<ReadingContext, 'account' | 'webhook' | 'delivery'> {
  /** It was sent from the settings. */
  isOwnTest?: boolean | undefined
}

export function decide(given: Given, read: ReadDelivery): Decision {
  return read.records ? { kind: 'batch', bodies: read.records } : decideRecord(given, read)
}

/** Decides about one record, or about the first of a batch. */
export function decideRecord(given: Given, read: ReadDelivery): RecordDecision {
  if (read.problem !== null) return rejected(invalid(`${read.problem}.`))
  const { call, is_test, is_own, is_internal, event, lead } = read
  if (is_test) return testLead(given.isOwnTest === true)
  if (call?.platform_id != null && !hasContact(lead))
    return { kind: 'call', event: call, reason: withoutNumber(read), attention: is_internal }
  if (read.is_withheld && !hasContact(lead)) return noLead(withheld)
  if (is_own) return noLead(msg`A message that the business itself sent, or a receipt of one: it makes no lead.`)
  if (is_internal) return noLead(internalCall, { attention: true })
  return event ? decideEvent(given, event) : decideLead(given, read)
}

const withheld = msg`The caller withholds the number: the call makes no lead.`
const internalCall = msg`All numbers of this call are of your business in earlier calls, so there is no customer. If one is a customer’s, map it, then replay this delivery.`
const noNumberYet = msg`An event of a call without the number of the customer: no other event of this call has come yet.`

const withoutNumber = ({ is_withheld, is_internal }: ReadDelivery) =>
  is_withheld ? withheld : is_internal ? internalCall : noNumberYet

export const rejected = (problem: HttpProblem): Rejected => ({ kind: 'rejected', problem })

export const noLead = (reason: Text, more: Partial<NoLead> = {}): NoLead => ({
  kind: 'ignored',
  reason,
  attention: false,
  challenge: null,
  isLearned: false,
  ...more,
})

/** A check of the URL by a header. */
export const headerSentBack = () =>
  noLead('A check of the URL by the platform: its Validation-Token was sent back.', { kind: 'test' })

const testLead = (isOwn: boolean) =>
  noLead(
    isOwn
      ? msg`A test from the settings: it is stored, but makes no lead.`
      : msg`A test lead of the platform: it is stored, but makes no lead.`,
    { kind: 'test', isLearned: !isOwn },
  )

function decideEvent(
  { webhook: { secret_token } }: Given,
  { challenge, plain_token, has_contact }: NonNullable<ReadDelivery['event']>,
): NoLead {
  if (plain_token !== null && secret_token === null)
    return noLead(
      msg`Zoom checks this URL and needs its secret token: copy it from the Zoom app, save it under “Connect a source”, then validate the URL again.`,
    )
  if (plain_token !== null)
    return noLead(msg`A check of the URL by Zoom: its token was sent back, signed with the secret token.`, {
      kind: 'test',
      challenge: signedChallenge(plain_token, secret_token!),
    })
  if (challenge !== null)
    return noLead(msg`A handshake of the platform: its challenge was sent back.`, { kind: 'test', challenge })
  return has_contact
    ? noLead(
        msg`No lead field was recognised, but there is a possible phone or email: map it, then replay this delivery.`,
        { attention: true },
      )
    : noLead(msg`No lead field was recognised: the delivery is stored, but makes no lead.`)
}

/** The contacts that may be somebody else's, by their names in the payload. */
function uncertainContacts(picks: readonly FieldMatch[]): NonNullable<Submission['uncertain']> {
  return picks.flatMap(({ field, confidence, path }) =>
    (field === 'phone' || field === 'email') && confidence === 'unsure' ? [{ field, question: path }] : [],
  )
}

function decideLead({ account, webhook, delivery }: Given, read: ReadDelivery): LeadDecision | Rejected {
  const { lead, call } = read
  const { name, assigned_to, other_contacts = [], ...fields } = lead
  if (name === undefined || !hasContact(lead)) {
    const why = read.warnings.find(isInvalidContact)
    return rejected(
      invalid(
        why
          ? `${why.message}, and there is no other contact.`
          : msg`No email and no phone was found in this payload. Map them in the settings of this webhook, then replay it.`,
        why?.field,
      ),
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
    kind: 'lead',
    event: call,
    warnings: withWarnings([...read.warnings, ...assigneeWarnings], warnings),
    submission: {
      given: { ...fields, name, tags, ...(assignee ? { assigned_to: assignee.id } : {}) },
      contacts: other_contacts,
      enquiry: read.enquiry,
      platform: read.sender,
      defaults: {
        source: webhook.default_source ?? webhook.source_label,
        status: webhook.default_status,
        priority: 'Medium',
      },
      onMatch: 'fill',
      uncertain: uncertainContacts(read.picks),
      assignment: { byRules: true, otherwise: fallback?.id ?? null, webhook_id: webhook.id },
      sender: senderOf(webhook),
      received_at: delivery.received_at,
      ...(call ? { call: call.direction ?? 'Inbound' } : {}),
    },
  }
}

/** As the timeline names a webhook. */
export const senderOf = ({ name }: Pick<Given['webhook'], 'name'>) => `the webhook “${name}”`
