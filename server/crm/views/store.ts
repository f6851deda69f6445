import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import type { Role } from '../../access/account/contract.ts'
import { type AuditEntry, recordAudit } from '../../access/audit/record.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { forbidden, invalid, notFound } from '../../platform/http/problem.ts'
import { maxViews, type NewView, type View, type ViewChange } from './contract.ts'

/** A user who changes views. */
export interface ViewEditor extends Actor {
  user_id: string
  role: Role
  team: string | null
}

/** Returns the user's own views and those that are shared with them, by name. */
export function listViews(tx: TransactionSql, viewer: ViewEditor): Promise<View[]> {
  return tx<View[]>`select ${viewColumns(tx, viewer)} from lead_views
    where account_id = ${viewer.account_id} and (user_id is null or user_id = ${viewer.user_id} or team = ${viewer.team})
    order by lower(name), id`
}

const viewColumns = (tx: TransactionSql, { user_id, role }: ViewEditor) =>
  tx`id, name, search, user_id is null or team is not null as shared,
    coalesce(user_id = ${user_id}, ${role === 'Admin'}) as may_change`

/** Call it, and the functions below, as an actor that sees everything: they lock the account or the user, so that limit and names hold. */
export async function addView(tx: TransactionSql, editor: ViewEditor, view: NewView): Promise<string> {
  checkMayShare(editor, view.shared)
  const id = randomUUID()
  await checkRoom(tx, editor, { ...view, id, may_change: true }, true)
  const { user_id, team } = holderOf(editor, view)
  await tx`insert into lead_views (account_id, id, user_id, team, name, search)
    values (${editor.account_id}, ${id}, ${user_id}, ${team}, ${view.name}, ${tx.json(view.search as never)})`
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
  checkMayShare(editor, after.shared)
  await checkRoom(tx, editor, after, before.shared !== after.shared)
  const { user_id, team } = holderOf(editor, after)
  await tx`update lead_views set name = ${after.name}, search = ${tx.json(after.search as never)},
    user_id = ${user_id}, team = ${team} where account_id = ${editor.account_id} and id = ${id}`
  const action = before.shared === after.shared ? 'changed' : after.shared ? 'shared' : 'unshared'
  const details = { name: after.name, ...(before.name === after.name ? {} : { name_before: before.name }) }
  await record(tx, editor, before.shared || after.shared, { action: `view.${action}`, subject_id: id, details })
}

export async function removeView(tx: TransactionSql, editor: ViewEditor, id: string): Promise<void> {
  const { shared, name } = await lockView(tx, editor, id)
  await tx`delete from lead_views where account_id = ${editor.account_id} and id = ${id}`
  await record(tx, editor, shared, { action: 'view.removed', subject_id: id, details: { name } })
}

async function lockView(tx: TransactionSql, editor: ViewEditor, id: string): Promise<View> {
  const shown = (await listViews(tx, editor)).find((view) => view.id === id)
  if (shown && !shown.may_change)
    throw forbidden(
      'PERMISSION_DENIED',
      msg`Only the user who shares this view can change it. Save your own view instead.`,
    )
  const [view] = await tx<View[]>`select ${viewColumns(tx, editor)} from lead_views
    where account_id = ${editor.account_id} and id = ${id} and (user_id is null or user_id = ${editor.user_id}) for update`
  if (!view) throw notFound(msg`There is no such view.`)
  return view
}

/** Admins share with the account, and Managers with their team. */
function holderOf({ user_id, role, team }: ViewEditor, { shared }: NewView) {
  if (!shared) return { user_id, team: null }
  return role === 'Admin' ? { user_id: null, team: null } : { user_id, team }
}

function checkMayShare({ role, team }: ViewEditor, shared: boolean) {
  if (shared && role !== 'Admin' && !(role === 'Manager' && team !== null))
    throw forbidden(
      'PERMISSION_DENIED',
      msg`Only Admins and Managers of a team can share views. Save your own view instead.`,
    )
}

/** Checks the name among the other views of the user or the account, and if the view comes to them, their number. */
async function checkRoom(tx: TransactionSql, editor: ViewEditor, view: View, isAdded: boolean): Promise<void> {
  const { account_id, user_id } = editor
  const isOfAccount = view.shared && editor.role === 'Admin'
  if (isOfAccount) await tx`select 1 from accounts where id = ${account_id} for no key update`
  else await tx`select 1 from users where account_id = ${account_id} and id = ${user_id} for no key update`
  const others = await tx<{ is_same: boolean }[]>`select lower(name) = lower(${view.name}) as is_same from lead_views
    where account_id = ${account_id} and ${isOfAccount ? tx`user_id is null` : tx`user_id = ${user_id}`}
      and id <> ${view.id}`
  if (others.some(({ is_same }) => is_same)) {
    throw invalid(
      isOfAccount
        ? msg`A shared view has this name. Choose another name.`
        : msg`One of your views has this name. Choose another name.`,
      'name',
    )
  }
  if (isAdded && others.length >= maxViews) {
    throw invalid(
      isOfAccount
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
