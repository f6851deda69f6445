import { msg, plural } from '@lingui/core/runtime-macro'
import type { NoticeKind } from '../../crm/notices/add-notice.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import type { Text } from '../../platform/languages/translate.ts'
import { isMissed, needsCallback } from '../../telephony/calls/missed.ts'

/** A message as a device or an email gets it. */
interface Message {
  /** The title for this number of leads. Its numbers are not grouped. */
  title: (count: number) => Text
  /** The page that it opens: that of the lead, if there is one only, or of a list. */
  page: '/leads' | '/today' | '/queue'
  /** Opens the list for one lead too. */
  opensList?: boolean
  /** Goes to the Managers of the owner's team; where it has none, to the Admins. Then quiet hours of the owner do not postpone it. */
  toTeam?: boolean
  /** Counts what happened, and not its leads. */
  countsAll?: boolean
  /** Its users may not see the lead. */
  isUnseen?: boolean
  /** Says what the lead asked for. */
  hasEnquiry?: boolean
}

export interface Notice extends Message {
  /**
   * Whether its user still gets it: as the owner of the lead, also as an Admin while the lead has no active owner, while the lead has no
   * owner, or in any case.
   */
  goesTo: 'owner' | 'ownerOrAdmins' | 'claimers' | 'formerOwner'
  /** In SQL, of a row of `notices`: whether nothing needs to be sent any more. */
  isDone?: (tx: TransactionSql, accountId: string) => Statement
  /** What is sent later while it is not done, each after the working minutes that the account sets. */
  followedBy?: MessageKind[]
  /** Whether open pages show it. */
  onPages: boolean
}

/** The lead was called since, also by another user. */
const isCalled = (tx: TransactionSql, accountId: string) => tx`exists (
  select from call_logs calls where calls.account_id = ${accountId} and calls.lead_id = notices.lead_id
    and called_at >= notices.at and not (call_type = 'Inbound' and ${isMissed(tx)})
)`

/** A lead that calls or enquires again within this time is one message, unless somebody spoke with it in between. In minutes. */
const oneMessageWithin = 5

/** A message of the same kind about the same lead was sent to the user just now. It reads the alias `sent`. */
const isSent = (tx: TransactionSql, accountId: string) => tx`
  sent.account_id = ${accountId} and sent.lead_id = notices.lead_id and sent.user_id = notices.user_id and sent.kind = notices.kind
    and sent.state = 'notified' and sent.id <> notices.id and sent.at > notices.at - make_interval(mins => ${oneMessageWithin})`

const callOf = (tx: TransactionSql, notice: 'notices' | 'sent') =>
  tx`calls.id = (${tx(notice)}.about->>'call_log_id')::uuid`

/** What is sent of each kind of notice. */
export const notices: Record<NoticeKind, Notice> = {
  assigned: {
    title: (count) => plural({ count }, { one: 'New lead', other: '{count} new leads' }),
    hasEnquiry: true,
    page: '/leads',
    goesTo: 'owner',
    isDone: isCalled,
    followedBy: ['uncalled', 'uncalled_in_team'],
    onPages: true,
  },
  assigned_in_bulk: {
    title: (count) => msg`${{ count }} leads were assigned to you`,
    page: '/leads',
    opensList: true,
    goesTo: 'owner',
    onPages: true,
  },
  missed_call: {
    title: (count) => plural({ count }, { one: 'Missed call', other: '{count} missed calls' }),
    hasEnquiry: true,
    page: '/queue',
    opensList: true,
    countsAll: true,
    goesTo: 'ownerOrAdmins',
    isDone: (tx, accountId) => tx`not exists (
      select from call_logs calls where calls.account_id = ${accountId} and ${callOf(tx, 'notices')} and ${needsCallback(tx, accountId)}
    ) or exists (
      select from notices sent join call_logs calls on calls.account_id = ${accountId} and ${callOf(tx, 'sent')}
      where ${isSent(tx, accountId)} and ${needsCallback(tx, accountId)}
    )`,
    onPages: false,
  },
  enquired_again: {
    title: (count) => plural({ count }, { one: 'Enquired again', other: '{count} leads enquired again' }),
    hasEnquiry: true,
    page: '/leads',
    goesTo: 'owner',
    isDone: (tx, accountId) => tx`${isCalled(tx, accountId)} or exists (
      select from notices sent where ${isSent(tx, accountId)} and sent.id < notices.id
    )`,
    onPages: true,
  },
  submission: {
    title: (count) =>
      plural({ count }, { one: 'New note from a colleague', other: '{count} new notes from colleagues' }),
    page: '/leads',
    goesTo: 'ownerOrAdmins',
    onPages: true,
  },
  passed_on: {
    title: (count) =>
      plural({ count }, { one: 'Lead passed on to a colleague', other: '{count} leads passed on to colleagues' }),
    page: '/leads',
    isUnseen: true,
    opensList: true,
    goesTo: 'formerOwner',
    onPages: true,
  },
  offered: {
    title: (count) => plural({ count }, { one: 'New lead to claim', other: '{count} new leads to claim' }),
    hasEnquiry: true,
    page: '/queue',
    opensList: true,
    isUnseen: true,
    goesTo: 'claimers',
    onPages: true,
  },
}

/** What is sent without a notice of its own: of leads that stay uncalled, and of promised calls (next-reminder.ts). */
const others = {
  uncalled: {
    title: (count) => plural({ count }, { one: 'A lead not called yet', other: '{count} leads not called yet' }),
    hasEnquiry: true,
    page: '/leads',
  },
  uncalled_in_team: {
    title: (count) =>
      plural(
        { count },
        { one: 'A lead not called yet in your team', other: '{count} leads not called yet in your team' },
      ),
    page: '/leads',
    toTeam: true,
  },
  call_due: {
    title: (count) => plural({ count }, { one: 'Call due', other: '{count} calls due' }),
    page: '/today',
  },
  call_overdue: {
    title: (count) => plural({ count }, { one: 'Call overdue', other: '{count} calls overdue' }),
    page: '/today',
  },
} satisfies Record<string, Message>

export type MessageKind = NoticeKind | keyof typeof others

export const messages: Record<MessageKind, Message> = { ...notices, ...others }
