import { randomUUID } from 'node:crypto'
import { isMissed, needsCallback } from '../calls/missed.ts'
import type { TransactionSql } from '../database/sql.ts'
import type { WebCaller } from '../sign-in/require-session.ts'
import type { Assignments, NewSubscription, NotificationChange } from './contract.ts'
import type { DueAssignment, UserSettings } from './next-step.ts'
import type { Subscription } from './push-service.ts'

/** Until a user changes them. */
const defaults = { by_push: true, by_mail: false, quiet_from: null, quiet_until: null, digest: true }

/** Browsers of one user. A new one replaces the oldest. */
export const maxBrowsers = 10

export async function readSettings(tx: TransactionSql, accountId: string, userIds: string[]) {
  const rows = await tx<UserSettings[]>`
    select user_id, by_push, by_mail, quiet_from, quiet_until, digest from notification_settings
    where account_id = ${accountId} and user_id = any (${userIds})`
  const known = new Map(rows.map((row) => [row.user_id, row]))
  return new Map(userIds.map((user_id) => [user_id, known.get(user_id) ?? { user_id, ...defaults }]))
}

export async function changeSettings(
  tx: TransactionSql,
  accountId: string,
  userId: string,
  change: NotificationChange,
  at: Date,
) {
  const before = (await readSettings(tx, accountId, [userId])).get(userId)!
  const { by_push, by_mail, quiet_from, quiet_until, digest } = { ...before, ...change }
  await tx`
    insert into notification_settings (account_id, user_id, by_push, by_mail, quiet_from, quiet_until, digest, created_at)
    values (${accountId}, ${userId}, ${by_push}, ${by_mail}, ${quiet_from}, ${quiet_until}, ${digest}, ${at})
    on conflict (account_id, user_id) do update set by_push = excluded.by_push, by_mail = excluded.by_mail,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, digest = excluded.digest`
}

export async function readSubscriptions(tx: TransactionSql, accountId: string, userIds: string[]) {
  return tx<Subscription[]>`
    select id, user_id, session_id, endpoint, p256dh, auth from push_subscriptions
    where account_id = ${accountId} and user_id = any (${userIds})`
}

/** A browser notifies the user who signed in last. Runs for the whole account. */
export async function addSubscription(
  tx: TransactionSql,
  { account_id: accountId, user_id: userId, session_id }: Pick<WebCaller, 'account_id' | 'user_id' | 'session_id'>,
  { endpoint, keys }: NewSubscription,
  at: Date,
) {
  await tx`delete from push_subscriptions where account_id = ${accountId} and endpoint = ${endpoint}`
  await tx`insert into push_subscriptions (account_id, id, user_id, session_id, endpoint, p256dh, auth, created_at)
    values (${accountId}, ${randomUUID()}, ${userId}, ${session_id}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${at})`
  await tx`delete from push_subscriptions where account_id = ${accountId} and user_id = ${userId} and id in (
    select id from push_subscriptions where account_id = ${accountId} and user_id = ${userId}
    order by created_at desc, id offset ${maxBrowsers}
  )`
}

export async function removeEndpoint(tx: TransactionSql, accountId: string, userId: string, endpoint: string) {
  await tx`delete from push_subscriptions
    where account_id = ${accountId} and user_id = ${userId} and endpoint = ${endpoint}`
}

export async function removeSubscriptions(tx: TransactionSql, accountId: string, ids: string[]) {
  await tx`delete from push_subscriptions where account_id = ${accountId} and id = any (${ids})`
}

/** The newest leads that came to the user after `after`, at most so many. */
const maxListed = 20

interface ListedAssignments {
  newest: number
  assignments: Omit<Assignments['assignments'][number], 'passed_on'>[]
}

/** Runs for the whole account: the user no longer sees a lead that passed on. `passed_on_to` is an id. */
export async function assignmentsAfter(
  tx: TransactionSql,
  accountId: string,
  userId: string,
  after: number | undefined,
): Promise<ListedAssignments> {
  const [newest] = await tx<{ id: string }[]>`
    select id from assignments where account_id = ${accountId} and user_id = ${userId} order by id desc limit 1`
  const assignments =
    after === undefined
      ? []
      : await tx<(Omit<ListedAssignments['assignments'][number], 'id'> & { id: string })[]>`
        select assignments.id, lead_id, leads.name, left(to_json(at)#>>'{}', 19) || 'Z' as at, users.name as submitted_by,
          enquired_again, case when enquired_again then enquired_again_message end as message, passed_on_to, offered, assignments.leads
        from assignments join leads on leads.account_id = ${accountId} and leads.id = lead_id
          left join users on users.account_id = ${accountId} and users.id = submitted_by
        where assignments.account_id = ${accountId} and user_id = ${userId} and assignments.id > ${after}
          and call_log_id is null
          and case when offered then leads.assigned_to is null else leads.assigned_to = ${userId} or (submitted_by is not null and leads.assigned_to is null) or passed_on_to is not null end
        order by assignments.id desc limit ${maxListed}`
  return {
    newest: Number(newest?.id ?? 0),
    assignments: assignments.map((one) => ({ ...one, id: Number(one.id) })),
  }
}

/** A lead that calls or enquires again within this time is one message, unless somebody spoke with it in between. In minutes. */
const oneMessageWithin = 5

/** Locks assignments and missed calls whose next step is due. Those that another process holds are skipped. */
export async function lockDue(tx: TransactionSql, accountId: string, now: Date, limit: number) {
  return tx<DueAssignment[]>`
    select assignments.id, lead_id, user_id, at, state, leads.name, leads.assigned_to, call_log_id is not null as is_missed_call,
      submitted_by is not null as is_submission, assignments.enquired_again, assignments.leads,
      passed_on_to is not null as is_passed_on, assignments.offered as is_offered,
      case when submitted_by is not null or passed_on_to is not null or assignments.offered or assignments.leads > 1 then false when call_log_id is null then exists (
        select from call_logs calls where calls.account_id = ${accountId} and calls.lead_id = assignments.lead_id
          and called_at >= assignments.at and not (call_type = 'Inbound' and ${isMissed(tx)})
      ) or (assignments.enquired_again and exists (
        select from assignments sent
        where sent.account_id = ${accountId} and sent.lead_id = assignments.lead_id and sent.user_id = assignments.user_id
          and sent.enquired_again and sent.state = 'notified' and sent.id < assignments.id
          and sent.at > assignments.at - make_interval(mins => ${oneMessageWithin})
      )) else not exists (
        select from call_logs calls where calls.account_id = ${accountId} and calls.id = assignments.call_log_id
          and ${needsCallback(tx, accountId)}
      ) or exists (
        select from assignments sent join call_logs calls on calls.account_id = ${accountId} and calls.id = sent.call_log_id
        where sent.account_id = ${accountId} and sent.lead_id = assignments.lead_id and sent.user_id = assignments.user_id
          and sent.state = 'notified' and sent.at > assignments.at - make_interval(mins => ${oneMessageWithin})
          and ${needsCallback(tx, accountId)}
      ) end as done
    from assignments join leads on leads.account_id = ${accountId} and leads.id = lead_id
    where assignments.account_id = ${accountId} and notify_at <= ${now}
    order by notify_at limit ${limit} for update of assignments skip locked`
}

export async function writeSteps(
  tx: TransactionSql,
  accountId: string,
  steps: { id: string; state: string; notify_at: Date | null }[],
) {
  const ids = steps.map(({ id }) => id)
  // `any` finds them by the primary key, whatever the plan does with the list of steps. A cast from texts would be repeated for each
  // row that is compared.
  await tx`update assignments set state = step.state, notify_at = step.notify_at
    from jsonb_to_recordset(${tx.json(steps as never)}) as step (id bigint, state text, notify_at timestamptz)
    where account_id = ${accountId} and assignments.id = any (${`{${ids}}`}::bigint[]) and assignments.id = step.id`
}

/** Returns whether this process is the one to send it. */
export async function claimNotice(
  tx: TransactionSql,
  accountId: string,
  { kind, subject_id, day }: { kind: string; subject_id: string; day: string },
): Promise<boolean> {
  const claimed = await tx`insert into sent_notices (account_id, kind, subject_id, day)
    values (${accountId}, ${kind}, ${subject_id}, ${day}) on conflict (account_id, kind, subject_id, day) do nothing
    returning 1`
  return claimed.length > 0
}
