import { setTimeout as pause } from 'node:timers/promises'
import { type Account, findAccount } from '../account/users.ts'
import { hoursOf } from '../availability/availability.ts'
import { afterWorkingMinutes } from '../availability/hours.ts'
import { accountActor, asActor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import type { TransactionSql } from '../database/sql.ts'
import { listRules } from '../distribution/read-rules.ts'
import { returnAssignee, takeAssignee } from '../distribution/round-robin.ts'
import { istDay, wholeSecond } from '../http/instants.ts'
import { changeOwner } from '../leads/change-owner.ts'
import type { LockedLead } from '../leads/lead.ts'
import { lockLead } from '../leads/store.ts'
import { workOffDue } from '../leads/work-off-due.ts'
import { passOnUnclaimed } from '../offers/pass-on-unclaimed.ts'
import { passedOnSummary } from '../timeline/summaries.ts'
import { longestWait, nextPassOn, type PassOnStep } from './next-pass-on.ts'
import { claimDue, dueLeads, endPassOn, postpone, readWaiting, startAgain } from './store.ts'

const every = 10_000

/** Passes on new leads of all accounts that their owners did not call in time, and those that no user claimed. */
export function passOnContinuously(database: Database, clock: () => Date, onError: (error: unknown) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  async function run() {
    while (!signal.aborted) {
      await pause(every, undefined, { ref: false, signal }).catch(() => {})
      if (signal.aborted || database.watch?.away) continue
      for (const work of [passOnDue, passOnUnclaimed])
        await work(database, clock, signal).catch((error) => void (isAway(error) || onError(error)))
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

export function passOnDue(database: Database, clock: () => Date, signal?: AbortSignal): Promise<void> {
  const step = (accountId: string, leadId: string, now: Date) => passOn(database, accountId, leadId, now)
  return workOffDue(database, { table: 'pass_ons', clock, signal, due: dueLeads, step })
}

/** Returns false if another process has the lead. */
async function passOn(database: Database, accountId: string, leadId: string, now: Date): Promise<boolean> {
  const actor = accountActor(accountId)
  const account = await findAccount(database, accountId)
  const surroundings = { account, rules: await listRules(database, accountId), now }
  const decide = async (tx: TransactionSql): Promise<PassOnStep> => {
    const waiting = await readWaiting(tx, accountId, leadId, now)
    return waiting ? nextPassOn(waiting, surroundings) : { do: 'end' }
  }
  // Taken before the transaction, because other leads take theirs meanwhile.
  const planned = await readAsActor(database, actor, decide)
  const turn =
    planned.do === 'pass on'
      ? await takeAssignee(database, actor, {
          ruleId: planned.rule.id,
          people: planned.to,
          limit: planned.rule.daily_limit,
          day: istDay(now),
        })
      : null
  const taken = turn?.user_id ?? null
  let before: string | null = null
  let isClaimed = false
  try {
    before = await asActor(database, taken === null ? { ...actor, silent: true } : actor, async (tx) => {
      isClaimed = await claimDue(tx, accountId, leadId, now)
      const lead = isClaimed ? await lockLead(tx, accountId, leadId) : null
      if (!lead) return null
      const step = await decide(tx)
      const isFull = turn !== null && taken === null
      if (step.do === 'pass on' && isFull) await postpone(tx, accountId, leadId, new Date(now.getTime() + longestWait))
      if (step.do === 'end') await endPassOn(tx, accountId, leadId)
      if (step.do === 'wait') await postpone(tx, accountId, leadId, step.until)
      // What has changed since it was planned is looked at again in the next round.
      if (step.do !== 'pass on' || !taken || !step.to.some(({ user_id }) => user_id === taken)) return null
      await giveTo(tx, { account, lead, userId: taken, rule: step.rule, now })
      return lead.assigned_to
    })
  } finally {
    if (planned.do === 'pass on' && turn && taken && before === null)
      await returnAssignee(database, actor, { ruleId: planned.rule.id, ...turn }, taken)
  }
  // It does not count for the user who lost it, and changes nothing for those who are away.
  if (planned.do === 'pass on' && turn && before !== null) {
    const people = planned.rule.people.filter(
      (one) => one.user_id === before || turn.people.some(({ user_id }) => user_id === one.user_id),
    )
    await returnAssignee(
      database,
      actor,
      { ruleId: planned.rule.id, people, day: turn.day && istDay(planned.since) },
      before,
    )
  }
  return isClaimed
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
  await changeOwner(tx, accountActor(account.id), {
    account,
    lead,
    userId,
    ruleId: rule.id,
    isPassedOn: true,
    summary: passedOnSummary(nameOf(lead.assigned_to), nameOf(userId), by),
    now,
  })
  const owner = account.users.find(({ id }) => id === userId)!
  const due = afterWorkingMinutes(now, rule.pass_on_after, hoursOf(account, owner))
  await startAgain(tx, account.id, lead.id, { userId, since: wholeSecond(now), due })
}
