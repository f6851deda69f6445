import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import { findAccount } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, actAs, asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { notFound } from '../../platform/http/problem.ts'
import { erasePerson, lockPerson } from './erase-person.ts'
import type { LockedLead } from './lead.ts'
import { mergedIdsOf } from './merged-leads.ts'
import { deleteLead, findLead, lockLead } from './store.ts'

/** Permanently deletes a lead that the actor sees, with all data of its person. */
export async function removeLead(database: Database, actor: Actor, id: string): Promise<void> {
  const { country } = await findAccount(database, actor.account_id)
  const forgetSettings = await asActor(database, actor, async (tx) => {
    const lead = await lockToErase(tx, actor, id, country)
    if (!lead) throw notFound(msg`No lead with this id.`)
    await actAs(tx, forWholeAccount(actor))
    return eraseLead(tx, actor, lead, country)
  })
  if (forgetSettings) database.cache.invalidate(actor.account_id)
}

/** Locks a lead that is deleted, with all that its erasure changes; null if the actor sees none. */
export async function lockToErase(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  country: CountryCode,
): Promise<LockedLead | null> {
  const lead = await findLead(tx, actor.account_id, id)
  if (!lead) return null
  await actAs(tx, forWholeAccount(actor))
  await lockPerson(tx, actor.account_id, { lead, merged: await mergedIdsOf(tx, actor.account_id, id), country })
  await actAs(tx, actor)
  return lockLead(tx, actor.account_id, id)
}

/** Deletes a locked lead with all data of its person. Returns whether settings of a webhook contained the person. */
export async function eraseLead(
  tx: TransactionSql,
  actor: Actor,
  lead: LockedLead,
  country: CountryCode,
): Promise<boolean> {
  const merged = await mergedIdsOf(tx, actor.account_id, lead.id)
  const inSettings = await erasePerson(tx, actor.account_id, { lead, merged, country })
  await dropLead(tx, actor, lead, merged)
  return inSettings
}

/** Deletes a locked lead, and keeps its id and those of leads that were merged into it, so that no backup brings it back. */
export async function dropLead(tx: TransactionSql, actor: Actor, lead: LockedLead, merged: string[]): Promise<void> {
  await deleteLead(tx, actor.account_id, lead)
  for (const id of [lead.id, ...merged])
    await tx`insert into erased_leads (account_id, lead_id, at)
      values (${actor.account_id}, ${id}, clock_timestamp()) on conflict do nothing`
  await recordAudit(tx, actor, { action: 'lead.deleted', subject_id: lead.id })
}
