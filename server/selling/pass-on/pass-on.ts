import { type Account, findAccount } from '../../access/account/users.ts'
import { hoursOf } from '../../crm/availability/availability.ts'
import { afterWorkingMinutes } from '../../crm/availability/hours.ts'
import { lockTurns } from '../../crm/distribution/lock-turns.ts'
import { listRules } from '../../crm/distribution/read-rules.ts'
import { changeOwner } from '../../crm/leads/change-owner.ts'
import type { LockedLead } from '../../crm/leads/lead.ts'
import { lockLead } from '../../crm/leads/store.ts'
import { workOffDue } from '../../crm/leads/work-off-due.ts'
import { passedOnSummary } from '../../crm/timeline/summaries.ts'
import { accountActor, asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { repeat } from '../../platform/database/repeat.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { istDay } from '../../platform/http/instants.ts'
import { passOnUnclaimed } from '../offers/pass-on-unclaimed.ts'
import { maxWaitMs, nextPassOn, type PassOnStep } from './next-pass-on.ts'
import { claimDue, dueLeads, endPassOn, postpone, readWaiting } from './store.ts'

const every = 10_000

/** Passes on new leads of all accounts that their owners did not call in time, and those that no user claimed. */
export function passOnContinuously(database: Database, clock: () => Date, onError: (error: unknown) => void) {
  const loops = [passOnDue, passOnUnclaimed].map((work) =>
    repeat((signal) => work(database, clock, signal), { every, watch: database.watch, onError }),
  )
  return { stop: () => Promise.all(loops.map((one) => one.stop())) }
}

export function passOnDue(database: Database, clock: () => Date, signal?: AbortSignal): Promise<void> {
  const step = (accountId: string, leadId: string, now: Date) => passOn(database, accountId, leadId, now)
  return workOffDue(database, { table: 'pass_ons', clock, signal, due: dueLeads, step })
}

/** Returns false if another process has the lead. */
async function passOn(database: Database, accountId: string, leadId: string, now: Date): Promise<boolean> {
  const actor = accountActor(accountId)
  const account = await findAccount(database, accountId)
  const rules = await listRules(database, accountId)
  return asActor(database, actor, async (tx) => {
    if (!(await claimDue(tx, accountId, leadId, now))) return false
    const lead = await lockLead(tx, accountId, leadId)
    const waiting = await readWaiting(tx, accountId, leadId, now)
    const step: PassOnStep = waiting ? nextPassOn(waiting, { account, rules, now }) : { do: 'end' }
    if (step.do === 'end') await endPassOn(tx, accountId, leadId)
    else if (step.do === 'wait') await postpone(tx, accountId, leadId, step.until)
    else await passOnTo(tx, { account, lead: lead!, step, now })
    return true
  })
}

interface Passing {
  account: Account
  lead: LockedLead
  step: Extract<PassOnStep, { do: 'pass on' }>
  now: Date
}

async function passOnTo(tx: TransactionSql, { account, lead, step: { rule, to, since }, now }: Passing): Promise<void> {
  const turns = await lockTurns(tx, account.id, [rule.id])
  const { user_id, people } = turns.take({ ruleId: rule.id, people: to, limit: rule.daily_limit, day: istDay(now) })
  if (user_id === null) return postpone(tx, account.id, lead.id, new Date(now.getTime() + maxWaitMs))
  // It does not count for the user who loses it, and changes nothing for those who are away.
  const shared = rule.people.filter(
    (one) => one.user_id === lead.assigned_to || people.some((taking) => taking.user_id === one.user_id),
  )
  const day = rule.daily_limit === null ? null : istDay(since)
  turns.giveBack(rule.id, { people: shared, user_id: lead.assigned_to!, day })
  await turns.save()
  await giveTo(tx, { account, lead, userId: user_id, rule, now })
}

interface Given {
  account: Account
  lead: LockedLead
  userId: string
  rule: { id: string; name: string; pass_on_after: number }
  now: Date
}

async function giveTo(tx: TransactionSql, { account, lead, userId, rule, now }: Given): Promise<void> {
  const nameOf = (id: string | null) => account.users.find((user) => user.id === id)?.name ?? ''
  const by = { rule: rule.name, minutes: rule.pass_on_after }
  const owner = account.users.find(({ id }) => id === userId)!
  const due_at = afterWorkingMinutes(now, rule.pass_on_after, hoursOf(account, owner))
  await changeOwner(tx, accountActor(account.id), {
    account,
    lead,
    userId,
    ruleId: rule.id,
    isPassedOn: true,
    passOn: { rule_id: rule.id, due_at },
    summary: passedOnSummary(nameOf(lead.assigned_to), nameOf(userId), by),
    now,
  })
}
