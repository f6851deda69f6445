import type { MappingEntry, Pick, Warning } from './map-payload.ts'
import { withoutPeople } from './path.ts'

const mostKnown = 500
const mostNamed = 5

/**
 * What a delivery brings that its webhook never saw, and what it lacks that was mapped: a form was changed, and its
 * owner should look. The first delivery has nothing to be compared with.
 */
export function compareFields(
  webhook: { known_fields: Record<string, string>; mapping: MappingEntry[]; proposal: MappingEntry[] | null },
  reading: { picks: Pick[]; unmapped: string[] },
): { unseen: string[]; warnings: Warning[] } {
  const paths = [...new Set([...reading.picks.map(({ path }) => path), ...reading.unmapped].map(anyPlace))]
  const known = webhook.known_fields
  const room = mostKnown - Object.keys(known).length
  const unseen = paths.filter((path) => !Object.hasOwn(known, path)).slice(0, Math.max(0, room))
  if (Object.keys(known).length === 0) return { unseen, warnings: [] }
  const mapped = new Set([...webhook.mapping, ...(webhook.proposal ?? [])].filter(isValue).map(({ path }) => path))
  const present = new Set(paths)
  const missing = [...mapped].filter((path) => !present.has(anyPlace(path)))
  return {
    unseen,
    warnings: [
      ...unseen.slice(0, mostNamed).map((path) => ({ field: path, message: 'came for the first time' })),
      ...missing.slice(0, mostNamed).map((path) => ({ field: path, message: 'is mapped and did not come' })),
    ],
  }
}

/** What came later than the first delivery, and since when. */
export function fieldsSinceTheFirst(known: Record<string, string>): { path: string; since: string }[] {
  const [first] = Object.values(known).sort()
  return Object.entries(known)
    .filter(([, since]) => since !== first)
    .map(([path, since]) => ({ path, since }))
}

const isValue = ({ field }: { field: string }) => field !== 'ignore'

/** Which place of a list a value has says nothing about the form, nor does a person's key. */
const anyPlace = (path: string) => withoutPeople(path).replace(/\[\d+\]/g, '[]')
