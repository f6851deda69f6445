import { msg } from '@lingui/core/runtime-macro'
import { type Account, userByEmail } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, maySee } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import type { AddedPhoneLine } from './contract.ts'
import { cleanLine, lineKey } from './line-key.ts'
import { connectCalls, countLinesOf } from './store.ts'

export const maxLinesOfUser = 20

interface NewLine {
  line: string
  user_id: string
}

/**
 * Gives a line to a user, with the calls of the same agent that no known user made. Call it as an actor that sees everything; `actor`
 * is who does it.
 */
export async function addLine(
  tx: TransactionSql,
  actor: Actor,
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
  if (byEmail && byEmail.id !== user_id) throw lineTaken(actor, line, byEmail)
  if ((await countLinesOf(tx, account.id, user_id)) >= maxLinesOfUser) {
    throw invalid(
      msg`${{ name: user.name }} has ${{ maxLinesOfUser }} numbers and extensions. Remove one first.`,
      'line',
    )
  }
  const [added] = await tx<{ written: string }[]>`
    insert into phone_lines (account_id, line, written, user_id, added_at)
    values (${account.id}, ${line}, ${cleanLine(text)}, ${user_id}, ${now})
    on conflict (account_id, line) do update set user_id = excluded.user_id, added_at = excluded.added_at
      where phone_lines.user_id is null
    returning written`
  if (!added) throw lineTaken(actor, line, await holderOf(tx, account.id, line))
  const { written } = added
  const calls = await connectCalls(tx, account, { line, written, user_id })
  await recordAudit(tx, actor, { action: 'phone_line.added', subject_id: user_id, details: { line: written, calls } })
  return { line, written, user_id, calls }
}

async function holderOf(tx: TransactionSql, accountId: string, line: string) {
  const [holder] = await tx<{ id: string; name: string }[]>`select id, name from phone_lines join users
      on users.account_id = phone_lines.account_id and users.id = phone_lines.user_id
    where phone_lines.account_id = ${accountId} and users.account_id = ${accountId} and line = ${line}`
  return holder
}

/** Names the user only to those who see them. */
function lineTaken(actor: Actor, line: string, holder: { id: string; name: string } | undefined) {
  return holder && maySee(actor, holder.id)
    ? invalid(msg`${{ name: holder.name }} already has ${{ line }}. Remove it there, or enter another one.`, 'line')
    : invalid(msg`Another user already has ${{ line }}. Ask an Admin to give it to you.`, 'line')
}

/** Removes a line of a user, of any user (undefined), or an unknown one. Its calls stay as they are. */
export async function removeLine(tx: TransactionSql, actor: Actor, line: string, ownOf?: string): Promise<void> {
  const [removed] = await tx<{ written: string; user_id: string | null }[]>`
    delete from phone_lines where account_id = ${actor.account_id} and line = ${line}
      ${ownOf === undefined ? tx`` : tx`and user_id = ${ownOf}`}
    returning written, user_id`
  if (!removed) throw notFound(msg`There is no such number or extension.`, 'line')
  const { written, user_id } = removed
  await recordAudit(tx, actor, { action: 'phone_line.removed', subject_id: user_id, details: { line: written } })
}
