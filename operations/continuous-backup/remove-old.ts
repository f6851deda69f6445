import { type Base, bases, listBases } from './base-backup.ts'
import { erased } from './erased-leads.ts'
import { type History, listHistories, openHistory, removeHistory, UnreadableHistory } from './history.ts'
import { pieces, positionOf } from './log-piece.ts'
import type { ContinuousSettings } from './settings.ts'
import type { StoredObject, Target } from './target.ts'

const day = 86_400_000

/** Removes what no restore to a time since `days` ago needs. */
export async function removeOld(
  target: Target,
  { secret, days }: ContinuousSettings,
  current: History,
  now: Date,
): Promise<void> {
  const oldest = new Date(now.getTime() - days * day)
  for (const id of await listHistories(target)) {
    const history = id === current.id ? current : await openHistory(target, secret, id).catch(unlessUnreadable)
    if (!history) continue
    const objects = await history.list('')
    if (
      history !== current &&
      new Date(history.started_at) < oldest &&
      objects.every(({ written_at }) => written_at < oldest)
    )
      await removeHistory(target, id)
    else await history.remove(notNeeded(objects, await listBases(history), oldest))
  }
}

/** Returns the names of the objects that only restores to times before `oldest` need. `objects` are in the order of their names. */
export function notNeeded(
  objects: StoredObject[],
  complete: Pick<Base, 'id' | 'start' | 'started_at' | 'finished_at'>[],
  oldest: Date,
): string[] {
  const first = complete.findLast(({ finished_at }) => finished_at <= oldest) ?? complete[0]
  if (!first) return []
  const log = objects.filter(({ name }) => name.startsWith(pieces))
  const holdsStart = log.findLastIndex(({ name }) => positionOf(name) <= first.start)
  return [
    ...log.slice(0, Math.max(0, holdsStart)),
    // Also what an interrupted base left.
    ...objects.filter(({ name }) => name.startsWith(bases) && name.slice(bases.length).split('/')[0]! < first.id),
    // The first base has what was deleted before it, but those of earlier histories have not.
    ...objects.filter(
      ({ name, written_at }) => name.startsWith(erased) && written_at < first.started_at && written_at < oldest,
    ),
  ].map(({ name }) => name)
}

/** It stays, for its key or its description may be found again. */
function unlessUnreadable(error: unknown): null {
  if (error instanceof UnreadableHistory) return null
  throw error
}
