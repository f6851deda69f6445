import { type Base, listBases } from './base-backup.ts'
import { type History, listHistories, openHistory } from './history.ts'
import { inIndia } from './indian-time.ts'
import { type Target, TargetProblem } from './target.ts'

export interface Choice {
  history: History
  base: Base
}

/** Returns the base to restore: the newest, or the last that is complete at a time. */
export async function chooseBase(target: Target, secret: string, until: Date | null): Promise<Choice> {
  const ids = (await listHistories(target)).reverse()
  let earliest: Date | null = null
  for (const id of ids) {
    const history = await openHistory(target, secret, id)
    if (!history) continue
    const bases = await listBases(history)
    const base = bases.findLast(({ finished_at }) => until === null || finished_at <= until)
    if (base) return { history, base }
    earliest = bases[0]?.finished_at ?? earliest
  }
  if (earliest)
    throw new TargetProblem(
      `The continuous backup in ${target.name} begins at ${inIndia(earliest)}: name a later time, or restore a daily backup.`,
    )
  throw new TargetProblem(
    ids.length === 0
      ? `There is no continuous backup in ${target.name}: check CONTINUOUS_BACKUP.`
      : `The continuous backup in ${target.name} has no complete base backup: nothing can be restored from it.`,
  )
}

/** The earliest time that can be restored. */
export async function findEarliest(target: Target, secret: string): Promise<Date> {
  for (const id of await listHistories(target)) {
    const history = await openHistory(target, secret, id)
    const [first] = history ? await listBases(history) : []
    if (first) return first.finished_at
  }
  throw new TargetProblem(`The continuous backup in ${target.name} has no complete base backup.`)
}
