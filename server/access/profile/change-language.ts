import { type Actor, changeAsActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import type { Language } from '../../platform/languages/contract.ts'

/** Changes the caller's own language. Row-level security on users asks for an actor that sees the whole account. */
export async function changeOwnLanguage(database: Database, actor: Actor & { user_id: string }, language: Language) {
  await changeAsActor(database, forWholeAccount(actor), async (tx) => {
    await tx`update users set language = ${language}, updated_at = ${new Date()}
      where account_id = ${actor.account_id} and id = ${actor.user_id}`
    // Emails and notifications use the cached account.
    await notifyDirectoryChanged(tx, actor.account_id)
  })
}
