import { mayBeLeadValue } from './structure/values.ts'

/** More than any sender needs. The rest is left out, so that the work for a payload has a limit. */
const payloadLimits = { keys: 400, likelyKeys: 200, items: 1000, keyLength: 200, nodes: 12_000, depth: 40 }

export type Entries = Record<string, unknown>

/**
 * Cuts a payload to what can be read in bounded time, and returns whether anything was lost. Changes the payload itself,
 * which may also be a list. Of too many keys it keeps the first, those with a possible lead value, and `wanted`, which
 * are mapped by hand.
 */
export function boundPayload(
  payload: Entries,
  wanted: readonly string[] = [],
  limits: { nodes: number; text?: number } = payloadLimits,
): { payload: Entries; cut: boolean; nodes: number } {
  const isWanted = wantedKeys(wanted)
  const holder: Entries = { payload }
  const queue: { holder: Entries | unknown[]; key: string | number; depth: number }[] = [
    { holder, key: 'payload', depth: 0 },
  ]
  let [nodes, cut] = [0, false]
  for (let place = 0; place < queue.length; place++) {
    const { holder, key, depth } = queue[place]!
    const value = (holder as Entries)[key] as Entries | unknown[]
    if (depth > payloadLimits.depth || nodes > limits.nodes) {
      set(holder, key, null)
      cut = true
      continue
    }
    const bounded = Array.isArray(value) ? boundedList(value) : boundedEntries(value, isWanted)
    if (bounded !== undefined) {
      set(holder, key, bounded)
      cut = true
    }
    const inner = bounded ?? value
    const keys = Array.isArray(inner) ? inner.keys() : Object.keys(inner)
    for (const own of keys) {
      nodes++
      const child = (inner as Entries)[own]
      if (typeof child === 'object' && child !== null) queue.push({ holder: inner, key: own, depth: depth + 1 })
      else if (typeof child === 'string' && limits.text !== undefined && child.length > limits.text) {
        set(inner, own, `${child.slice(0, limits.text)}…`)
        cut = true
      }
    }
  }
  return { payload: holder.payload as Entries, cut, nodes }
}

function boundedList(list: unknown[]): unknown[] | undefined {
  return list.length > payloadLimits.items ? list.slice(0, payloadLimits.items) : undefined
}

function boundedEntries(entries: Entries, isWanted: (key: string) => boolean): Entries | undefined {
  const keys = Object.keys(entries)
  if (keys.length <= payloadLimits.keys && keys.every((key) => key.length <= payloadLimits.keyLength)) return undefined
  let extra = 0
  const kept = keys.filter((key, index) => {
    if (index < payloadLimits.keys || isWanted(key)) return true
    return extra < payloadLimits.likelyKeys && mayBeLeadValue(key, entries[key]) && ++extra > 0
  })
  return Object.fromEntries(kept.map((key) => [boundedKey(key), entries[key]]))
}

const boundedKey = (key: string) =>
  key.length > payloadLimits.keyLength ? `${key.slice(0, payloadLimits.keyLength - 1)}…` : key

/** The text of a path may be a key, and so may each of its parts. */
function wantedKeys(paths: readonly string[]): (key: string) => boolean {
  const wanted = new Set(paths.flatMap((path) => [path, ...path.split(/[.[\]"]+/)]))
  return (key) => wanted.has(key) || (key.includes('[') && wanted.has(key.slice(0, key.indexOf('['))))
}

/** A plain assignment to `__proto__` would change the prototype instead. */
function set(holder: Entries | unknown[], key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}
