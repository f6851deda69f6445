import { type Account, findAccount, type User, visibleAssignees } from '../../access/account/users.ts'
import { istMoment, isWithin } from '../../crm/availability/hours.ts'
import { isSilent } from '../../intake/webhooks/silence.ts'
import { deliveryFrequencies, rejectedByWebhook } from '../../intake/webhooks/webhook-health.ts'
import { type Actor, accountActor, asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { dateWindow } from '../../platform/http/date-window.ts'
import { istDay } from '../../platform/http/instants.ts'
import '../../platform/http/temporal.ts'
import type { Email } from '../../platform/mail/email.ts'
import { claimNotice, readSettings } from '../../selling/notifications/store.ts'
import { readOriginReport, readUserReport } from '../reports/read-report.ts'
import { maxSources, type WeekFigures, weeklyEmail } from './message.ts'

interface Surroundings {
  /** Null: the installation has no mail server. */
  mailer: unknown
  baseUrl: string
  clock: () => Date
}

/**
 * Returns a function that finds the weekly emails that are due of an account: when the first working day of the week starts, to the
 * Managers and Admins who want them.
 */
export function weeklyEmails(database: Database, { mailer, baseUrl, clock }: Surroundings) {
  const sent = new Map<string, string>()

  return async function* (accountId: string): AsyncGenerator<Email> {
    const now = clock()
    const today = istDay(now)
    if (!mailer || sent.get(accountId) === today) return
    const account = await findAccount(database, accountId)
    if (!isWeeklyTime(account, now)) return
    for (const user of await claimRecipients(database, account, today))
      yield weeklyEmail(await figuresOf(database, account, user, now), user, baseUrl)
    sent.set(accountId, today)
  }
}

function isWeeklyTime({ workingHours }: Account, now: Date): boolean {
  const { weekday, minute } = istMoment(now)
  return weekday === Math.min(...workingHours.days) && minute >= workingHours.from && isWithin(workingHours, now)
}

/** Returns the users who get it from this process. */
async function claimRecipients(database: Database, { id, users }: Account, day: string): Promise<User[]> {
  const possible = users.filter(({ role, active }) => role !== 'Agent' && active)
  return asActor(database, { ...accountActor(id), silent: true }, async (tx) => {
    const ids = possible.map((user) => user.id)
    const settings = await readSettings(tx, id, ids)
    const claimed: User[] = []
    for (const user of possible.filter((user) => settings.get(user.id)!.weekly_email))
      if (await claimNotice(tx, id, { kind: 'weekly_email', subject_id: user.id, day })) claimed.push(user)
    return claimed
  })
}

async function figuresOf(database: Database, account: Account, user: User, now: Date): Promise<WeekFigures> {
  const sees = visibleAssignees(user, account.users)
  const actor: Actor = { account_id: account.id, user_id: user.id, sees, via: 'command', via_id: null }
  const days = lastWeek(istDay(now))
  const byUser = await readUserReport(database, actor, days, now)
  const bySource = await readOriginReport(database, actor, days, { now, maxRows: maxSources })
  if (user.role !== 'Admin') return { byUser, bySource, silent: [], rejecting: [] }
  return readAsActor(database, actor, async (tx) => ({
    byUser,
    bySource,
    silent: (await deliveryFrequencies(tx, account.id)).filter((webhook) => isSilent(webhook, now)),
    rejecting: await rejectedByWebhook(tx, account.id, dateWindow(days, now)),
  }))
}

/** Monday to Sunday. */
function lastWeek(today: string) {
  const day = Temporal.PlainDate.from(today)
  const monday = day.subtract({ days: day.dayOfWeek + 6 })
  return { from_date: monday.toString(), to_date: monday.add({ days: 6 }).toString() }
}
