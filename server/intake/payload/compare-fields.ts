import type { MappingEntry, Warning } from './contract.ts'
import { toLeadField } from './lead-builder.ts'
import type { Reading } from './map-payload.ts'
import { withoutPersonalKeys } from './path.ts'

export const maxKnown = 500
const maxNamed = 5
/** A longer path contains a text used as a key. */
export const maxPathLength = 200
export const maxCharacters = 64 * 1024

/**
 * Returns the paths that are new to a webhook, with warnings for these and for mapped paths that are missing while no
 * other value gave their field: the form was changed. The first delivery has no warnings.
 */
export function compareFields(
  webhook: { known_fields: Record<string, string>; mapping: MappingEntry[]; proposal: MappingEntry[] | null },
  reading: Shape,
): { unseen: string[]; warnings: Warning[] } {
  const absent = new Set(reading.absent)
  const mapped = new Set(webhook.mapping.map(({ path }) => path))
  const paths = pathsOf(reading, webhook.mapping)
  const known = webhook.known_fields
  const room = maxKnown - Object.keys(known).length
  const fresh = paths
    .filter((path) => path.length <= maxPathLength && !Object.hasOwn(known, path))
    .slice(0, Math.max(0, room))
  const unseen = withinCharacters(fresh, maxCharacters - Object.keys(known).join('').length)
  if (Object.keys(known).length === 0) return { unseen, warnings: [] }
  const present = new Set(paths)
  const found = new Set(reading.picks.map(({ field }) => toLeadField(field)))
  const missing = [
    ...webhook.mapping.filter(({ path }) => absent.has(path)),
    // What was learned from another webhook may never have been in this one.
    ...(webhook.proposal ?? []).filter(({ path }) => !mapped.has(path) && Object.hasOwn(known, anyPlace(path))),
  ]
    .filter(({ path }) => !present.has(anyPlace(path)))
    .filter(({ field }) => field !== 'ignore' && !found.has(toLeadField(field)))
    .map(({ path }) => path)
  return {
    unseen,
    warnings: [
      ...unseen.slice(0, maxNamed).map((path) => ({ field: path, message: 'is a new field' })),
      ...[...new Set(missing)]
        .slice(0, maxNamed)
        .map((path) => ({ field: path, message: 'is missing from this delivery' })),
    ],
  }
}

/** Returns the paths of a payload's values. */
function pathsOf({ picks, unmapped, absent }: Shape, mapping: MappingEntry[]): string[] {
  const mappedHere = mapping.map(({ path }) => path).filter((path) => !absent.includes(path))
  return [...new Set([...picks.map(({ path }) => path), ...mappedHere, ...unmapped].map(anyPlace))]
}

type Shape = Pick<Reading, 'picks' | 'unmapped' | 'absent'>

/** How many of a payload's paths a webhook must know, for the payload to have the shape of its deliveries. */
const leastKnown = 0.75

/**
 * Returns the mapping of the webhook whose deliveries are most like this one, of those that know most of its paths and
 * have mapped one of them.
 */
export function mappingOfLike<Like extends { known_fields: Record<string, string>; mapping: MappingEntry[] }>(
  reading: Shape,
  mapping: MappingEntry[],
  others: readonly Like[],
): Like | undefined {
  const paths = pathsOf(reading, mapping)
  const present = new Set(paths)
  const likeness = ({ known_fields, mapping }: Like) =>
    mapping.some(({ path }) => present.has(anyPlace(path)))
      ? paths.filter((path) => Object.hasOwn(known_fields, path)).length / paths.length
      : 0
  const [best] = others
    .map((other) => ({ other, share: likeness(other) }))
    .filter(({ share }) => share >= leastKnown)
    .sort((one, two) => two.share - one.share)
  return best?.other
}

/** Returns the paths that are new since the first delivery, and since when. */
export function fieldsSinceTheFirst(known: Record<string, string>): { path: string; since: string }[] {
  const [first] = Object.values(known).sort()
  return Object.entries(known)
    .filter(([, since]) => since !== first)
    .map(([path, since]) => ({ path, since }))
}

export const isKnownPath = (known: Record<string, string>, path: string) => Object.hasOwn(known, anyPlace(path))

/** Replaces indexes of lists and personal keys, which do not describe the form. */
const anyPlace = (path: string) => withoutPersonalKeys(path).replace(/\[\d+\]/g, '[]')

function withinCharacters(paths: string[], limit: number): string[] {
  let left = limit
  return paths.filter((path) => {
    left -= path.length
    return left >= 0
  })
}
