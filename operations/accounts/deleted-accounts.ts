import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { readErasedList } from '../backup/erased-list.ts'
import type { CheckedBackup } from '../backup/restore-backup.ts'

/**
 * A deleted account is on the list of deleted leads with its own id in place of a lead's, so that an older backup does not bring it back.
 */
export async function recordDeletion(tx: TransactionSql, accountId: string): Promise<void> {
  await tx`insert into erased_leads (account_id, lead_id, at) values (${accountId}, ${accountId}, clock_timestamp())
    on conflict (account_id, lead_id) do update set at = excluded.at`
}

/** Throws an error if the account was deleted after the backup was made, unless it may come back. */
export async function checkNotDeleted(
  sql: Sql,
  { file, manifest, lists }: Pick<CheckedBackup, 'file' | 'manifest' | 'lists'>,
  accountId: string,
  evenDeleted: boolean,
): Promise<void> {
  if (evenDeleted) return
  const [here] = await sql<{ at: Date }[]>`
    select at from erased_leads where account_id = ${accountId} and lead_id = ${accountId}`
  const times = here ? [new Date(here.at)] : []
  for (const list of lists)
    for await (const batch of readErasedList(list))
      for (const { account_id, lead_id, at } of batch)
        if (account_id === accountId && lead_id === accountId) times.push(new Date(at))
  const deleted = times.find((at) => at > new Date(manifest.created_at))
  if (!deleted) return
  throw new Error(
    `This account was deleted at ${deleted.toISOString()}, after ${file} was written. Nothing was changed: to bring it back, add --even-deleted.`,
  )
}
