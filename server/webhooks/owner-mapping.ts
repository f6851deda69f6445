import type { CountryCode } from 'libphonenumber-js/max'
import type { MappingEntry, Pick } from './map-payload.ts'
import { type Path, readPath } from './path.ts'
import { followPath, type Place } from './recognition/follow-path.ts'
import type { Leaf } from './recognition/leaves.ts'
import { isScalar, Opener } from './recognition/open-value.ts'
import { phoneAt, type Settled } from './recognition/recognise.ts'

export type OwnerPicks = Settled & { picks: Pick[]; ignores: (key: string) => boolean }

/** What the owner's mapping takes out of a payload, and the values that recognition must leave alone for it. */
export function ownerPicks(
  payload: unknown,
  mapping: MappingEntry[],
  leaves: Leaf[],
  country: CountryCode,
): OwnerPicks {
  const opener = new Opener()
  const picks: Pick[] = []
  const taken = new Set<Leaf>()
  const contacts = new Set<Leaf>()
  const ignored: string[] = []
  if (mapping.length === 0) return { picks, taken, contacts, ignores: () => false }
  const leafAt = new Map<string, Leaf>()
  for (const leaf of leaves) {
    const place = followPath(payload, leaf.path, opener)
    if (place) leafAt.set(place.at, leaf)
  }
  for (const { path, field } of mapping) {
    const place = placeOf(payload, path, opener)
    if (!place) continue
    const within = place.at.slice(0, -1)
    for (const [at, leaf] of leafAt) if (at === place.at || at.startsWith(`${within},`)) taken.add(leaf)
    if (field === 'ignore') ignored.push(path)
    const leaf = leafAt.get(place.at)
    if (leaf && (field === 'email' || field === 'phone')) contacts.add(leaf)
    const phone = leaf && field === 'phone' ? phoneAt(leaf, leaves, country) : undefined
    const value = phone ?? leaf?.value ?? textOf(place.value)
    if (field !== 'ignore' && value !== undefined && value.trim() !== '') {
      picks.push({ field, path, value, reason: 'mapped by hand', by: 'owner' })
    }
  }
  return { picks, taken, contacts, ignores: (key) => ignored.includes(key) }
}

/** A path typed by hand may simply be a key, whatever signs it holds. */
export function placeOf(payload: unknown, text: string, opener: Opener): Place | undefined {
  const asKey = followPath(payload, [text], opener)
  if (asKey) return asKey
  const path: Path | undefined = readPath(text)
  return path && followPath(payload, path, opener)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!Array.isArray(value) || !value.every(isScalar)) return undefined
  return value.filter((item) => item !== null).join(', ')
}
