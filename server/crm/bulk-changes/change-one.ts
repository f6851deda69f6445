import type { Account } from '../../access/account/users.ts'
import { type Actor, actAs, forWholeAccount } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantOrNull, instantText, readInstant, wholeSecond } from '../../platform/http/instants.ts'
import { HttpProblem } from '../../platform/http/problem.ts'
import { changedTags, changeLeadIn } from '../leads/change-lead.ts'
import type { WantedNextStep } from '../leads/change-next-step.ts'
import type { LeadFields } from '../leads/lead.ts'
import type { NextStep } from '../leads/next-step.ts'
import { eraseLead, lockToErase } from '../leads/remove-lead.ts'
import { closingOf, lockLead, nextStepOf } from '../leads/store.ts'
import type { BatchLead, StoredChange, Values } from './store.ts'

interface Context {
  account: Account
  /** The name of the user. */
  by: string
  at: Date
}

export type Result = 'unchanged' | 'skipped' | { previous: Values; written: Values }

/** Changes one lead as a user changes it by hand. A lead that is gone, not visible or does not accept the change is skipped. */
export async function changeOne(
  tx: TransactionSql,
  actor: Actor,
  change: Omit<StoredChange, 'assign_to'> & { assign_to: string | null | undefined },
  { lead_id: id }: BatchLead,
  { account, by, at }: Context,
): Promise<Result> {
  const before = await lockLead(tx, actor.account_id, id)
  if (!before) return 'skipped'
  const { status = before.status, priority = before.priority, add_tags = [], remove_tags = [] } = change
  const { assign_to: assigned_to = before.assigned_to } = change
  let after: LeadFields = before
  const fields = (lead: LeadFields) => {
    after = { ...lead, status, priority, assigned_to, tags: changedTags(lead.tags, add_tags, remove_tags) }
    return after
  }
  const { call_again_at, lost_reason } = change
  const again = typeof call_again_at === 'string' ? wholeSecond(readInstant(call_again_at)) : call_again_at
  const changed = await unlessRejected(() =>
    changeLeadIn(tx, actor, {
      account,
      id,
      change: { fields, call_again_at: again, lost_reason, by, at, isOneOfMany: true },
    }),
  )
  if (changed === null) return 'skipped'
  const names = Object.keys(changed)
  if (names.length === 0) return 'unchanged'
  const previous: Values = { ...pick(before, names), ...pickTags(before.tags, after.tags) }
  const written: Values = { ...pick(after, names), ...pickTags(after.tags, before.tags) }
  if (changed.call_again_at !== undefined) {
    previous.call_again_at = changed.call_again_at
    written.call_again_at = again ? instantText(again) : null
  }
  if (changed.no_next_step !== undefined) {
    previous.no_next_step = changed.no_next_step
    written.no_next_step = null
  }
  if (changed.lost_reason !== undefined) {
    previous.lost_reason = changed.lost_reason
    written.lost_reason = lost_reason ?? null
  }
  return { previous, written }
}

/** Restores the fields that still have the values of the bulk change. Returns whether these are all. */
export async function undoOne(
  tx: TransactionSql,
  actor: Actor,
  { lead_id: id, previous, written }: BatchLead,
  { account, by, at }: Context,
): Promise<boolean> {
  const lead = await lockLead(tx, actor.account_id, id)
  if (!lead || !previous || !written) return false
  const restored: Partial<LeadFields> = {}
  let isWhole = true
  if (written.status !== undefined && lead.status === written.status) restored.status = previous.status!
  else if (written.status !== undefined) isWhole = false
  if (written.priority !== undefined && lead.priority === written.priority) restored.priority = previous.priority!
  else if (written.priority !== undefined) isWhole = false
  if (written.assigned_to !== undefined) {
    const isStill = lead.assigned_to === written.assigned_to && isOwner(account, previous.assigned_to ?? null)
    if (isStill) restored.assigned_to = previous.assigned_to ?? null
    else isWhole = false
  }
  if (written.tags !== undefined && previous.tags !== undefined) {
    const isStill =
      written.tags.every((tag) => lead.tags.includes(tag)) && previous.tags.every((tag) => !lead.tags.includes(tag))
    if (isStill) restored.tags = [...lead.tags.filter((tag) => !written.tags!.includes(tag)), ...previous.tags]
    else isWhole = false
  }
  const hasStep = written.call_again_at !== undefined || written.no_next_step !== undefined
  const step = hasStep ? stepToRestore(await nextStepOf(tx, actor.account_id, id), previous, written) : null
  if (step && !step.isWhole) isWhole = false
  const fields = (held: LeadFields) => ({ ...held, ...restored })
  let reason = restored.status === 'Lost' ? previous.lost_reason : undefined
  if (written.status === undefined && written.lost_reason !== undefined) {
    const now = await closingOf(tx, actor.account_id, id)
    if (lead.status === 'Lost' && now.lost_reason === written.lost_reason) reason = previous.lost_reason
    else isWhole = false
  }
  // One that is no longer offered would be rejected.
  const lost_reason = reason && !account.lostReasons.includes(reason) ? undefined : reason
  const change = { fields, ...step?.wanted, lost_reason, by, at, isOneOfMany: true }
  const done = await unlessRejected(() => changeLeadIn(tx, actor, { account, id, change }))
  return done !== null && isWhole
}

function stepToRestore(now: NextStep, previous: Values, written: Values): { wanted: WantedNextStep; isWhole: boolean } {
  const wanted: WantedNextStep = {}
  let isWhole = true
  if (written.call_again_at !== undefined) {
    if (instantOrNull(now.call_again_at) === written.call_again_at && !now.no_next_step)
      wanted.call_again_at = previous.call_again_at ? readInstant(previous.call_again_at) : null
    else isWhole = false
  }
  if (written.no_next_step !== undefined) {
    const isPlanned = now.call_again_at !== null || now.no_next_step !== null
    if (!isPlanned || wanted.call_again_at === null) wanted.no_next_step = previous.no_next_step ?? null
    else isWhole = false
  }
  return { wanted, isWhole }
}

/** Permanently deletes a lead, and returns whether the actor saw one. `forgotten` is called if settings of a webhook contained the person. */
export async function deleteOne(
  tx: TransactionSql,
  actor: Actor,
  { lead_id: id }: BatchLead,
  { account }: Context,
  forgotten: () => void,
): Promise<boolean> {
  const lead = await lockToErase(tx, actor, id, account.country)
  if (!lead) return false
  await actAs(tx, forWholeAccount(actor))
  if (await eraseLead(tx, actor, lead, account.country)) forgotten()
  await actAs(tx, actor)
  return true
}

/** Returns null if the lead does not accept the change. It is checked before anything is written. */
async function unlessRejected<T>(change: () => Promise<T>): Promise<T | null> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof HttpProblem) return null
    throw error
  }
}

const isOwner = ({ users }: Account, id: string | null) =>
  id === null || users.some((user) => user.id === id && user.active)

function pick({ status, priority, assigned_to }: LeadFields, names: string[]): Values {
  const values = { status, priority, assigned_to }
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

function pickTags(tags: string[], others: string[]): Values {
  if (tags.join('\n') === others.join('\n')) return {}
  return { tags: tags.filter((tag) => !others.includes(tag)) }
}
