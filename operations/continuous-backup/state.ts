import type { Sql, TransactionSql } from '../../server/platform/database/sql.ts'

/** What the continuous backup has saved, and how the last restore drill ended. */
export interface ContinuousState {
  target: string
  history: string
  /** The newest base backup. */
  base_at: Date | null
  /** Changes until then are saved. Written once a minute. */
  saved_at: Date | null
  error: string | null
  drill_at: Date | null
  /** The last change that the drill restored. */
  drill_restored_to: Date | null
  drill_error: string | null
}

export async function readState(sql: Sql | TransactionSql): Promise<ContinuousState | null> {
  const [state] = await sql<
    ContinuousState[]
  >`select target, history, base_at, saved_at, error, drill_at, drill_restored_to,
    drill_error from continuous_backup`
  return state ?? null
}

/** Deletes the state of another target or history, and records this one. */
export async function beginState(
  sql: TransactionSql,
  { target, history }: Pick<ContinuousState, 'target' | 'history'>,
): Promise<void> {
  await sql`delete from continuous_backup where target <> ${target} or history <> ${history}`
  await sql`insert into continuous_backup (target, history) values (${target}, ${history}) on conflict do nothing`
}

/** Changes some of its columns. */
export async function changeState(sql: Sql, change: Partial<ContinuousState>): Promise<void> {
  const columns = Object.entries(change).map(
    ([name, value], at) => sql`${at > 0 ? sql`, ` : sql``}${sql(name)} = ${value}`,
  )
  await sql`update continuous_backup set ${columns}`
}

/** Keeps why it fails, also before a history of the target could be read. */
export async function noteError(sql: Sql, target: string, error: string | null): Promise<void> {
  await sql`insert into continuous_backup (target, history, error) values (${target}, '', ${error})
    on conflict (one) do update set error = excluded.error`
}

const minute = 60_000

/** `waiting`: the first base backup is being made. */
export function stateOfSaving(now: Date, state: ContinuousState | null): 'waiting' | 'saved' | 'failed' {
  if (!state) return 'failed'
  if (state.error) return 'failed'
  if (!state.base_at) return 'waiting'
  return state.saved_at && state.saved_at.getTime() > now.getTime() - 5 * minute ? 'saved' : 'failed'
}

export function stateOfDrill(state: ContinuousState | null): 'waiting' | 'passed' | 'failed' {
  if (!state?.drill_at) return 'waiting'
  return state.drill_error === null ? 'passed' : 'failed'
}

const hour = 60 * minute
const day = 24 * hour
/** 03:00 in India: after the daily backup. */
const nightlyAt = 3 * hour - 5.5 * hour

/** Whether something that is done each night is due. */
export function isDueTonight(now: Date, last: Date | null): boolean {
  const lastNight = Math.floor((now.getTime() - nightlyAt) / day) * day + nightlyAt
  return !last || last.getTime() < lastNight
}
