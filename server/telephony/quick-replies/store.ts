import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { type AuditEntry, recordAudit } from '../../access/audit/record.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { maxOfAccount, maxOfUser, type NewQuickReply, type QuickReply, type QuickReplyChange } from './contract.ts'
import { unknownPlaceholder } from './placeholders.ts'

/** Whose quick replies: those of a user, or of the account (null). */
export type Holder = string | null

const heldBy = (tx: TransactionSql, accountId: string, holder: Holder) =>
  tx`account_id = ${accountId} and ${holder === null ? tx`user_id is null` : tx`user_id = ${holder}`}`

export function listReplies(tx: TransactionSql, accountId: string, holder: Holder): Promise<QuickReply[]> {
  return tx<QuickReply[]>`select id, title, text from quick_replies where ${heldBy(tx, accountId, holder)}
    order by position, id`
}

/**
 * Adds a quick reply as the last one. Call it, and the functions below, as an actor that sees everything: they lock the account or the
 * user, so that requests at once keep limit and order.
 */
export async function addReply(
  tx: TransactionSql,
  actor: Actor,
  holder: Holder,
  { title, text }: NewQuickReply,
): Promise<void> {
  checkPlaceholders(text)
  const ids = await lockReplies(tx, actor, holder)
  const max = holder === null ? maxOfAccount : maxOfUser
  if (ids.length >= max) {
    throw invalid(
      holder === null
        ? msg`The account has ${{ max }} quick replies. Delete one first.`
        : msg`You have ${{ max }} quick replies. Delete one first.`,
      'title',
    )
  }
  const id = randomUUID()
  await tx`insert into quick_replies (account_id, id, user_id, title, text, position)
    values (${actor.account_id}, ${id}, ${holder}, ${title}, ${text}, 0)`
  await numberReplies(tx, actor, [...ids, id])
  await record(tx, actor, holder, { action: 'quick_reply.created', subject_id: id, details: { name: title } })
}

export async function changeReply(
  tx: TransactionSql,
  actor: Actor,
  holder: Holder,
  id: string,
  { was, ...change }: QuickReplyChange,
): Promise<void> {
  if (change.text !== undefined) checkPlaceholders(change.text)
  await lockReplies(tx, actor, holder)
  const before = (await listReplies(tx, actor.account_id, holder)).find((one) => one.id === id)
  if (!before) throw noReply()
  checkUnchanged(was, before)
  const { title, text } = { ...before, ...change }
  await tx`update quick_replies set title = ${title}, text = ${text}
    where account_id = ${actor.account_id} and id = ${id}`
  const details = { name: title, ...(text === before.text ? {} : { text }) }
  await record(tx, actor, holder, { action: 'quick_reply.changed', subject_id: id, details })
}

export async function moveReply(tx: TransactionSql, actor: Actor, holder: Holder, id: string, position: number) {
  const ids = await lockReplies(tx, actor, holder)
  if (!ids.includes(id)) throw noReply()
  await numberReplies(tx, actor, ids.filter((one) => one !== id).toSpliced(position - 1, 0, id))
  const [moved] = await tx<{ title: string }[]>`select title from quick_replies
    where account_id = ${actor.account_id} and id = ${id}`
  const details = { name: moved!.title, position }
  await record(tx, actor, holder, { action: 'quick_reply.moved', subject_id: id, details })
}

export async function removeReply(tx: TransactionSql, actor: Actor, holder: Holder, id: string): Promise<void> {
  const [removed] = await tx<{ title: string }[]>`delete from quick_replies
    where ${heldBy(tx, actor.account_id, holder)} and id = ${id} returning title`
  if (!removed) throw noReply()
  await record(tx, actor, holder, { action: 'quick_reply.removed', subject_id: id, details: { name: removed.title } })
}

/** Returns the title of a quick reply that the user may use; null if there is none. */
export async function titleOf(tx: TransactionSql, accountId: string, userId: string, id: string) {
  const [reply] = await tx<{ title: string }[]>`select title from quick_replies
    where account_id = ${accountId} and id = ${id} and (user_id is null or user_id = ${userId})`
  return reply?.title ?? null
}

/** Returns the ids in their order. */
async function lockReplies(tx: TransactionSql, { account_id }: Actor, holder: Holder): Promise<string[]> {
  if (holder === null) await tx`select 1 from accounts where id = ${account_id} for no key update`
  else await tx`select 1 from users where account_id = ${account_id} and id = ${holder} for no key update`
  return (await listReplies(tx, account_id, holder)).map(({ id }) => id)
}

async function numberReplies(tx: TransactionSql, { account_id }: Actor, ids: string[]): Promise<void> {
  await tx`update quick_replies set position = array_position(${ids}::uuid[], id)
    where account_id = ${account_id} and id = any (${ids}::uuid[])`
}

function checkPlaceholders(text: string) {
  const unknown = unknownPlaceholder(text)
  if (unknown)
    throw invalid(
      msg`${{ field: 'text' }} has the unknown placeholder ${{ unknown }}. Use '{first_name}', '{name}', '{agent}' or '{company}'.`,
      'text',
    )
}

/** Users change their own quick replies without an entry in the audit log. */
async function record(tx: TransactionSql, actor: Actor, holder: Holder, entry: AuditEntry): Promise<void> {
  if (holder === null) await recordAudit(tx, actor, entry)
}

const noReply = () => notFound(msg`There is no such quick reply.`)
