import { type Account, findAccount } from '../../access/account/users.ts'
import { absenceAt, hoursOf } from '../../crm/availability/availability.ts'
import { afterWorkingMinutes } from '../../crm/availability/hours.ts'
import { assign, rulesToAsk } from '../../crm/distribution/assign.ts'
import {
  type Assignment,
  chooseAssignees,
  type DistributionRule,
  type Full,
} from '../../crm/distribution/choose-assignee.ts'
import { lockTurns } from '../../crm/distribution/lock-turns.ts'
import { listRules } from '../../crm/distribution/read-rules.ts'
import { readEnquiryValues } from '../../crm/distribution/store.ts'
import { changeOwner } from '../../crm/leads/change-owner.ts'
import type { LockedLead } from '../../crm/leads/lead.ts'
import { lockLead } from '../../crm/leads/store.ts'
import { workOffDue } from '../../crm/leads/work-off-due.ts'
import type { PassOn } from '../../crm/leads/write-leads.ts'
import { recordOnTimeline } from '../../crm/timeline/record.ts'
import { unclaimedSummary } from '../../crm/timeline/summaries.ts'
import { accountActor, asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { istDay, wholeSecond } from '../../platform/http/instants.ts'
import { type DueOffer, dueOffers, endOffer, lockDueOffer, offerAgain } from './store.ts'

/** Passes leads that no user has claimed in time on to the next rule of their accounts. */
export function passOnUnclaimed(database: Database, clock: () => Date, signal?: AbortSignal): Promise<void> {
  const step = (accountId: string, leadId: string, now: Date) => passOn(database, accountId, leadId, now)
  return workOffDue(database, { table: 'lead_offers', clock, signal, due: dueOffers, step })
}

/** Returns false if another process has the lead, or has passed it on. */
async function passOn(database: Database, accountId: string, leadId: string, now: Date): Promise<boolean> {
  const account = await findAccount(database, accountId)
  const rules = await listRules(database, accountId)
  const offer = await asActor(database, accountActor(accountId), async (tx) => {
    const due = await lockDueOffer(tx, accountId, leadId, now)
    const lead = due && (await lockLead(tx, accountId, leadId))
    if (!lead) return null
    if (lead.assigned_to !== null) {
      await endOffer(tx, accountId, leadId)
      return null
    }
    const target = await takeTarget(tx, { account, rules, offer: due, lead, now })
    const minutes = rules.find(({ id }) => id === due.rule_id)?.pass_on_after ?? null
    await moveTo(tx, { account, lead, target, minutes, now })
    return due
  })
  if (offer) database.announceToUsers(accountId, offer.offered_to)
  return offer !== null
}

/** Where the lead goes. */
interface Target {
  assignment: Assignment | null
  userId: string | null
  offeredTo: string[] | null
}

interface Unclaimed {
  account: Account
  rules: DistributionRule[]
  offer: DueOffer
  lead: LockedLead
  now: Date
}

async function takeTarget(tx: TransactionSql, { account, rules, offer, lead, now }: Unclaimed): Promise<Target> {
  // Those before the rule did not match, or had no user for the lead.
  const further = rules.slice(rules.findIndex(({ id }) => id === offer.rule_id) + 1)
  const enquiry = await readEnquiryValues(tx, account.id, lead.id)
  const toAssign = { ...lead, ...enquiry, webhook_id: offer.webhook_id }
  const choose = (full?: Full) => chooseAssignees(further, toAssign, account, now, full)
  const choice = { assignment: choose(), choose, day: istDay(now), isOffered: true }
  const turns = await lockTurns(tx, account.id, rulesToAsk(choice))
  const { assignment, user_id, offered_to } = assign(choice, turns.take)
  await turns.save()
  const userId = user_id ?? (offered_to === null ? ownerWithoutRule(account, offer, now) : null)
  return { assignment, userId, offeredTo: offered_to }
}

/** Returns the fallback owner of the account, or else who would own the lead without rules. */
function ownerWithoutRule({ users, fallbackOwner }: Account, { otherwise }: DueOffer, now: Date): string | null {
  const fallback = users.find(({ id, active }) => id === fallbackOwner && active)
  if (fallback && absenceAt(fallback, now) === null) return fallback.id
  return users.find(({ id, active }) => id === otherwise && active)?.id ?? null
}

interface Move {
  account: Account
  lead: LockedLead
  target: Target
  /** How long it was offered. */
  minutes: number | null
  now: Date
}

async function moveTo(tx: TransactionSql, { account, lead, target, minutes, now }: Move): Promise<void> {
  const { assignment, userId, offeredTo } = target
  const rule = assignment && (userId !== null || offeredTo !== null) ? assignment.rule : null
  const owner = account.users.find(({ id }) => id === userId)
  const summary = unclaimedSummary({
    minutes,
    to: owner?.name ?? null,
    rule: assignment && !assignment.byFallback && assignment.people.length > 0 ? assignment.rule.name : null,
    offeredTo: offeredTo?.length ?? 0,
    because: assignment?.because ?? '',
  })
  const ruleId = rule?.id ?? null
  if (!owner) {
    const details = { changes: [], passed_on: true, ...(ruleId === null ? {} : { rule_id: ruleId }) }
    const entry = { at: now, kind: 'changed', summary, details } as const
    await recordOnTimeline(tx, { account_id: account.id, id: lead.id, assigned_to: null }, entry)
    if (rule && offeredTo) {
      const due = afterWorkingMinutes(now, rule.pass_on_after ?? 1, account.workingHours)
      await offerAgain(tx, account.id, lead.id, { ruleId: rule.id, offeredTo, at: wholeSecond(now), due })
    } else await endOffer(tx, account.id, lead.id)
    return
  }
  await changeOwner(tx, accountActor(account.id), {
    account,
    lead,
    userId: owner.id,
    ruleId,
    isPassedOn: true,
    passOn: assignment && rule && !assignment.byFallback ? passOnOf({ account, lead, owner, rule, now }) : null,
    summary,
    now,
  })
}

interface Given {
  account: Account
  lead: LockedLead
  owner: Account['users'][number]
  rule: Pick<DistributionRule, 'id' | 'pass_on_after'>
  now: Date
}

/** The rule that assigned it may pass it on. */
function passOnOf({ account, lead, owner, rule, now }: Given): PassOn | null {
  if (rule.pass_on_after === null || lead.status !== 'New') return null
  return { rule_id: rule.id, due_at: afterWorkingMinutes(now, rule.pass_on_after, hoursOf(account, owner)) }
}
