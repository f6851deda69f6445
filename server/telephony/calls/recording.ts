import type { TransactionSql } from '../../platform/database/sql.ts'

/** Returns the URL of a call's recording; null if the actor sees no such call, or it has none that a browser opens. */
export async function findRecording(tx: TransactionSql, accountId: string, id: string): Promise<string | null> {
  const [call] = await tx<{ recording_url: string | null }[]>`
    select recording_url from call_logs where account_id = ${accountId} and id = ${id}`
  const url = URL.parse(call?.recording_url ?? '')
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : null
}
