import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { enquiryPreview } from '../../crm/enquiries/store.ts'
import type { NoticeKind } from '../../crm/notices/add-notice.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { NewSubscription, Notices, NotificationChange } from './contract.ts'
import { type Notice, notices } from './kinds.ts'
import type { DueNotice, UserSettings } from './next-step.ts'
import type { Subscription } from './push-service.ts'

/** Until a user changes them. */
const defaults = {
  by_push: true,
  by_mail: false,
  quiet_from: null,
  quiet_until: null,
  digest: true,
  weekly_email: false,
}

/** Browsers of one user. A new one replaces the oldest. */
export const maxBrowsers = 10

export async function readSettings(tx: TransactionSql, accountId: string, userIds: string[]) {
  const rows = await tx<UserSettings[]>`
    select user_id, by_push, by_mail, quiet_from, quiet_until, digest, weekly_email from notification_settings
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
  const { by_push, by_mail, quiet_from, quiet_until, digest, weekly_email } = { ...before, ...change }
  if (quiet_from !== null && quiet_from === quiet_until)
    throw invalid(msg`Quiet hours must end at another time than they start.`, 'quiet_until')
  const settings = { by_push, by_mail, quiet_from, quiet_until, digest, weekly_email }
  await tx`
    insert into notification_settings ${tx({ account_id: accountId, user_id: userId, ...settings, created_at: at })}
    on conflict (account_id, user_id) do update set by_push = excluded.by_push, by_mail = excluded.by_mail,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, digest = excluded.digest,
      weekly_email = excluded.weekly_email`
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
  // Locked, so that two requests at once do not exceed the limit.
  await tx`select 1 from users where account_id = ${accountId} and id = ${userId} for no key update`
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

const maxListed = 20

interface ListedNotices {
  newest: number
  notices: (Omit<Notices['notices'][number], 'user'> & { kind: NoticeKind; other_id: string | null })[]
}

const shownKinds = (...to: Notice['goesTo'][]) =>
  Object.entries(notices).flatMap(([kind, { goesTo, onPages }]) => (onPages && to.includes(goesTo) ? kind : []))

/** Returns the newest notices of a user after `after`, for open pages. Runs for the whole account: the user may no longer see a lead. */
export async function noticesAfter(
  tx: TransactionSql,
  accountId: string,
  userId: string,
  after: number | undefined,
): Promise<ListedNotices> {
  const [newest] = await tx<{ id: string }[]>`
    select id from notices where account_id = ${accountId} and user_id = ${userId} order by id desc limit 1`
  const rows =
    after === undefined
      ? []
      : await tx<(Omit<ListedNotices['notices'][number], 'id'> & { id: string })[]>`
        select notices.id, kind, lead_id, leads.name, left(to_json(at)#>>'{}', 19) || 'Z' as at, about->>'user_id' as other_id,
          ${enquiryPreview(tx, accountId, tx`leads.id`)} as enquiry, ${leadsOf(tx)} as leads
        from notices join leads on leads.account_id = ${accountId} and leads.id = lead_id
        where notices.account_id = ${accountId} and user_id = ${userId} and notices.id > ${after} and (
          leads.assigned_to = ${userId} and kind = any (${shownKinds('owner', 'ownerOrAdmins')})
          or leads.assigned_to is null and kind = any (${shownKinds('ownerOrAdmins', 'claimers')})
          or kind = any (${shownKinds('formerOwner')})
        )
        order by notices.id desc limit ${maxListed}`
  const notices = rows.map((row) => ({ ...row, id: Number(row.id) }))
  // One that was written between the two statements is among the notices, and is not to be sent twice.
  return { newest: Math.max(Number(newest?.id ?? 0), ...notices.map(({ id }) => id)), notices }
}

const leadsOf = (tx: TransactionSql) => tx`coalesce((notices.about->>'leads')::integer, 1)`

/** Locks notices whose next step is due. Those that another process holds are skipped, and those of kinds of a newer version. */
export async function lockDue(tx: TransactionSql, accountId: string, now: Date, limit: number) {
  const kinds = Object.entries(notices)
  const isDone = kinds.map(([kind, { isDone }]) => tx`when ${kind} then ${isDone?.(tx, accountId) ?? tx`false`} `)
  return tx<DueNotice[]>`
    select notices.id, kind, lead_id, user_id, at, state, leads.name, leads.assigned_to,
      ${enquiryPreview(tx, accountId, tx`leads.id`)} as enquiry, ${leadsOf(tx)} as leads,
      case kind ${isDone} end as done
    from notices join leads on leads.account_id = ${accountId} and leads.id = lead_id
    where notices.account_id = ${accountId} and notify_at <= ${now} and kind = any (${kinds.map(([kind]) => kind)})
    order by notify_at limit ${limit} for update of notices skip locked`
}

export async function writeSteps(
  tx: TransactionSql,
  accountId: string,
  steps: { id: string; state: string; notify_at: Date | null }[],
) {
  const ids = steps.map(({ id }) => id)
  // `any` finds them by the primary key, whatever the plan does with the list of steps. A cast from texts would be repeated for each
  // row that is compared.
  await tx`update notices set state = step.state, notify_at = step.notify_at
    from jsonb_to_recordset(${tx.json(steps as never)}) as step (id bigint, state text, notify_at timestamptz)
    where account_id = ${accountId} and notices.id = any (${`{${ids}}`}::bigint[]) and notices.id = step.id`
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
