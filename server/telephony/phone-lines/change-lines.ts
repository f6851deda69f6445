import { msg } from '@lingui/core/runtime-macro'
import { type Account, userByEmail } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { isContactOfLead, lockContacts } from '../../crm/leads/store.ts'
import { maySee } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import type { AddedPhoneLine } from './contract.ts'
import { cleanPhoneLine, lineKey } from './line-key.ts'
import { connectCalls, countLinesOf, lockLine } from './store.ts'
import { takeBack } from './take-back.ts'

export const maxLinesOfUser = 20

interface NewLine {
  line: string
  user_id: string
}

/**
 * Gives a line to a user, with the calls of the same agent that no known user made. If the caller is no Admin, it waits until an Admin adds
 * it for the same user. Call it as an actor that sees everything.
 */
export async function addLine(
  tx: TransactionSql,
  caller: WebCaller,
  account: Account,
  { line: text, user_id }: NewLine,
  now: Date,
): Promise<AddedPhoneLine> {
  const line = lineKey(text, account.country)
  if (line === null) throw invalid(msg`${{ field: 'line' }} is required.`, 'line')
  // Locked, so that two requests at once do not exceed the limit.
  const [user] = await tx<{ name: string }[]>`select name from users
    where account_id = ${account.id} and id = ${user_id} for no key update`
  if (!user) throw invalid(msg`${{ field: 'user_id' }} must be a user of the account.`, 'user_id')
  const byEmail = userByEmail(account, line)
  if (byEmail && byEmail.id !== user_id) throw lineTaken(caller, line, byEmail)
  await lockContacts(tx, account.id, [line])
  if (await isContactOfLead(tx, account.id, line)) {
    throw invalid(msg`${{ line }} is a contact of a lead. Remove it from the lead first, or enter another one.`, 'line')
  }
  const isConfirmed = caller.user.role === 'Admin'
  const wasPending = isConfirmed && (await removePending(tx, account.id, line, user_id)) !== null
  if ((await countLinesOf(tx, account.id, user_id)) >= maxLinesOfUser) {
    throw invalid(
      msg`${{ name: user.name }} has ${{ maxLinesOfUser }} numbers and extensions. Remove one first.`,
      'line',
    )
  }
  if (!isConfirmed) return addPending(tx, caller, { line, written: cleanPhoneLine(text), user_id }, now)
  const [added] = await tx<{ written: string }[]>`
    insert into phone_lines (account_id, line, written, user_id, added_at)
    values (${account.id}, ${line}, ${cleanPhoneLine(text)}, ${user_id}, ${now})
    on conflict (account_id, line) do update set user_id = excluded.user_id, added_at = excluded.added_at
      where phone_lines.user_id is null
    returning written`
  if (!added) throw lineTaken(caller, line, await holderOf(tx, account.id, line))
  const { written } = added
  const calls = await connectCalls(tx, account, { line, written, user_id })
  const action = wasPending ? 'phone_line.confirmed' : 'phone_line.added'
  await recordAudit(tx, caller, { action, subject_id: user_id, details: { line: written, calls } })
  return { line, written, user_id, pending: false, calls }
}

async function addPending(
  tx: TransactionSql,
  caller: WebCaller,
  { line, written, user_id }: NewLine & { written: string },
  now: Date,
): Promise<AddedPhoneLine> {
  const { account_id } = caller
  const holder = await holderOf(tx, account_id, line)
  if (holder) throw lineTaken(caller, line, holder)
  const added = await tx`
    insert into pending_phone_lines (account_id, user_id, line, written, added_at)
    values (${account_id}, ${user_id}, ${line}, ${written}, ${now}) on conflict do nothing`
  if (added.count > 0) {
    await recordAudit(tx, caller, { action: 'phone_line.requested', subject_id: user_id, details: { line: written } })
  }
  return { line, written, user_id, pending: true, calls: 0 }
}

async function holderOf(tx: TransactionSql, accountId: string, line: string) {
  const [holder] = await tx<{ id: string; name: string }[]>`select id, name from phone_lines join users
      on users.account_id = phone_lines.account_id and users.id = phone_lines.user_id
    where phone_lines.account_id = ${accountId} and users.account_id = ${accountId} and line = ${line}`
  return holder
}

/** Names the user only to those who see them. */
function lineTaken(caller: WebCaller, line: string, holder: { id: string; name: string } | undefined) {
  return holder && maySee(caller, holder.id)
    ? invalid(msg`${{ name: holder.name }} already has ${{ line }}. Remove it there, or enter another one.`, 'line')
    : invalid(msg`Another user already has ${{ line }}. Ask an Admin to give it to you.`, 'line')
}

interface Removal {
  line: string
  /** Undefined: of any user, or an unknown one. */
  user_id?: string | undefined
  /** Also takes back what the line changed. */
  take_back?: boolean
  now: Date
}

/** Removes a line, or one that is pending. Its calls stay as they are, unless they are taken back. Returns what was taken back. */
export async function removeLine(
  tx: TransactionSql,
  caller: WebCaller,
  account: Account,
  { line, user_id, take_back = false, now }: Removal,
): Promise<{ calls: number; leads: number }> {
  const none = { calls: 0, leads: 0 }
  const removed = await lockLine(tx, account.id, line)
  if (!removed || (user_id !== undefined && removed.user_id !== user_id)) {
    const written = user_id === undefined ? null : await removePending(tx, account.id, line, user_id)
    if (written === null) throw notFound(msg`There is no such number or extension.`, 'line')
    const action = user_id === caller.user_id ? 'phone_line.removed' : 'phone_line.declined'
    await recordAudit(tx, caller, { action, subject_id: user_id!, details: { line: written } })
    return none
  }
  const { written, user_id: holder } = removed
  const taken =
    take_back && holder !== null
      ? await takeBack(tx, caller, account, { line: { ...removed, user_id: holder }, by: caller.user.name, now })
      : none
  if (taken.calls === 0) await tx`delete from phone_lines where account_id = ${account.id} and line = ${line}`
  // Its calls are those of an unknown agent, who can be connected to another user.
  else
    await tx`update phone_lines set user_id = null, seen_at = ${now}, added_at = ${now}
      where account_id = ${account.id} and line = ${line}`
  const details = { line: written, ...(take_back ? { taken_back: taken.calls, unassigned: taken.leads } : {}) }
  await recordAudit(tx, caller, { action: 'phone_line.removed', subject_id: holder, details })
  return taken
}

/** Returns the line as it was written; null if the user has no such pending line. */
async function removePending(
  tx: TransactionSql,
  accountId: string,
  line: string,
  userId: string,
): Promise<string | null> {
  const [row] = await tx<{ written: string }[]>`delete from pending_phone_lines
    where account_id = ${accountId} and user_id = ${userId} and line = ${line} returning written`
  return row?.written ?? null
}
