import { type Base, baseId, listBases } from './base-backup.ts'
import { type History, listHistories, openHistory, UnreadableHistory } from './history.ts'
import { inIndia } from './indian-time.ts'
import { type Target, TargetProblem } from './target.ts'

export interface Choice {
  history: History
  base: Base
}

/**
 * Finds the bases that can be restored, the best first: the newest, or the last that was complete at a time. Between them, `problem` says
 * what would come there and cannot be read. Throws if there are none.
 */
export async function* findBases(
  target: Target,
  secret: string,
  until: Date | null,
): AsyncGenerator<Choice | { problem: string }> {
  const ids = (await listHistories(target)).reverse()
  let isFound = false
  let earliest: Date | null = null
  for (const id of ids) {
    const history = await openUnlessUnreadable(target, secret, id)
    if (!history) continue
    if (history instanceof UnreadableHistory) {
      isFound = true
      yield { problem: history.message }
      continue
    }
    const damaged: { id: string; problem: string }[] = []
    const bases = await listBases(history, (id, { message }) => damaged.push({ id, problem: message }))
    const found = [
      ...bases
        .filter(({ finished_at }) => until === null || finished_at <= until)
        .map((base) => ({ id: base.id, base })),
      ...damaged.filter(({ id }) => until === null || id <= baseId(until)),
    ].sort((one, other) => (one.id > other.id ? -1 : 1))
    for (const one of found) yield 'base' in one ? { history, base: one.base } : one
    isFound ||= found.length > 0
    earliest = bases[0]?.finished_at ?? earliest
  }
  if (isFound) return
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

const openUnlessUnreadable = (target: Target, secret: string, id: string) =>
  openHistory(target, secret, id).catch((error) => {
    if (error instanceof UnreadableHistory) return error
    throw error
  })

/** The earliest time that can be restored. */
export async function findEarliest(target: Target, secret: string): Promise<Date> {
  for (const id of await listHistories(target)) {
    const history = await openUnlessUnreadable(target, secret, id)
    const [first] = history && !(history instanceof UnreadableHistory) ? await listBases(history) : []
    if (first) return first.finished_at
  }
  throw new TargetProblem(`The continuous backup in ${target.name} has no complete base backup.`)
}
