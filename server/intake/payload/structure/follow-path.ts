import type { Path } from '../path.ts'
import { isEntries, isScalar, type Opener } from './open-value.ts'
import { type Pair, pairOf, pairsOf } from './pairs.ts'

/** The value at a path, and its exact place, which is the same for all paths to it. */
export type Place = { value: unknown; at: string }

export function followPath(payload: unknown, path: Path, opener: Opener): Place | undefined {
  let value = opener.open(payload)
  const at: (string | number)[] = []
  for (let index = 0; index < path.length; index++) {
    const segment = path[index]!
    const next = Array.isArray(value) ? inList(value, segment, opener) : inEntries(value, path, index)
    if (!next) return undefined
    at.push(...next.steps)
    index += next.used - 1
    value = opener.open(next.value)
  }
  for (let depth = 0; depth < 3 && !isScalar(value); depth++) {
    const pair = isEntries(value) ? pairOf(value) : undefined
    if (pair) at.push(pair.valueKey)
    else if (Array.isArray(value) && value.length === 1) at.push(0)
    else break
    value = opener.open(pair ? pair.value : (value as unknown[])[0])
  }
  return { value, at: JSON.stringify(at.map(String)) }
}

type Step = { value: unknown; steps: (string | number)[]; used: number }

function inList(list: unknown[], segment: string | number, opener: Opener): Step | undefined {
  if (typeof segment === 'number' || /^\d{1,6}$/.test(segment)) {
    const index = Number(segment)
    return index < list.length ? { value: list[index], steps: [index], used: 1 } : undefined
  }
  const pairs = pairsIn(list, opener)
  const same = (label: string) => label.toLowerCase() === segment.toLowerCase()
  const index = pairs?.findIndex((pair) => pair.labels.includes(segment)) ?? -1
  const found = index >= 0 ? index : (pairs?.findIndex((pair) => pair.labels.some(same)) ?? -1)
  const pair = pairs?.[found]
  if (pair) return { value: pair.value, steps: [found, pair.valueKey], used: 1 }
  const first = opener.open(list[0])
  if (isEntries(first) && Object.hasOwn(first, segment)) return { value: first[segment], steps: [0, segment], used: 1 }
  return undefined
}

const remembered = new WeakMap<unknown[], { pairs: Pair[] | undefined }>()

function pairsIn(list: unknown[], opener: Opener): Pair[] | undefined {
  const known = remembered.get(list)
  if (known) return known.pairs
  const pairs = pairsOf(list.slice(0, 400).map((item) => opener.open(item)))
  remembered.set(list, { pairs })
  return pairs
}

/** Finds a key that may contain dots: `name.first` is one key in some payloads and two in others. */
function inEntries(value: unknown, path: Path, index: number): Step | undefined {
  if (!isEntries(value)) return undefined
  for (let used = 1; used <= Math.min(path.length - index, 8); used++) {
    const key = path.slice(index, index + used).join('.')
    if (Object.hasOwn(value, key)) return { value: value[key], steps: [key], used }
  }
  return undefined
}
