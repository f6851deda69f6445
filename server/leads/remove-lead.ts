import { recordAudit } from '../audit/record.ts'
import { type Actor, actAs, asActor, forWholeAccount } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { notFound } from '../http/problem.ts'
import { deleteLead, lockLead } from './store.ts'

/** Deletes a lead that the actor sees, for good, with all that hangs on it (D14). */
export async function removeLead(database: Database, actor: Actor, id: string): Promise<void> {
  await asActor(database, actor, async (tx) => {
    const lead = await lockLead(tx, actor.account_id, id)
    if (!lead) throw notFound('There is no such lead.')
    await actAs(tx, forWholeAccount(actor))
    await deleteLead(tx, actor.account_id, lead)
    await recordAudit(tx, actor, 'lead.deleted', id)
  })
}
