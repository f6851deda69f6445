import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { type AuditEntry, recordAudit } from '../../access/audit/record.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { forbidden, invalid, notFound } from '../../platform/http/problem.ts'
import { maxViews, type NewView, type View, type ViewChange } from './contract.ts'

/** A user who changes views. */
export interface ViewEditor extends Actor {
  user_id: string
  isAdmin: boolean
}

/** Returns the user's own views and the shared ones, by name. */
export function listViews(tx: TransactionSql, { account_id, user_id }: Actor): Promise<View[]> {
  return tx<View[]>`select id, name, search, user_id is null as shared from lead_views
    where account_id = ${account_id} and (user_id is null or user_id = ${user_id}) order by lower(name), id`
}

/** Call it, and the functions below, as an actor that sees everything: they lock the account or the user, so that limit and names hold. */
export async function addView(tx: TransactionSql, editor: ViewEditor, view: NewView): Promise<string> {
  checkMayShare(editor, view.shared)
  const id = randomUUID()
  await checkRoom(tx, editor, { ...view, id }, true)
  await tx`insert into lead_views (account_id, id, user_id, name, search)
    values (${editor.account_id}, ${id}, ${holderOf(editor, view)}, ${view.name}, ${tx.json(view.search as never)})`
  await record(tx, editor, view.shared, { action: 'view.created', subject_id: id, details: { name: view.name } })
  return id
}

export async function changeView(
  tx: TransactionSql,
  editor: ViewEditor,
  id: string,
  { was, ...change }: ViewChange,
): Promise<void> {
  const before = await lockView(tx, editor, id)
  checkUnchanged(was, before)
  const after = { ...before, ...change }
  checkMayShare(editor, before.shared || after.shared)
  await checkRoom(tx, editor, after, before.shared !== after.shared)
  await tx`update lead_views set name = ${after.name}, search = ${tx.json(after.search as never)},
    user_id = ${holderOf(editor, after)} where account_id = ${editor.account_id} and id = ${id}`
  const action = before.shared === after.shared ? 'changed' : after.shared ? 'shared' : 'unshared'
  const details = { name: after.name, ...(before.name === after.name ? {} : { name_before: before.name }) }
  await record(tx, editor, before.shared || after.shared, { action: `view.${action}`, subject_id: id, details })
}

export async function removeView(tx: TransactionSql, editor: ViewEditor, id: string): Promise<void> {
  const { shared, name } = await lockView(tx, editor, id)
  checkMayShare(editor, shared)
  await tx`delete from lead_views where account_id = ${editor.account_id} and id = ${id}`
  await record(tx, editor, shared, { action: 'view.removed', subject_id: id, details: { name } })
}

async function lockView(tx: TransactionSql, { account_id, user_id }: ViewEditor, id: string): Promise<View> {
  const [view] = await tx<View[]>`select id, name, search, user_id is null as shared from lead_views
    where account_id = ${account_id} and id = ${id} and (user_id is null or user_id = ${user_id}) for update`
  if (!view) throw notFound(msg`There is no such view.`)
  return view
}

const holderOf = ({ user_id }: ViewEditor, { shared }: NewView) => (shared ? null : user_id)

function checkMayShare({ isAdmin }: ViewEditor, shared: boolean) {
  if (shared && !isAdmin)
    throw forbidden('PERMISSION_DENIED', msg`Only Admins change shared views. Save your own view instead.`)
}

/** Checks the name among the other views of the user or the account, and if the view comes to them, their number. */
async function checkRoom(tx: TransactionSql, editor: ViewEditor, view: View, isAdded: boolean): Promise<void> {
  const { account_id, user_id } = editor
  if (view.shared) await tx`select 1 from accounts where id = ${account_id} for no key update`
  else await tx`select 1 from users where account_id = ${account_id} and id = ${user_id} for no key update`
  const others = await tx<{ is_same: boolean }[]>`select lower(name) = lower(${view.name}) as is_same from lead_views
    where account_id = ${account_id} and ${view.shared ? tx`user_id is null` : tx`user_id = ${user_id}`}
      and id <> ${view.id}`
  if (others.some(({ is_same }) => is_same)) {
    throw invalid(
      view.shared
        ? msg`A shared view has this name. Choose another name.`
        : msg`One of your views has this name. Choose another name.`,
      'name',
    )
  }
  if (isAdded && others.length >= maxViews) {
    throw invalid(
      view.shared
        ? msg`The account has ${{ maxViews }} views. Delete one first.`
        : msg`You have ${{ maxViews }} views. Delete one first.`,
      'name',
    )
  }
}

/** Users change their own views without an entry in the audit log. */
async function record(tx: TransactionSql, editor: ViewEditor, shared: boolean, entry: AuditEntry): Promise<void> {
  if (shared) await recordAudit(tx, editor, entry)
}
