import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { wholeSecond } from '../../platform/http/instants.ts'
import { isEmptyEnquiry, noEnquiry } from '../enquiries/enquiry.ts'
import {
  addsNothing,
  cutMessage,
  enquiryRow,
  isKnown,
  joinEnquiry,
  type StoredEnquiry,
} from '../enquiries/stored-enquiry.ts'
import { addNotice } from '../notices/add-notice.ts'
import { isNotified } from './create-lead.ts'
import type { LeadRow, Submission } from './lead.ts'

/** Returns the enquiry that a submission brings to a new lead. Users who enter a lead, and files without answers, bring none. */
export function firstEnquiry(actor: Actor, submission: Submission): StoredEnquiry | null {
  const isOfPerson = actor.via === 'webhook' || actor.via === 'api_key'
  const hasMessage = isOfPerson && submission.given.notes !== undefined
  return hasMessage || hasContent(submission) ? enquiryOf(actor, submission) : null
}

/**
 * Returns the enquiry that a submission brings to a lead that exists, or its last one with what belongs to it. Null if it brings none. A
 * webhook's delivery is a repeat enquiry, unless it is an event of a call; a request of the API if it has a new message or new answers,
 * because programs also send requests to update leads.
 */
export function nextEnquiry(
  actor: Actor,
  submission: Submission,
  lead: Pick<LeadRow, 'created_at' | 'notes'>,
  last: StoredEnquiry | null,
): StoredEnquiry | null {
  const { given, received_at, call, replayed = false } = submission
  const isNews = !replayed || wholeSecond(received_at) > lead.created_at
  const isMessageNew = given.notes !== undefined && !lead.notes?.includes(given.notes)
  const next = enquiryOf(actor, submission)
  const isNew = isMessageNew || (next.answers.length > 0 && !(last && addsNothing(last, next)))
  const is_repeat = actor.via === 'webhook' ? !call && isNews : actor.via === 'api_key' && isNew
  if (!is_repeat && (!hasContent(submission) || (last && isKnown(last, next)))) return null
  return (last && joinEnquiry(last, { ...next, is_repeat }, { replaces: replayed })) ?? { ...next, is_repeat }
}

function enquiryOf({ via, via_id }: Actor, submission: Submission): StoredEnquiry {
  const { given, defaults, received_at, created_at, enquiry = noEnquiry, platform = null } = submission
  const at = wholeSecond(created_at ?? received_at)
  const message = given.notes === undefined ? null : cutMessage(given.notes)
  const source = given.source ?? defaults.source
  return { ...enquiry, at, last_at: at, via, via_id, platform, source, is_repeat: false, message }
}

const hasContent = ({ enquiry }: Submission) => enquiry !== undefined && !isEmptyEnquiry(enquiry)

interface Recipient {
  id: string
  assigned_to: string | null
  /** Who is notified of a repeat enquiry: not a new owner, who is notified of the lead. */
  notified: string | null
}

/** Keeps the enquiry with its lead. The owner is not notified of a delivery that is replayed. */
export async function recordEnquiry(
  tx: TransactionSql,
  actor: Actor,
  { id, assigned_to, notified }: Recipient,
  { enquiry, replayed = false }: { enquiry: StoredEnquiry; replayed?: boolean | undefined },
): Promise<void> {
  const { account_id } = actor
  const { at, is_repeat } = enquiry
  const isNotable = enquiry.id === undefined && is_repeat && !replayed && isNotified(actor, notified, at)
  await Promise.all([
    tx`select record_enquiry(${account_id}, ${id}, ${assigned_to}, ${tx.json(enquiryRow(enquiry) as never)})`,
    isNotable ? addNotice(tx, account_id, 'enquired_again', { user_id: notified, lead_id: id, at, about: {} }) : null,
  ])
}
