import type { MappedField } from '#contract/intake/payload'
import type { Mapping } from '../queries.ts'
import type { LeafValue } from './value-tree.ts'

type Entry = Mapping[number]

/** An edited mapping, and the saved one that it is based on. */
export interface Draft {
  base: Mapping
  mapping: Mapping
}

/** Applies the changes of the draft to the saved mapping, which another user may have changed since. */
export function drafted(saved: Mapping, { base, mapping }: Draft): Mapping {
  if (pathsChanged(base, saved).length === 0) return mapping
  const changed = new Set(pathsChanged(base, mapping))
  return [...saved.filter(({ path }) => !changed.has(path)), ...mapping.filter(({ path }) => changed.has(path))]
}

/**
 * Returns the entry of a value. A path may be written in several ways: an entry whose path is not that of any value
 * belongs to the value that the server says is mapped to its field.
 */
export function findEntry(mapping: Mapping, leaf: LeafValue, paths: ReadonlySet<string>): Entry | undefined {
  const exact = mapping.find(({ path }) => path === leaf.path)
  if (exact || leaf.by !== 'owner') return exact
  return mapping.find(({ path, field }) => field === leaf.field && !paths.has(path))
}

/** Maps a value to a field; null resets it to automatic. */
export function withField(
  mapping: Mapping,
  entry: Entry | undefined,
  path: string,
  field: MappedField | null,
): Mapping {
  if (field === null) return mapping.filter((one) => one !== entry)
  if (entry) return mapping.map((one) => (one === entry ? { path: entry.path, field } : one))
  return [...mapping, { path, field }]
}

/** Returns the entries that belong to none of these values. */
export function entriesWithout(mapping: Mapping, values: LeafValue[], paths: ReadonlySet<string>): Mapping {
  const used = new Set(values.map((leaf) => findEntry(mapping, leaf, paths)))
  return mapping.filter((entry) => !used.has(entry))
}

export const changesBetween = (before: Mapping, after: Mapping) => pathsChanged(before, after).length

/** Returns the paths whose field differs, or whose position among the paths of their field: the first is used. */
function pathsChanged(before: Mapping, after: Mapping): string[] {
  const was = new Map(before.map(({ path, field }) => [path, field]))
  const is = new Map(after.map(({ path, field }) => [path, field]))
  const differ = [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path))
  const unchanged = (mapping: Mapping) => mapping.filter(({ path }) => was.get(path) === is.get(path))
  const fields = new Set(after.map(({ field }) => field))
  const moved = [...fields].flatMap((field) => {
    const of = (mapping: Mapping) => unchanged(mapping).flatMap((entry) => (entry.field === field ? [entry.path] : []))
    const [old, now] = [of(before), of(after)]
    return now.filter((path, at) => path !== old[at])
  })
  return [...new Set([...differ, ...moved])]
}
