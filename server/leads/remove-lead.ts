import { accountOf } from '../account/users.ts'
import { recordAudit } from '../audit/record.ts'
import { type Actor, actAs, asActor, forWholeAccount } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { notFound } from '../http/problem.ts'
import { erasePerson } from './erase-person.ts'
import { deleteLead, lockLead } from './store.ts'

/** Permanently deletes a lead that the actor sees, with all data of its person. */
export async function removeLead(database: Database, actor: Actor, id: string): Promise<void> {
  const { country } = await accountOf(database, actor.account_id)
  const forgetSettings = await asActor(database, actor, async (tx) => {
    const lead = await lockLead(tx, actor.account_id, id)
    if (!lead) throw notFound('No lead with this id.')
    await actAs(tx, forWholeAccount(actor))
    const inSettings = await erasePerson(tx, actor.account_id, lead, country)
    await deleteLead(tx, actor.account_id, lead)
    await recordAudit(tx, actor, 'lead.deleted', id)
    return inSettings
  })
  if (forgetSettings) database.cache.invalidate(actor.account_id)
}
