import { msg } from '@lingui/core/runtime-macro'
import { type Account, findAccount } from '../../access/account/users.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { instantText } from '../../platform/http/instants.ts'
import type { Text } from '../../platform/languages/translate.ts'
import type { ImportUndo, LeadImport, UndoCounts } from './contract.ts'

/** `error`: why it stopped. */
export type StoredUndo = UndoCounts & { error?: string | null }

export interface StoredImport {
  account_id: string
  id: string
  /** Null: the command line. */
  user_id: string | null
  file: string
  state: 'running' | 'done'
  total: string
  rows_done: string
  created: string
  merged: string
  rejected: string
  calls: string
  started_at: Date
  written_at: Date
  ended_at: Date | null
  undo_state: ImportUndo['state'] | null
  undone_by: string | null
  undone_at: Date | null
  undo_position: string | null
  undo_counts: StoredUndo | null
}

export const maxListed = 100
/** How long an import can be undone, in milliseconds. */
export const undoWithin = 7 * 86_400_000
/** An import that has saved nothing for so long has no process any more, in milliseconds. It waits less for locks. */
const silentAfter = 5 * 60_000

const isRunning = ({ state, ended_at, written_at }: StoredImport, now: Date) =>
  state === 'running' && ended_at === null && now.getTime() - written_at.getTime() < silentAfter

/** Returns why an import cannot be undone; null if it can. */
export function noUndoReason(row: StoredImport, now: Date): Text | null {
  if (row.undo_state === 'undoing' || row.undo_state === 'undone') return msg`This import was undone already.`
  if (isRunning(row, now)) return msg`This import is running. Undo it when it has ended.`
  if (now.getTime() - (row.ended_at ?? row.written_at).getTime() > undoWithin)
    return msg`This import ended more than 7 days ago, and cannot be undone any more.`
  return row.created === '0' && row.merged === '0' ? msg`This import has saved no row.` : null
}

/** Returns the newest imports that the user sees: Managers their own, Admins all. `id`: one of them. */
export async function listImports(
  database: Database,
  caller: WebCaller,
  now: Date,
  { id }: { id?: string } = {},
): Promise<LeadImport[]> {
  const { account_id } = caller
  const account = await findAccount(database, account_id)
  const rows = await readAsActor(
    database,
    caller,
    (tx) => tx<StoredImport[]>`select * from lead_imports
      where account_id = ${account_id} and id is not null ${id ? tx`and id = ${id}` : tx``}
      order by started_at desc, id desc limit ${maxListed}`,
  )
  const kept = await readAsActor(
    database,
    forWholeAccount(caller),
    (tx) => tx<{ import_id: string; n: number }[]>`select import_id, count(*)::int as n from lead_import_rejections
      where account_id = ${account_id} and import_id = any (${rows.map((row) => row.id)}::uuid[]) and line > 0
      group by import_id`,
  )
  const keptOf = new Map(kept.map(({ import_id, n }) => [import_id, n]))
  return rows.map((row) => ({
    ...shown(account, row, now),
    rejected_kept: keptOf.get(row.id) ?? 0,
    can_undo: caller.may.delete && noUndoReason(row, now) === null,
  }))
}

function shown({ users }: Account, row: StoredImport, now: Date): Omit<LeadImport, 'rejected_kept' | 'can_undo'> {
  const nameOf = (id: string | null) => users.find((user) => user.id === id)?.name ?? null
  const { total, rows_done, created, merged, rejected, calls, undo_state, undo_counts, undone_at } = row
  const isInterrupted = Number(rows_done) < Number(total)
  return {
    id: row.id,
    user: nameOf(row.user_id),
    file: row.file,
    state: isRunning(row, now) ? 'running' : isInterrupted ? 'interrupted' : 'done',
    rows: Number(total),
    created: Number(created),
    merged: Number(merged),
    rejected: Number(rejected),
    calls: Number(calls),
    started_at: instantText(row.started_at),
    undo: undo_state &&
      undo_counts && {
        state: undo_state,
        user: nameOf(row.undone_by),
        at: instantText(undone_at!),
        error: null,
        ...undo_counts,
      },
  }
}
