import type { Path } from '../path.ts'
import { type Entries, isScalar, type Opener } from './open-value.ts'
import { means } from './pairs.ts'

export type Table = { keys: ReadonlySet<string>; cells: { label: string; value: unknown; path: Path }[] }

/** `{ columns: ['Name', 'Mobile'], row: ['Asha', '98…'] }`, the row alone or the one row of a list. */
export function tableIn(entries: Entries, keys: string[], opener: Opener): Table | undefined {
  const lists = keys
    .slice(0, 40)
    .map((key) => ({ key, list: opener.open(entries[key]) }))
    .filter((one): one is { key: string; list: unknown[] } => Array.isArray(one.list))
  if (lists.length < 2) return undefined
  const head = lists.find(({ list }) => isHead(list))
  if (!head) return undefined
  for (const { key, list } of lists) {
    if (key === head.key) continue
    const only = list.length === 1 ? opener.open(list[0]) : undefined
    const row = Array.isArray(only) ? only : list
    if (row.length !== head.list.length || !row.every(isScalar)) continue
    const above = row === list ? [key] : [key, 0]
    const cells = row.map((value, at) => ({ label: String(head.list[at]), value, path: [...above, at] }))
    return { keys: new Set([head.key, key]), cells }
  }
  return undefined
}

function isHead(list: unknown[]): boolean {
  if (list.length < 2 || list.length > 200 || new Set(list).size < list.length) return false
  if (!list.every((item) => typeof item === 'string' && item.length <= 200 && !/@|\d{5}/.test(item))) return false
  return list.filter((item) => means(item as string)).length >= 2
}
