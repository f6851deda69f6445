import { type Account, findAccount, type User, visibleAssignees } from '../../access/account/users.ts'
import { isWithin } from '../../crm/availability/hours.ts'
import { isSilent } from '../../intake/webhooks/silence.ts'
import { deliveryFrequencies } from '../../intake/webhooks/webhook-health.ts'
import { type Actor, accountActor, asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { dateWindow } from '../../platform/http/date-window.ts'
import { istDay } from '../../platform/http/instants.ts'
import type { Email } from '../../platform/mail/email.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { isMissed, needsCallback } from '../../telephony/calls/missed.ts'
import { type DigestFigures, digestEmail, webhookEmail } from './messages.ts'
import { claimNotice, readSettings } from './store.ts'

interface Surroundings {
  mailer: Mailer | null
  baseUrl: string
  clock: () => Date
}

const minute = 60_000
const webhooksEvery = 10 * minute
const day = 24 * 60 * minute

/**
 * Returns a function that finds the emails that are due of an account: the daily digest of Managers and Admins when the working day
 * starts, and to Admins each webhook that falls silent or starts to reject.
 */
export function regularEmails(database: Database, { mailer, baseUrl, clock }: Surroundings) {
  const digestsSent = new Map<string, string>()
  const webhooksChecked = new Map<string, number>()

  return async function* (accountId: string): AsyncGenerator<Email> {
    if (!mailer) return
    const now = clock()
    const account = await findAccount(database, accountId)
    if (isDigestTime(account, now) && digestsSent.get(accountId) !== istDay(now)) {
      yield* await digests(database, account, baseUrl, now)
      digestsSent.set(accountId, istDay(now))
    }
    if (now.getTime() - (webhooksChecked.get(accountId) ?? 0) >= webhooksEvery) {
      webhooksChecked.set(accountId, now.getTime())
      yield* await webhookEmails(database, account, baseUrl, now)
    }
  }
}

function isDigestTime({ workingHours }: Account, now: Date): boolean {
  return isWithin(workingHours, now)
}

async function digests(database: Database, account: Account, baseUrl: string, now: Date): Promise<Email[]> {
  const users = account.users.filter(({ role, active }) => role !== 'Agent' && active)
  const today = istDay(now)
  const mine = await asActor(database, silentActor(account.id), async (tx) => {
    const settings = await readSettings(
      tx,
      account.id,
      users.map(({ id }) => id),
    )
    const claimed: User[] = []
    for (const user of users.filter(({ id }) => settings.get(id)!.digest)) {
      const notice = { kind: 'digest', subject_id: user.id, day: today }
      if (await claimNotice(tx, account.id, notice)) claimed.push(user)
    }
    return claimed
  })
  const yesterday = istDay(new Date(now.getTime() - day))
  const emails: Email[] = []
  for (const user of mine) {
    const sees = visibleAssignees(user, account.users)
    const actor: Actor = { account_id: account.id, user_id: user.id, sees, via: 'command', via_id: null }
    const figures = await readAsActor(database, actor, (tx) => figuresOf(tx, account, actor, yesterday, now))
    if (figures.leads + figures.calls > 0) emails.push(digestEmail(figures, user, baseUrl))
  }
  return emails
}

const maxPeople = 50

async function figuresOf(
  tx: TransactionSql,
  account: Account,
  { account_id, sees }: Actor,
  day: string,
  now: Date,
): Promise<DigestFigures> {
  const { from, until } = dateWindow({ from_date: day, to_date: day }, now)
  const visible = sees === 'all' ? tx`` : tx`and assigned_to = any (${[...sees]})`
  const ofDay = tx`account_id = ${account_id} and called_at >= ${from} and called_at < ${until} ${visible}`
  const nameOf = (userId: string | null) => account.users.find(({ id }) => id === userId)?.name
  const owners = await tx<{ assigned_to: string | null; leads: number; uncalled: number }[]>`
    select assigned_to, count(*)::int as leads, count(*) filter (where last_call_at is null)::int as uncalled
    from leads where account_id = ${account_id} and created_at >= ${from} and created_at < ${until} ${visible}
    group by assigned_to order by 2 desc`
  const [calls] = await tx<{ calls: number; missed: number }[]>`
    select count(*)::int as calls, count(*) filter (where call_type = 'Inbound' and ${isMissed(tx)})::int as missed
    from call_logs calls where ${ofDay}`
  // Missed calls are figures of owners: no user made or answered them.
  const callers = await tx<CallerRow[]>`
    select called_by, case when called_by is null then agent end as agent, count(*)::int as calls,
      count(*) filter (where outcome = 'Completed' and duration_seconds > 0)::int as connected,
      coalesce(sum(duration_seconds) filter (where outcome = 'Completed'), 0)::float8 as seconds
    from call_logs calls where ${ofDay} and (called_by is not null or agent is not null)
      and not (call_type = 'Inbound' and ${isMissed(tx)})
    group by 1, 2 order by 3 desc, 1, 2 limit ${maxPeople}`
  const callbacks = await tx<{ assigned_to: string | null; missed: number; waiting: number }[]>`
    select assigned_to, count(*)::int as missed, count(*) filter (where ${needsCallback(tx, account_id)})::int as waiting
    from call_logs calls where ${ofDay} and call_type = 'Inbound' and ${isMissed(tx)}
    group by assigned_to order by 3 desc, 2 desc, 1 limit ${maxPeople}`
  const sum = (figure: 'leads' | 'uncalled') => owners.reduce((total, owner) => total + owner[figure], 0)
  return {
    day,
    leads: sum('leads'),
    uncalled: sum('uncalled'),
    ...calls!,
    owners: owners.slice(0, maxPeople).map(({ assigned_to, ...figures }) => ({
      name: nameOf(assigned_to) ?? null,
      ...figures,
    })),
    callers: callers.map(({ called_by, agent, ...figures }) => ({
      name: nameOf(called_by) ?? agent ?? '',
      ...figures,
    })),
    callbacks: callbacks.map(({ assigned_to, ...figures }) => ({
      name: nameOf(assigned_to) ?? null,
      ...figures,
    })),
  }
}

interface CallerRow {
  called_by: string | null
  agent: string | null
  calls: number
  connected: number
  seconds: number
}

/** Rejected deliveries in a row after which a webhook is reported. */
const rejectedInARow = 3

async function webhookEmails(database: Database, account: Account, baseUrl: string, now: Date): Promise<Email[]> {
  const admins = account.users.filter(({ role, active }) => role === 'Admin' && active)
  const found = await asActor(database, silentActor(account.id), async (tx) => {
    const silent = (await deliveryFrequencies(tx, account.id)).filter((webhook) => isSilent(webhook, now))
    const rejecting = await rejectingWebhooks(tx, account.id, new Date(now.getTime() - day))
    const problems = [
      // Once for each time that it falls silent, and once a day while it rejects.
      ...silent.map((webhook) => ({ kind: 'silent' as const, webhook, day: istDay(webhook.last_at) })),
      ...rejecting.map((webhook) => ({ kind: 'rejecting' as const, webhook, day: istDay(now) })),
    ]
    const claimed: typeof problems = []
    for (const problem of problems) {
      const notice = { kind: `webhook_${problem.kind}`, subject_id: problem.webhook.webhook_id, day: problem.day }
      if (await claimNotice(tx, account.id, notice)) claimed.push(problem)
    }
    return claimed
  })
  return found.flatMap(({ kind, webhook }) => admins.map((admin) => webhookEmail(kind, webhook, admin, baseUrl)))
}

async function rejectingWebhooks(tx: TransactionSql, accountId: string, since: Date) {
  return tx<{ webhook_id: string; name: string }[]>`
    select webhooks.id as webhook_id, webhooks.name from webhooks cross join lateral (
      select count(*) filter (where outcome = 'rejected') as rejected from (
        select outcome from deliveries
        where account_id = ${accountId} and webhook_id = webhooks.id and received_at >= ${since}
        order by received_at desc limit ${rejectedInARow}
      ) newest
    ) counted
    where webhooks.account_id = ${accountId} and webhooks.enabled and counted.rejected = ${rejectedInARow}`
}

const silentActor = (accountId: string) => ({ ...accountActor(accountId), silent: true }) as const
