import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'
import { Damage } from './encryption.ts'
import { beginHistory, type History, keepDescription, listHistories, openHistory } from './history.ts'
import { pieceName, pieces, positionOf, segmentStart } from './log-piece.ts'
import { readLsn } from './replication.ts'
import type { ContinuousSettings } from './settings.ts'
import { beginState, readState } from './state.ts'
import { type Target, TargetProblem } from './target.ts'

/** A history, and from where on PostgreSQL sends its log. */
export interface Continuation {
  history: History
  slot: string
  timeline: number
  /** Where the next piece starts. */
  position: bigint
  /** The saved log before that. PostgreSQL sends it again first, and it must be the same. */
  known: Buffer
}

const slotPrefix = 'lead_engine_'

/** Drops the slots, so that another history begins. */
export async function endHistories(sql: Sql): Promise<void> {
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where starts_with(slot_name, ${slotPrefix}) and not active`
}

interface Slot {
  name: string
  restart: string | null
  status: string | null
}

/** Continues the history of this database, or begins one. `onBegin` gets the reason. */
export async function findHistory(
  sql: TransactionSql,
  target: Target,
  { secret }: ContinuousSettings,
  onBegin: (reason: string) => void,
): Promise<Continuation> {
  const [server] = await sql<{ system: string; timeline: number; flushed: string }[]>`
    select system_identifier::text as system, timeline_id as timeline, pg_current_wal_flush_lsn()::text as flushed
    from pg_control_system(), pg_control_checkpoint()`
  const { system, timeline, flushed } = server!
  const slots = await sql<Slot[]>`select slot_name::text as name, restart_lsn::text as restart, wal_status as status
    from pg_replication_slots where starts_with(slot_name, ${slotPrefix}) order by slot_name desc`
  const [slot] = slots
  const found = slot ? await continuing(slot) : 'this database has none yet'
  const continuation = typeof found === 'string' ? await begin(found) : found
  await beginState(sql, { target: target.name, history: continuation.history.id })
  return continuation

  /** Returns why it cannot be continued, if so. */
  async function continuing({ name, restart, status }: Slot): Promise<Continuation | string> {
    const id = name.slice(slotPrefix.length)
    if (restart === null || status === 'lost') return 'PostgreSQL no longer has all of its log since the last one'
    const history = await openHistory(target, secret, id)
    if (!history) {
      const state = await readState(sql)
      if (state?.target === target.name && state.history === id)
        throw new TargetProblem(
          `The continuous backup that ${target.name} had is gone: mount its disk or restore the bucket, or name another ` +
            'folder or prefix in CONTINUOUS_BACKUP.',
        )
      return `${target.name} has none of this database`
    }
    await keepDescription(target, history)
    const kept = segmentStart(readLsn(restart))
    const last = (await history.list(pieces)).at(-1)
    if (!last) return { history, slot: name, timeline, position: kept, known: Buffer.alloc(0) }
    const start = positionOf(last.name)
    const piece = await history.get(pieceName(start)).catch((error) => {
      if (error instanceof Damage) return null
      throw error
    })
    if (!piece) return `the end of its log, ${pieceName(start)}, is damaged`
    const position = start + BigInt(piece.length)
    if (position > readLsn(flushed)) return 'the data folder was replaced by an earlier one'
    const known = kept > start ? piece.subarray(Math.min(piece.length, Number(kept - start))) : piece
    return { history, slot: name, timeline, position, known }
  }

  async function begin(reason: string): Promise<Continuation> {
    await checkOwner()
    const history = await beginHistory(target, secret, system, new Date())
    for (const { name } of slots) await sql`select pg_drop_replication_slot(${name})`
    const name = `${slotPrefix}${history.id}`
    await sql`select pg_create_physical_replication_slot(${name}, true)`
    const [made] = await sql<{ position: string }[]>`
      select restart_lsn::text as position from pg_replication_slots where slot_name = ${name}`
    onBegin(reason)
    return { history, slot: name, timeline, position: segmentStart(readLsn(made!.position)), known: Buffer.alloc(0) }
  }

  /** A new installation must not take the place of the one whose backup this is: `restore --latest` would then restore the new one. */
  async function checkOwner() {
    const newest = (await listHistories(target)).at(-1)
    const history = newest ? await openHistory(target, secret, newest) : null
    if (history && history.system !== system)
      throw new TargetProblem(
        `${target.name} has the continuous backup of another database (since ${history.started_at}). To restore it, stop the ` +
          'service and run lead-engine restore --latest --yes. To keep it and begin another, name another folder or prefix in CONTINUOUS_BACKUP.',
      )
  }
}
