import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { type ErasedLead, readErasedList } from '../backup/erased-list.ts'
import { deleteRows } from './delete-rows.ts'

// A deleted account is on the list of deleted leads, with its own id in place of a lead's. Earlier versions find no such lead.

export const deletionOf = (accountId: string): ErasedLead => ({
  at: new Date().toISOString(),
  account_id: accountId,
  lead_id: accountId,
})

export async function recordDeletion(sql: Sql | TransactionSql, { account_id, at }: ErasedLead): Promise<void> {
  await sql`insert into erased_leads (account_id, lead_id, at) values (${account_id}, ${account_id}, ${new Date(at)})
    on conflict (account_id, lead_id) do update set at = excluded.at`
}

/** A file that was read completely, with when it was written and the lists beside it. */
interface Saved {
  file: string
  manifest: { created_at: string }
  lists: string[]
}

/** Throws an error if the account was deleted after the backup was made, unless it may come back. */
export async function checkNotDeleted(
  sql: Sql,
  { file, manifest, lists }: Saved,
  { accountId, evenDeleted }: { accountId: string; evenDeleted: boolean },
): Promise<void> {
  if (evenDeleted) return
  const here = await sql<{ at: Date }[]>`
    select at from erased_leads where account_id = ${accountId} and lead_id = ${accountId}`
  const times = here.map(({ at }) => new Date(at))
  for await (const { account_id, at } of deletionsIn(lists)) if (account_id === accountId) times.push(new Date(at))
  const deleted = times.find((at) => at > new Date(manifest.created_at))
  if (!deleted) return
  throw new Error(
    `This account was deleted at ${deleted.toISOString()}, after ${file} was written. Nothing was changed: to bring it back, add --even-deleted.`,
  )
}

/**
 * Deletes the accounts again that were deleted after `restoredTo`, or were being deleted, and returns their names. One that was brought back
 * later stays, if the restored state is from then.
 */
export async function deleteAgain(tx: TransactionSql, lists: string[], restoredTo: Date): Promise<string[]> {
  const names: string[] = []
  for await (const deletion of deletionsIn(lists)) {
    const [account] = await tx<{ name: string }[]>`select name from accounts
      where id = ${deletion.account_id} and (closed_for = 'delete' or ${new Date(deletion.at)} > ${restoredTo})`
    if (!account) continue
    await deleteRows(tx, deletion.account_id)
    await recordDeletion(tx, deletion)
    names.push(account.name)
  }
  return names
}

async function* deletionsIn(lists: string[]): AsyncGenerator<ErasedLead> {
  for (const list of lists)
    for await (const batch of readErasedList(list))
      yield* batch.filter(({ account_id, lead_id }) => lead_id === account_id)
}
