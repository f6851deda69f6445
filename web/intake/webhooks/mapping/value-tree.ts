import type { DeliveryPreview } from '#contract/intake/payload'

export type LeafValue = DeliveryPreview['values'][number]
export type Node = { key: string; leaf: LeafValue } | { key: string; children: Node[] }

type Branch = { key: string; children: (Branch | { key: string; leaf: LeafValue })[]; at: Map<string | number, Branch> }

/** Returns the values of a payload as a tree; a branch with one child is joined with it. */
export function buildTree(values: LeafValue[]): Node[] {
  const root = branch('')
  for (const leaf of values) {
    let into = root
    for (const segment of leaf.segments.slice(0, -1)) {
      let next = into.at.get(segment)
      if (!next) {
        next = branch(keyOf(segment))
        into.at.set(segment, next)
        into.children.push(next)
      }
      into = next
    }
    into.children.push({ key: keyOf(leaf.segments.at(-1) ?? ''), leaf })
  }
  return root.children.map(joined)
}

const branch = (key: string): Branch => ({ key, children: [], at: new Map() })
const keyOf = (segment: string | number) => (typeof segment === 'number' ? `[${segment}]` : segment)

function joined(node: Branch['children'][number]): Node {
  if ('leaf' in node) return node
  const [only] = node.children
  if (node.children.length === 1 && only) {
    const inner = joined(only)
    return { ...inner, key: inner.key.startsWith('[') ? node.key + inner.key : `${node.key} › ${inner.key}` }
  }
  return { key: node.key, children: node.children.toSorted(byPlace).map(joined) }
}

/** The server lists deeper values later; the items of a list are shown in their order. */
const byPlace = (a: { key: string }, b: { key: string }) => placeOf(a.key) - placeOf(b.key)
const placeOf = (key: string) => Number(/^\[(\d+)\]$/.exec(key)?.[1] ?? 0)
