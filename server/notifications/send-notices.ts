import { setTimeout as pause } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import { type Account, findAccount, type User } from '../account/users.ts'
import { accountActor, asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import type { Mailer } from '../mail/mailer.ts'
import { endOfQuietHours } from './hours.ts'
import { type NotedLead, noticeEmail, pushMessage } from './messages.ts'
import { type NoticeKind, nextStep, quietHours, type UserSettings } from './next-step.ts'
import type { PushOutcome, PushService, Subscription } from './push-service.ts'
import { lockDue, readSettings, readSubscriptions, removeSubscriptions, writeSteps } from './store.ts'

export interface Surroundings {
  push: PushService
  mailer: Mailer | null
  baseUrl: string
  clock: () => Date
  metrics: Registry
  onError(error: unknown, what: string): void
}

/** Assignments of one transaction. Those of one user become one message. */
const batchSize = 100
const maxAccountsAtOnce = 4
/** In milliseconds. */
const checkEvery = 30_000
/** Between two batches of an account: many leads that come at the same time are read and written together. */
const restFor = 1000
const retryAfter = [1000, 5000]
const maxSendsAtOnce = 8

interface Notice {
  kind: NoticeKind
  user: User
  leads: NotedLead[]
  settings: UserSettings
  subscriptions: Subscription[]
}

/**
 * Sends what is due of all accounts: when a change is announced, and twice a minute for alerts and the end of quiet hours.
 * Each step of an assignment is committed before it is sent, by one process, so nothing is sent twice.
 */
export function sendNotices(
  database: Database,
  surroundings: Surroundings,
  regularEmailsOf: (accountId: string) => Promise<void>,
) {
  const outcomes = new Counter({
    name: 'lead_engine_push_messages_total',
    help: 'Push messages by outcome: sent, gone, rejected or failed',
    labelNames: ['outcome'] as const,
    registers: [surroundings.metrics],
  })
  for (const outcome of ['sent', 'gone', 'rejected', 'failed']) outcomes.inc({ outcome }, 0)
  const waiting = new Set<string>()
  const underWay = new Set<string>()
  const resting = new Set<string>()
  const running = new Set<Promise<void>>()
  let stopped = false

  function wake(accountId: string) {
    waiting.add(accountId)
    startWaiting()
  }

  function startWaiting() {
    for (const accountId of waiting) {
      if (stopped || underWay.size >= maxAccountsAtOnce) return
      if (underWay.has(accountId) || resting.has(accountId)) continue
      waiting.delete(accountId)
      underWay.add(accountId)
      const work = sendAllDue(accountId).finally(() => {
        underWay.delete(accountId)
        running.delete(work)
        resting.add(accountId)
        setTimeout(() => {
          resting.delete(accountId)
          startWaiting()
        }, restFor).unref()
        startWaiting()
      })
      running.add(work)
    }
  }

  async function sendAllDue(accountId: string) {
    try {
      for (let found = batchSize; found === batchSize && !stopped; ) {
        const { notices, locked } = await takeDue(database, accountId, surroundings.clock())
        found = locked
        await sendAll(accountId, notices)
      }
    } catch (error) {
      if (!isAway(error)) surroundings.onError(error, 'notifications')
    }
  }

  async function sendAll(accountId: string, notices: Notice[]) {
    const gone: string[] = []
    const sends = notices.flatMap((notice) => [
      ...(notice.settings.by_push ? notice.subscriptions : []).map((subscription) => async () => {
        const outcome = await pushWithRetries(subscription, notice)
        outcomes.inc({ outcome })
        if (outcome === 'gone') gone.push(subscription.id)
      }),
      ...(notice.settings.by_mail && surroundings.mailer ? [() => mail(surroundings.mailer!, notice)] : []),
    ])
    const next = async () => {
      for (let send = sends.shift(); send; send = sends.shift()) await send()
    }
    await Promise.all(Array.from({ length: maxSendsAtOnce }, next))
    if (gone.length === 0) return
    const actor = { ...accountActor(accountId), silent: true } as const
    await asActor(database, actor, (tx) => removeSubscriptions(tx, accountId, gone))
  }

  async function pushWithRetries(subscription: Subscription, { kind, leads }: Notice): Promise<PushOutcome> {
    const message = pushMessage(kind, leads)
    for (const wait of [...retryAfter, null]) {
      const outcome = await surroundings.push.send(subscription, message)
      if (outcome !== 'failed' || wait === null || stopped) return outcome
      await pause(wait, undefined, { ref: false })
    }
    return 'failed'
  }

  async function mail(mailer: Mailer, { kind, leads, user }: Notice) {
    await mailer
      .send(noticeEmail(kind, leads, user, surroundings.baseUrl))
      .catch((error) => surroundings.onError(error, 'email of a notification'))
  }

  const checkAll = () => Promise.all([wakeAll(), sendRegularEmails()])

  const wakeAll = oneAtATime(() => ofEachAccount(async (id) => wake(id)))

  // Apart from the other, because a mail server may be slow.
  const sendRegularEmails = oneAtATime(() => ofEachAccount(regularEmailsOf))

  async function ofEachAccount(work: (accountId: string) => Promise<void>) {
    if (database.watch?.away) return
    try {
      const accounts = await database.directory<{ id: string }[]>`select id from accounts order by id`
      for (const { id } of accounts) {
        if (stopped) break
        await work(id)
        // Other work has most of the time, however many accounts there are.
        await pause(5)
      }
    } catch (error) {
      if (!isAway(error)) surroundings.onError(error, 'notifications')
    }
  }

  database.watch?.onLeads((accountId) => (accountId === null ? void checkAll() : wake(accountId)))
  const timer = setInterval(() => void checkAll(), checkEvery).unref()
  return {
    checkAll,
    async stop() {
      stopped = true
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}

/** Returns a function that does nothing while it runs already. */
function oneAtATime(work: () => Promise<void>) {
  let running = false
  return async () => {
    if (running) return
    running = true
    await work()
    running = false
  }
}

/** Takes the next step of what is due, and returns what to send for it after the commit. */
async function takeDue(database: Database, accountId: string, now: Date) {
  const actor = { ...accountActor(accountId), silent: true } as const
  const account = await findAccount(database, accountId)
  return asActor(database, actor, async (tx) => {
    const due = await lockDue(tx, accountId, now, batchSize)
    if (due.length === 0) return { notices: [], locked: 0 }
    const owners = await readSettings(tx, accountId, [...new Set(due.map(({ user_id }) => user_id))])
    const toSend = new Map<string, { kind: NoticeKind; userId: string; leads: NotedLead[] }>()
    const steps = due.map((one) => ({ one, step: nextStep(one, { account, settings: owners.get(one.user_id)!, now }) }))
    for (const { one, step } of steps) {
      for (const userId of recipientsOf(account, step.send, one.user_id)) {
        const key = `${step.send} ${userId}`
        const known = toSend.get(key) ?? { kind: step.send!, userId, leads: [] }
        toSend.set(key, { ...known, leads: [...known.leads, one] })
      }
    }
    const userIds = [...new Set([...toSend.values()].map(({ userId }) => userId))]
    const written = steps.map(({ one, step: { state, notify_at } }) => ({ id: one.id, state, notify_at }))
    const [settings, browsers] = await Promise.all([
      readSettings(tx, accountId, userIds),
      readSubscriptions(tx, accountId, userIds),
      writeSteps(tx, accountId, written),
    ])
    const subscriptions = Map.groupBy(browsers, ({ user_id }) => user_id)
    const notices = [...toSend.values()].map(
      ({ kind, userId, leads }): Notice => ({
        kind,
        leads,
        user: account.users.find(({ id }) => id === userId)!,
        settings: settings.get(userId)!,
        subscriptions: subscriptions.get(userId) ?? [],
      }),
    )
    // An owner's quiet hours postpone a step. Managers see in the digest what they miss.
    const isQuiet = (notice: Notice) =>
      notice.kind === 'uncalled_in_team' && endOfQuietHours(now, quietHours(notice.settings)) !== null
    return { notices: notices.filter((notice) => !isQuiet(notice)), locked: due.length }
  })
}

/** The Managers of a team; where it has none, the Admins. */
function recipientsOf({ users }: Account, kind: NoticeKind | null, ownerId: string): string[] {
  if (kind !== 'uncalled_in_team') return kind === null ? [] : [ownerId]
  const team = users.find(({ id }) => id === ownerId)?.team ?? null
  const others = users.filter(({ id, active }) => active && id !== ownerId)
  const managers = others.filter((user) => user.role === 'Manager' && team !== null && user.team === team)
  return (managers.length > 0 ? managers : others.filter(({ role }) => role === 'Admin')).map(({ id }) => id)
}
