import type { MappingEntry, Warning } from './contract.ts'
import { leadFieldOf } from './lead-builder.ts'
import type { Reading } from './map-payload.ts'
import { withoutPersonalKeys } from './path.ts'

const mostKnown = 500
const mostNamed = 5
/** A longer path contains a text used as a key. */
const longestPath = 200
const mostCharacters = 64 * 1024

/**
 * Returns the paths that are new to a webhook, with warnings for these and for mapped paths that are missing while no
 * other value gave their field: the form was changed. The first delivery has no warnings.
 */
export function compareFields(
  webhook: { known_fields: Record<string, string>; mapping: MappingEntry[]; proposal: MappingEntry[] | null },
  reading: Pick<Reading, 'picks' | 'unmapped' | 'absent'>,
): { unseen: string[]; warnings: Warning[] } {
  const absent = new Set(reading.absent)
  const mapped = new Set(webhook.mapping.map(({ path }) => path))
  const mappedHere = [...mapped].filter((path) => !absent.has(path))
  const paths = [
    ...new Set([...reading.picks.map(({ path }) => path), ...mappedHere, ...reading.unmapped].map(anyPlace)),
  ]
  const known = webhook.known_fields
  const room = mostKnown - Object.keys(known).length
  const fresh = paths
    .filter((path) => path.length <= longestPath && !Object.hasOwn(known, path))
    .slice(0, Math.max(0, room))
  const unseen = withinCharacters(fresh, mostCharacters - Object.keys(known).join('').length)
  if (Object.keys(known).length === 0) return { unseen, warnings: [] }
  const present = new Set(paths)
  const found = new Set(reading.picks.map(({ field }) => leadFieldOf(field)))
  const missing = [
    ...webhook.mapping.filter(({ path }) => absent.has(path)),
    ...(webhook.proposal ?? []).filter(({ path }) => !mapped.has(path)),
  ]
    .filter(({ path }) => !present.has(anyPlace(path)))
    .filter(({ field }) => field !== 'ignore' && !found.has(leadFieldOf(field)))
    .map(({ path }) => path)
  return {
    unseen,
    warnings: [
      ...unseen.slice(0, mostNamed).map((path) => ({ field: path, message: 'is a new field' })),
      ...[...new Set(missing)]
        .slice(0, mostNamed)
        .map((path) => ({ field: path, message: 'is missing from this delivery' })),
    ],
  }
}

/** Returns the paths that are new since the first delivery, and since when. */
export function fieldsSinceTheFirst(known: Record<string, string>): { path: string; since: string }[] {
  const [first] = Object.values(known).sort()
  return Object.entries(known)
    .filter(([, since]) => since !== first)
    .map(([path, since]) => ({ path, since }))
}

/** Replaces indexes of lists and personal keys, which do not describe the form. */
const anyPlace = (path: string) => withoutPersonalKeys(path).replace(/\[\d+\]/g, '[]')

function withinCharacters(paths: string[], most: number): string[] {
  let left = most
  return paths.filter((path) => {
    left -= path.length
    return left >= 0
  })
}
