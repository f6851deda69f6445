import { setTimeout as pause } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import { openAccounts } from '../../access/account/suspension.ts'
import { type Account, findAccount, type User } from '../../access/account/users.ts'
import { accountActor, asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isAway } from '../../platform/database/errors.ts'
import type { Email } from '../../platform/mail/email.ts'
import { type Mailer, MailFailure } from '../../platform/mail/mailer.ts'
import type { PushMessage } from './contract.ts'
import { type MessageKind, messages } from './kinds.ts'
import { type NotedLead, noticeEmail, pushMessage } from './messages.ts'
import { nextReminder } from './next-reminder.ts'
import { nextStep, quietHours, type UserSettings } from './next-step.ts'
import { type Outcome, openOutbox } from './outbox.ts'
import type { PushService, Subscription } from './push-service.ts'
import { endOfQuietHours } from './quiet-hours.ts'
import { lockDueReminders, writeReminders } from './reminders.ts'
import { lockDue, readSettings, removeSubscriptions, writeSteps } from './store.ts'
import { readSignedIn } from './subscriptions.ts'

export interface Surroundings {
  push: PushService
  mailer: Mailer | null
  baseUrl: string
  clock: () => Date
  metrics: Registry
  onError(error: unknown, what: string): void
  /** After each failure of a message, in milliseconds. */
  retryAfter?: number[]
}

/** Notices and reminders of one transaction. Those of one user become one message. */
const batchSize = 100
const maxAccountsAtOnce = 4
/** In milliseconds. */
const checkEvery = 30_000
/** Between two batches of an account: many leads that come at the same time are read and written together. */
const restFor = 500
/** Messages that a process sends at once, in all and of one account. A slow push service or mail server delays only its own kind. */
const pushesAtOnce = { running: 32, runningOfKey: 8 }
const mailsAtOnce = { running: 8, runningOfKey: 4 }

interface Notice {
  kind: MessageKind
  user: User
  leads: NotedLead[]
  settings: UserSettings
  subscriptions: Subscription[]
}

/**
 * Sends what is due of all accounts: when a change is announced, and twice a minute for alerts and the end of quiet hours.
 * Each step of a notice or a reminder is committed before it is sent, by one process, so nothing is sent twice.
 */
export function sendNotices(
  database: Database,
  surroundings: Surroundings,
  regularEmailsOf: (accountId: string) => AsyncIterable<Email>,
) {
  const outcomes = new Counter({
    name: 'lead_engine_push_messages_total',
    help: 'Push messages by outcome: sent, gone, rejected or failed',
    labelNames: ['outcome'] as const,
    registers: [surroundings.metrics],
  })
  for (const outcome of ['sent', 'gone', 'rejected', 'failed']) outcomes.inc({ outcome }, 0)
  const report = (what: string) => (error: unknown) => {
    if (!isAway(error)) surroundings.onError(error, what)
  }
  const { retryAfter } = surroundings
  const retries = retryAfter ? { retryAfter } : {}
  const pushes = openOutbox({ ...pushesAtOnce, ...retries, onError: report('push message') })
  const mails = openOutbox({ ...mailsAtOnce, ...retries, onError: report('email of a notification') })
  const waiting = new Set<string>()
  const runningAccounts = new Set<string>()
  const resting = new Set<string>()
  const running = new Set<Promise<void>>()
  let stopped = false

  function wake(accountId: string) {
    waiting.add(accountId)
    startWaiting()
  }

  function startWaiting() {
    for (const accountId of waiting) {
      if (stopped || runningAccounts.size >= maxAccountsAtOnce) return
      if (runningAccounts.has(accountId) || resting.has(accountId)) continue
      waiting.delete(accountId)
      runningAccounts.add(accountId)
      const work = sendAllDue(accountId).finally(() => {
        runningAccounts.delete(accountId)
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
      for (let isFull = true; isFull && !stopped; ) {
        const { notices, isFull: hasMore, isNewTo } = await takeDue(database, accountId, surroundings.clock())
        isFull = hasMore
        // Their queues have it at once, in quiet hours too.
        for (const userId of isNewTo) database.announceToUsers(accountId, [userId])
        sendAll(accountId, notices)
      }
    } catch (error) {
      report('notifications')(error)
    }
  }

  function sendAll(accountId: string, notices: Notice[]) {
    for (const notice of notices) {
      const { settings, subscriptions, kind, leads, user } = notice
      if (settings.by_push)
        for (const one of subscriptions) void push(accountId, one, pushMessage(kind, leads, user.language))
      if (settings.by_mail) void mail(accountId, noticeEmail(kind, leads, user, surroundings.baseUrl))
    }
  }

  async function push(accountId: string, subscription: Subscription, message: PushMessage) {
    const attempt = async (): Promise<Outcome> => {
      // While it waited, the session may have ended.
      const current = await currentSubscription(accountId, subscription)
      return current ? surroundings.push.send(current, message) : 'gone'
    }
    const outcome = await pushes.send({ accountId, to: subscription.id }, attempt)
    outcomes.inc({ outcome })
    if (outcome === 'gone') await forget(accountId, subscription).catch(report('notifications'))
  }

  const currentSubscription = (accountId: string, { id, user_id }: Subscription) =>
    asActor(database, silentActor(accountId), async (tx) =>
      (await readSignedIn(tx, database.directory, accountId, [user_id])).find((one) => one.id === id),
    )

  const forget = (accountId: string, { id }: Subscription) =>
    asActor(database, silentActor(accountId), (tx) => removeSubscriptions(tx, accountId, [id]))

  async function mail(accountId: string, email: Email) {
    const { mailer } = surroundings
    if (!mailer) return
    await mails.send({ accountId, to: email.to }, async () => {
      try {
        await mailer.send(email)
        return 'sent'
      } catch (error) {
        surroundings.onError(error, 'email of a notification')
        return error instanceof MailFailure && error.isFinal ? 'rejected' : 'failed'
      }
    })
  }

  const checkAll = async () => {
    await Promise.all([wakeAll(), sendRegularEmails()])
    await mails.idle()
  }

  const wakeAll = oneAtATime(() => ofEachAccount(async (id) => wake(id)))

  const sendRegularEmails = oneAtATime(() =>
    ofEachAccount(async (id) => {
      for await (const email of regularEmailsOf(id)) void mail(id, email)
    }),
  )

  async function ofEachAccount(work: (accountId: string) => Promise<void>) {
    if (database.watch?.away) return
    try {
      const accounts = await database.directory<{ id: string }[]>`
        select id from ${openAccounts(database.directory)} as open order by id`
      for (const { id } of accounts) {
        if (stopped) break
        await work(id)
        // Other work has most of the time, however many accounts there are.
        await pause(5)
      }
    } catch (error) {
      report('notifications')(error)
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
      await Promise.all([pushes.stop(), mails.stop()])
    },
  }
}

const silentActor = (accountId: string) => ({ ...accountActor(accountId), silent: true }) as const

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
  const account = await findAccount(database, accountId)
  return asActor(database, silentActor(accountId), async (tx) => {
    const [due, reminders] = await Promise.all([
      lockDue(tx, accountId, now, batchSize),
      lockDueReminders(tx, accountId, now, batchSize),
    ])
    if (due.length + reminders.length === 0) return { notices: [], isFull: false, isNewTo: [] }
    const ownerIds = [
      ...due.map(({ user_id }) => user_id),
      ...reminders.flatMap(({ assigned_to }) => assigned_to ?? []),
    ]
    const owners = await readSettings(tx, accountId, [...new Set(ownerIds)])
    const toSend = new Map<string, { kind: MessageKind; userId: string; leads: NotedLead[] }>()
    const add = (kind: MessageKind, userId: string, lead: NotedLead) => {
      const known = toSend.get(`${kind} ${userId}`) ?? { kind, userId, leads: [] }
      toSend.set(`${kind} ${userId}`, { ...known, leads: [...known.leads, lead] })
    }
    const steps = due.map((one) => ({ one, step: nextStep(one, { account, settings: owners.get(one.user_id)!, now }) }))
    const missed = steps.filter(({ step }) => step.send === 'missed_call')
    const hasMissedCall = new Set(missed.map(({ one }) => `${one.user_id} ${one.lead_id}`))
    for (const { one, step } of steps) {
      // A new lead that is known by its missed call is one message.
      if (step.send === 'assigned' && hasMissedCall.has(`${one.user_id} ${one.lead_id}`)) continue
      for (const userId of recipientsOf(account, step.send, one.user_id)) add(step.send!, userId, one)
    }
    const reminderSteps = reminders.map((lead) => {
      const settings = lead.assigned_to === null ? undefined : owners.get(lead.assigned_to)
      return { lead, step: nextReminder(lead, { account, settings, now }) }
    })
    for (const { lead, step } of reminderSteps)
      if (step.send) for (const userId of step.to) add(step.send, userId, lead)
    const userIds = [...new Set([...toSend.values()].map(({ userId }) => userId))]
    const written = steps.map(({ one, step: { state, notify_at } }) => ({ id: one.id, state, notify_at }))
    const reminded = reminderSteps.map(({ lead: { lead_id }, step: { remind_at, reminded_at } }) => {
      return { lead_id, remind_at, reminded_at }
    })
    const [settings, browsers] = await Promise.all([
      readSettings(tx, accountId, userIds),
      readSignedIn(tx, database.directory, accountId, userIds),
      written.length > 0 ? writeSteps(tx, accountId, written) : null,
      reminded.length > 0 ? writeReminders(tx, accountId, reminded) : null,
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
    // An owner's quiet hours postpone a step. Managers see in the digest what they miss, and Admins on the page Today.
    const isQuiet = ({ settings }: Notice) => endOfQuietHours(now, quietHours(settings)) !== null
    const isNewTo = [...new Set(due.filter(({ state }) => state === 'new').map(({ user_id }) => user_id))]
    const isFull = due.length === batchSize || reminders.length === batchSize
    return { notices: notices.filter((notice) => !isQuiet(notice)), isFull, isNewTo }
  })
}

/** The Managers of a team; where it has none, the Admins. */
function recipientsOf({ users }: Account, kind: MessageKind | null, ownerId: string): string[] {
  if (kind === null) return []
  if (!messages[kind].toTeam) return [ownerId]
  const team = users.find(({ id }) => id === ownerId)?.team ?? null
  const others = users.filter(({ id, active }) => active && id !== ownerId)
  const managers = others.filter((user) => user.role === 'Manager' && team !== null && user.team === team)
  return (managers.length > 0 ? managers : others.filter(({ role }) => role === 'Admin')).map(({ id }) => id)
}
