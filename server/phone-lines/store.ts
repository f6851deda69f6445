import { type Account, userByEmail } from '../account/users.ts'
import type { TransactionSql } from '../database/sql.ts'
import { cleanLine, exactness, lineKey } from './line-key.ts'

/** A call names few agents; a queue may ring more. */
const maxAgents = 50
const maxUnknown = 500
/** A line that was seen within this time is not written again, so that not every event updates it. */
const seenAgain = 3600_000

/**
 * Returns the users whom a telephone system means by `agents`, active or not, in their order. If none is known, the most exact agent
 * is listed as an unknown line, and returned as it was written. Call it as an actor that sees everything.
 */
export async function findLines(
  tx: TransactionSql,
  account: Account,
  agents: string[],
  now: Date,
): Promise<{ user_ids: string[]; agent: string | null }> {
  const named = agents.slice(0, maxAgents).flatMap((agent) => {
    const line = lineKey(agent, account.country)
    return line === null ? [] : [{ line, written: cleanLine(agent) }]
  })
  if (named.length === 0) return { user_ids: [], agent: null }
  const rows = await tx<{ line: string; written: string; user_id: string | null; seen_at: Date | null }[]>`
    select line, written, user_id, seen_at from phone_lines
    where account_id = ${account.id} and line = any (${named.map(({ line }) => line)})`
  const byLine = new Map(rows.map((row) => [row.line, row]))
  const userOf = (line: string) => byLine.get(line)?.user_id ?? userByEmail(account, line)?.id
  const user_ids = [...new Set(named.flatMap(({ line }) => userOf(line) ?? []))]
  if (user_ids.length > 0) return { user_ids, agent: null }
  const unknown = named.toSorted((one, other) => exactness(one.line) - exactness(other.line))[0]!
  const before = byLine.get(unknown.line)
  if (!before) await addUnknown(tx, account.id, unknown, now)
  else if (Number(now) - Number(before.seen_at) > seenAgain) {
    await tx`update phone_lines set seen_at = ${now}
      where account_id = ${account.id} and line = ${unknown.line} and user_id is null`
  }
  // As it was written first, so that all calls of the line have the same agent.
  return { user_ids, agent: before?.written ?? unknown.written }
}

/** Adds an unknown line, instead of those seen longest ago. */
async function addUnknown(
  tx: TransactionSql,
  accountId: string,
  { line, written }: { line: string; written: string },
  now: Date,
): Promise<void> {
  await tx`delete from phone_lines where account_id = ${accountId} and user_id is null and line in (
      select line from phone_lines where account_id = ${accountId} and user_id is null
      order by seen_at desc, line offset ${maxUnknown - 1})`
  await tx`insert into phone_lines (account_id, line, written, seen_at, added_at)
    values (${accountId}, ${line}, ${written}, ${now}, ${now}) on conflict do nothing`
}
