import { msg, plural } from '@lingui/core/runtime-macro'
import { findAccount, nameOfHiddenOwner } from '../../access/account/users.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { lockTurns } from '../../crm/distribution/lock-turns.ts'
import { listRules } from '../../crm/distribution/read-rules.ts'
import { changeOwner } from '../../crm/leads/change-owner.ts'
import { lockLead } from '../../crm/leads/store.ts'
import { claimedSummary } from '../../crm/timeline/summaries.ts'
import { asActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { istDay } from '../../platform/http/instants.ts'
import { HttpProblem, notFound } from '../../platform/http/problem.ts'
import type { Text } from '../../platform/languages/translate.ts'
import { endByClaim, findOffer } from './store.ts'

/** Makes the caller the owner of a lead that is offered to them. Of several callers, the first one gets it. */
export async function claimLead(database: Database, caller: WebCaller, leadId: string, now: Date): Promise<void> {
  const { account_id, user_id } = caller
  const actor = forWholeAccount(caller)
  const find = () => readAsActor(database, actor, (tx) => findOffer(tx, account_id, user_id, leadId))
  const offer = await find()
  if (!offer) throw notFound(msg`There is no such offer.`)
  if (!offer.is_open) throw await ended(database, account_id, offer.claimed_by)
  const rule = (await listRules(database, account_id)).find(({ id }) => id === offer.rule_id)
  const limit = rule?.daily_limit ?? null
  const isClaimed = await claim(database, caller, { leadId, ruleId: offer.rule_id, limit, now })
  if (!isClaimed) throw await ended(database, account_id, (await find())?.claimed_by ?? null)
  // The lead leaves the pages of the others, and is in the queue of its owner.
  database.announceToUsers(account_id, offer.offered_to)
}

/** Returns false if it is no longer offered. */
async function claim(
  database: Database,
  caller: WebCaller,
  { leadId, ruleId, limit, now }: { leadId: string; ruleId: string; limit: number | null; now: Date },
): Promise<boolean> {
  const { account_id, user_id, user } = caller
  const account = await findAccount(database, account_id)
  return asActor(database, forWholeAccount(caller), async (tx) => {
    const lead = await lockLead(tx, account_id, leadId)
    if (!lead || lead.assigned_to !== null || !(await endByClaim(tx, account_id, user_id, leadId))) return false
    if (limit !== null) {
      const turns = await lockTurns(tx, account_id, [ruleId])
      const turn = turns.take({ ruleId, people: [{ user_id, weight: 1 }], limit, day: istDay(now) })
      if (turn.user_id === null) throw limitReached(limit)
      await turns.save()
    }
    await changeOwner(tx, caller, { account, lead, userId: user_id, ruleId, summary: claimedSummary(user.name), now })
    return true
  })
}

const conflict = (message: Text) => new HttpProblem(409, 'CHANGED', message)

const limitReached = (limit: number) =>
  conflict(msg`You have reached the limit of ${plural({ limit }, { one: '# lead', other: '# leads' })} today.`)

async function ended(database: Database, accountId: string, claimedBy: string | null): Promise<HttpProblem> {
  if (claimedBy === null) return conflict(msg`This lead is no longer offered.`)
  const name = nameOfHiddenOwner(await findAccount(database, accountId), claimedBy)
  return conflict(name === null ? msg`A colleague has claimed this lead.` : msg`${{ name }} has claimed this lead.`)
}
