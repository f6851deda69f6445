import { invalid } from '../http/problem.ts'
import { maxTags } from './fields.ts'

/** Adds new tags up to the limit of a lead; `left` are the others. */
export function unitedTags(tags: string[], more: string[] = []): { tags: string[]; left: string[] } {
  const held = [...new Set(tags)]
  const fresh = [...new Set(more)].filter((tag) => !held.includes(tag))
  const room = Math.max(0, maxTags - held.length)
  return { tags: [...held, ...fresh.slice(0, room)], left: fresh.slice(room) }
}

/** Adds and removes single tags, so that two users at once lose none. */
export function changedTags(tags: string[], add: string[], remove: string[]): string[] {
  const kept = tags.filter((tag) => !remove.includes(tag))
  const changed = [...new Set([...kept, ...add])]
  if (changed.length > Math.max(maxTags, tags.length)) {
    throw invalid(`A lead holds at most ${maxTags} tags. Remove some first.`, 'add_tags')
  }
  return changed
}
