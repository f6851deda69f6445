import { invalid } from '../http/problem.ts'
import { mostTags } from './fields.ts'

/** The tags with as many new ones as a lead may hold, and those that found no room. */
export function unitedTags(tags: string[], more: string[] = []): { tags: string[]; left: string[] } {
  const held = [...new Set(tags)]
  const fresh = [...new Set(more)].filter((tag) => !held.includes(tag))
  const room = Math.max(0, mostTags - held.length)
  return { tags: [...held, ...fresh.slice(0, room)], left: fresh.slice(room) }
}

/** By hand tags are added and removed one by one, so that two people at once lose none. */
export function changedTags(tags: string[], add: string[], remove: string[]): string[] {
  const kept = tags.filter((tag) => !remove.includes(tag))
  const changed = [...new Set([...kept, ...add])]
  if (changed.length > Math.max(mostTags, tags.length)) {
    throw invalid(`A lead holds at most ${mostTags} tags. Remove some first.`, 'add_tags')
  }
  return changed
}
