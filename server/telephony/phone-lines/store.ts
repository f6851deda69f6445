import { type Account, userByEmail } from '../../access/account/users.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { UserPhoneLine } from './contract.ts'
import { cleanPhoneLine, exactness, lineKey } from './line-key.ts'

/** A call names few agents; a queue may ring more. */
const maxAgents = 50
export const maxUnknown = 500
/** A line that was seen within this time is not written again, so that not every event updates it. */
const seenAgain = 3600_000

/**
 * Returns the users that a telephone system names by `agents`, active or not, in their order. If none is known, the most exact agent
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
    return line === null ? [] : [{ line, written: cleanPhoneLine(agent) }]
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

/** Pending ones too. */
export async function countLinesOf(tx: TransactionSql, accountId: string, userId: string): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select ((select count(*) from phone_lines where account_id = ${accountId} and user_id = ${userId})
      + (select count(*) from pending_phone_lines where account_id = ${accountId} and user_id = ${userId}))::integer as n`
  return row!.n
}

/** A line of a user that counts. */
export interface ConfirmedLine extends UserPhoneLine {
  added_at: Date
}

/** Returns a line of a user, or an unknown one, locked. */
export async function lockLine(
  tx: TransactionSql,
  accountId: string,
  line: string,
): Promise<(Omit<ConfirmedLine, 'user_id'> & { user_id: string | null }) | null> {
  const [row] = await tx<(Omit<ConfirmedLine, 'user_id'> & { user_id: string | null })[]>`
    select line, written, user_id, added_at from phone_lines where account_id = ${accountId} and line = ${line} for update`
  return row ?? null
}

/** Returns what waits for an Admin: of all users, or of one, oldest first. */
export function listPendingLines(tx: TransactionSql, accountId: string, userId?: string) {
  return tx<(UserPhoneLine & { added_at: Date })[]>`select line, written, user_id, added_at from pending_phone_lines
    where account_id = ${accountId} ${userId === undefined ? tx`` : tx`and user_id = ${userId}`}
    order by added_at, line, user_id`
}

/** Returns the lines of all users, or of one. */
export function listUserLines(tx: TransactionSql, accountId: string, userId?: string): Promise<ConfirmedLine[]> {
  return tx<ConfirmedLine[]>`select line, written, user_id, added_at from phone_lines
    where account_id = ${accountId} and ${userId === undefined ? tx`user_id is not null` : tx`user_id = ${userId}`}
    order by added_at, line`
}

/** Returns the unknown lines, seen last first, with their calls since a time. */
export async function listUnknownLines(
  tx: TransactionSql,
  accountId: string,
  since: Date,
): Promise<{ line: string; written: string; seen_at: Date; calls: number }[]> {
  const lines = await tx<{ line: string; written: string; seen_at: Date }[]>`
    select line, written, seen_at from phone_lines where account_id = ${accountId} and user_id is null
    order by seen_at desc, line limit ${maxUnknown}`
  if (lines.length === 0) return []
  const counts = await tx<{ agent: string; n: number }[]>`select agent, count(*)::integer as n from call_logs
    where account_id = ${accountId} and agent = any (${lines.map(({ written }) => written)}) and called_at >= ${since}
    group by agent`
  const callsOf = new Map(counts.map(({ agent, n }) => [agent, n]))
  return lines.map((line) => ({ ...line, calls: callsOf.get(line.written) ?? 0 }))
}

/** What one connection changes at most, newest first. */
export const maxConnected = 10_000
const maxOpenCalls = 1000

/** Connects the calls of an agent to a user: those without a user, and those under way. Returns how many calls are logged. */
export async function connectCalls(
  tx: TransactionSql,
  account: Account,
  { line, written, user_id }: { line: string; written: string; user_id: string },
): Promise<number> {
  const connected = await tx`update call_logs set called_by = ${user_id}
    where account_id = ${account.id} and id in (
      select id from call_logs where account_id = ${account.id} and agent = ${written} and called_by is null
      order by called_at desc limit ${maxConnected})`
  const open = (await openCallsOf(tx, account, line)).map(({ id }) => id)
  if (open.length > 0) {
    await tx`update phone_calls set user_ids = array_append(user_ids, ${user_id}::uuid)
      where account_id = ${account.id} and state <> 'ended' and id = any (${open})
        and ${user_id}::uuid <> all (user_ids)`
  }
  return connected.count
}

interface OpenCall {
  id: string
  lead_id: string | null
  agents: string[] | null
}

/** Returns the calls under way that name a line. */
export async function openCallsOf(tx: TransactionSql, account: Account, line: string): Promise<OpenCall[]> {
  const open = await tx<OpenCall[]>`
    select id, lead_id, facts->'agents'->'value' as agents from phone_calls
    where account_id = ${account.id} and state <> 'ended' order by changed_at desc limit ${maxOpenCalls}`
  return open.filter(({ agents }) => agents?.some((agent) => lineKey(agent, account.country) === line))
}
