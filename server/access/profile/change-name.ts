import { type Actor, changeAsActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { recordAudit } from '../audit/record.ts'

/** Changes the caller's own name. Row-level security on users asks for an actor that sees the whole account. */
export async function changeOwnName(database: Database, actor: Actor & { user_id: string }, name: string) {
  await changeAsActor(database, forWholeAccount(actor), async (tx) => {
    await tx`update users set name = ${name}, updated_at = ${new Date()}
      where account_id = ${actor.account_id} and id = ${actor.user_id}`
    await recordAudit(tx, actor, { action: 'user.changed', subject_id: actor.user_id, details: { name } })
    await notifyDirectoryChanged(tx, actor.account_id)
  })
}
