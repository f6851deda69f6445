import type { CountryCode } from 'libphonenumber-js/max'
import { type FieldMatch, isCallTarget, isEnquiryTarget, type MappedField, type MappingEntry } from './contract.ts'
import { toLeadField } from './lead-builder.ts'
import { type DraftField, fieldReaders } from './lead-draft.ts'
import { type Path, pathText, readPath } from './path.ts'
import { textOf } from './plain-text.ts'
import type { Settled } from './recognition/choose.ts'
import { joinedAt } from './recognition/joined-value.ts'
import { followPath, type Place } from './structure/follow-path.ts'
import type { Leaf } from './structure/leaves.ts'
import { Opener } from './structure/open-value.ts'
import { isBlank } from './structure/values.ts'

/** An entry of the mapping; with a `reason`, one made by hand on another webhook, or declared by a known sender. */
export type EntryToRead = MappingEntry & { reason?: string | undefined; bySender?: boolean }

/** A value at a mapped path that is invalid for its field. */
type Unusable = { field: DraftField; path: string; value: string; leaf: Leaf | undefined; bySender: boolean }

export type ManualMatches = Settled & {
  picks: FieldMatch[]
  /** Placeholders such as `N/A`, used only if no other value is found. */
  placeholders: FieldMatch[]
  unusable: Unusable[]
  /** The mapped paths that the payload does not have. */
  absent: string[]
  /** All values by their place; none if there is no mapping. */
  places: ReadonlyMap<string, Leaf>
  /** What the values are that the mapping decides about, without those that a sender ignores. */
  decided: ReadonlyMap<Leaf, MappedField>
  /** Whether the mapping already used or rejected the value under this key for the field. */
  decides: (field: DraftField, key: string) => boolean
}

/**
 * Returns the fields that the manual mapping and, below it, that of a known sender finds in a payload, and the values that
 * recognition must not use again. A value that is empty or invalid stays available, so that it does not cost a field that
 * recognition finds.
 */
export function manualMatches(
  payload: unknown,
  mapping: EntryToRead[],
  leaves: Leaf[],
  country: CountryCode,
): ManualMatches {
  const opener = new Opener()
  const picks: FieldMatch[] = []
  const placeholders: FieldMatch[] = []
  const unusable: (Unusable & { at: string })[] = []
  const absent: string[] = []
  const taken = new Set<Leaf>()
  const takenPlaces = new Set<string>()
  const contacts = new Set<Leaf>()
  const nameParts = new Set<Leaf>()
  const decided = new Map<Leaf, MappedField>()
  const manual = {
    picks,
    placeholders,
    unusable,
    absent,
    taken,
    contacts,
    nameParts,
    decided,
    places: new Map<string, Leaf>(),
  }
  if (mapping.length === 0) return { ...manual, hasAllContacts: false, decides: () => false }
  const leafAt = placesOf(payload, leaves, opener)
  const markUsed = ({ at }: Place, field: MappedField, bySender: boolean) => {
    for (const leaf of leavesWithin(leafAt, at)) {
      taken.add(leaf)
      if (!(bySender && field === 'ignore')) decided.set(leaf, field)
    }
    takenPlaces.add(at)
  }
  const mappedPlaces = new Set<string>()
  for (const entry of mapping) {
    const { path, field, reason, bySender = false } = entry
    if (isCallTarget(field)) continue
    const place = placeOf(payload, path, opener)
    if (!place) {
      if (reason === undefined) absent.push(path)
      continue
    }
    if (reason !== undefined && (mappedPlaces.has(place.at) || picks.some((one) => outranks(one, entry)))) continue
    // A sender may name a place for several fields: the first that can use it has it.
    if (!bySender) mappedPlaces.add(place.at)
    else if (takenPlaces.has(place.at)) continue
    if (field === 'ignore' || isEnquiryTarget(field)) {
      markUsed(place, field, bySender)
      continue
    }
    const leaf = leafAt.get(place.at)
    const value = leaf?.isChoice ? undefined : (leaf?.value ?? textOf(place.value, maxTextLength))
    const joined = leaf && joinedAt(field, leaf, leaves, country)
    if (value === undefined || value.trim() === '') continue
    if (bySender && field === 'other_contacts' && picks.some((one) => one.value === value)) continue
    const read = isNamePart(field) ? 'name' : field
    const isPlaceholder = isBlank(value.trim())
    if (fieldReaders[read](joined ?? value) === undefined) {
      if (!isPlaceholder) unusable.push({ field: read, path, value, leaf, bySender, at: place.at })
      continue
    }
    const match: FieldMatch = bySender
      ? {
          field,
          path: leaf ? pathText(leaf.path) : path,
          value,
          reason: reason!,
          by: 'recognised',
          confidence: 'sure',
        }
      : { field, path, value, ...matchOrigin(reason) }
    if (isPlaceholder) {
      placeholders.push(match)
      continue
    }
    markUsed(place, field, bySender)
    if (leaf && (field === 'email' || field === 'phone')) contacts.add(leaf)
    if (leaf && isNamePart(field)) nameParts.add(leaf)
    // If a field has several paths, the first with a value is used; notes, tags and contacts are combined.
    if (!combined.has(field) && picks.some((one) => one.field === field)) continue
    picks.push({ ...match, value: joined ?? value })
  }
  const decides = (field: DraftField, key: string) => {
    const at = followPath(payload, [key], opener)?.at
    if (at === undefined) return false
    return takenPlaces.has(at) || unusable.some((one) => one.field === field && one.at === at)
  }
  // A sender names some contacts of the lead, a manual mapping all.
  const hasAllContacts = picks.some(({ field, by }) => (field === 'phone' || field === 'email') && by !== 'recognised')
  return { ...manual, places: leafAt, hasAllContacts, decides }
}

/** Returns leaves by their place, which is the same for all paths to it. */
export function placesOf(payload: unknown, leaves: readonly Leaf[], opener: Opener): Map<string, Leaf> {
  const leafAt = new Map<string, Leaf>()
  for (const leaf of leaves) {
    const place = followPath(payload, leaf.path, opener)
    if (place) leafAt.set(place.at, leaf)
  }
  return leafAt
}

/** Returns the leaves at a place and within it. */
export function leavesWithin(leafAt: ReadonlyMap<string, Leaf>, at: string): Leaf[] {
  const exact = leafAt.get(at)
  if (exact) return [exact]
  const within = `${at.slice(0, -1)},`
  return [...leafAt].flatMap(([other, leaf]) => (other.startsWith(within) ? leaf : []))
}

const combined: ReadonlySet<MappedField> = new Set(['notes', 'tags', 'phone', 'email', 'other_contacts'])

export function matchOrigin(
  reason: string | undefined,
  manually = 'Mapped manually',
): Pick<FieldMatch, 'reason' | 'by'> {
  return reason === undefined ? { reason: manually, by: 'owner' } : { reason, by: 'learned' }
}

/**
 * Whether a field that was found leaves no room for an entry: the manual mapping counts more than one made on another
 * webhook, that more than what a sender declares, and of this the first path of a field.
 */
function outranks({ by, field }: FieldMatch, entry: EntryToRead): boolean {
  if (entry.bySender && by === 'recognised') return field === entry.field && field !== 'other_contacts'
  return (
    toLeadField(field) === toLeadField(entry.field) && (by === 'owner' || (entry.bySender === true && by === 'learned'))
  )
}

const isNamePart = (field: MappedField) => field === 'first_name' || field === 'last_name'

/** Finds a path typed by hand, which may also be one key with dots or brackets. */
export function placeOf(payload: unknown, text: string, opener: Opener): Place | undefined {
  const asKey = followPath(payload, [text], opener)
  if (asKey) return asKey
  const path: Path | undefined = readPath(text)
  return path && followPath(payload, path, opener)
}

/** Longer than any field of a lead may be. */
const maxTextLength = 50_000
