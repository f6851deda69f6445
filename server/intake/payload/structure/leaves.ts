import { mailboxIn } from '../../../crm/contacts/parse-contact.ts'
import type { Path } from '../path.ts'
import { distinctTexts, textOf } from '../plain-text.ts'
import { meaningOf } from '../words/meaning.ts'
import { isEntries, isScalar, Opener } from './open-value.ts'
import { holdsRecords, isContact, means, namedOutside, type Pair, pairOf, pairsOf } from './pairs.ts'
import { choicesOf, questionsIn } from './questions.ts'
import { tableIn } from './table.ts'
import { mayBeLeadValue } from './values.ts'

/** The values of one object, or of one list of names and values. */
export type Group = { parent: Group | undefined; name?: string | undefined }

/** One value of a payload with its names and surroundings. */
export type Leaf = {
  path: Path
  value: string
  /** Its names, best first: its key, the name of its entry, the text of its question. */
  labels: string[]
  /** The keys around it, innermost first. */
  around: string[]
  type: string | undefined
  group: Group
  /** A box that was ticked or not, in which recognition finds nothing. */
  isChoice?: true
}

/** The type of a value that is a list of choices. */
const several = 'choices'

/** Limits of the work for one payload. */
export const limits = { depth: 14, nodes: 3000, leaves: 1200, entries: 600, text: 50_000 }

type Node = {
  value: unknown
  path: Path
  labels: string[]
  around: string[]
  type: string | undefined
  choices: Map<string, string> | undefined
  group: Group
  depth: number
}

export const leavesOf = (payload: unknown): Leaf[] => readLeaves(payload).leaves

interface Leaves {
  leaves: Leaf[]
  /** The leaves and, in their order, the choices among them. */
  all: Leaf[]
  /** There are more, which are left out. */
  cut: boolean
  /** Of texts with JSON, one is not valid. */
  hasRawControls: boolean
}

export function readLeaves(payload: unknown): Leaves {
  const opener = new Opener()
  const questions = questionsIn(payload, opener)
  const found: Leaf[] = []
  let cut = false
  const root = { parent: undefined }
  // Level by level, so that the deepest values of a large payload are left out.
  const nodes: Node[] = [
    { value: payload, path: [], labels: [], around: [], type: undefined, choices: undefined, group: root, depth: 0 },
  ]
  for (let at = 0; at < nodes.length && at < limits.nodes; at++) {
    const node = nodes[at]!
    const value = opener.open(node.value)
    if (isScalar(value)) addLeaf(node, value)
    else if (node.depth < limits.depth) {
      const inner = Array.isArray(value) ? ofList(node, value) : ofEntries(node, value as Record<string, unknown>)
      const room = Math.max(0, limits.nodes - nodes.length)
      if (inner.length > room) cut = true
      nodes.push(...inner.slice(0, room))
    } else cut = true
  }
  const { hasRawControls } = opener
  const all = likeliestLeaves(found)
  return {
    leaves: all.filter(({ isChoice }) => !isChoice),
    all,
    cut: cut || found.length > limits.leaves,
    hasRawControls,
  }

  function addLeaf(node: Node, value: unknown) {
    const said = typeof value === 'boolean' ? directionOf(node.labels[0], value) : textOf(value, limits.text)
    const text = said ?? (typeof value === 'boolean' ? String(value) : undefined)
    if (text === undefined) return
    const { path, labels, around, type, group } = node
    const leaf = { path, value: node.choices?.get(text) ?? text, labels, around, type, group }
    found.push(said === undefined ? { ...leaf, isChoice: true } : leaf)
  }

  function child(node: Node, value: unknown, path: Path, more: Partial<Node>): Node {
    const { around, group, depth } = node
    return { value, path, labels: [], around, type: undefined, choices: undefined, group, depth: depth + 1, ...more }
  }

  function ofList(node: Node, list: unknown[]): Node[] {
    if (questions.lists.has(list)) return []
    if (list.length > limits.entries) cut = true
    const items = list.slice(0, limits.entries)
    if (items.every((item) => isScalar(item) && !isJson(item))) return ofScalars(node, items)
    const pairs = pairsOf(items.map((item) => opener.open(item)))
    if (pairs) return ofPairs(node, pairs, items)
    return items.map((item, index) =>
      child(node, item, [...node.path, index], { labels: node.labels, group: groupIn(node), type: node.type }),
    )
  }

  function isJson(item: unknown): boolean {
    return typeof item === 'string' && opener.open(item) !== item
  }

  function ofScalars(node: Node, items: unknown[]): Node[] {
    // The emails of several people.
    if (items.length > 1 && items.every((item) => typeof item === 'string' && mailboxIn(item) !== undefined))
      return items.map((item, index) => ({ ...node, value: item, path: [...node.path, index], depth: node.depth + 1 }))
    const path = items.length === 1 ? [...node.path, 0] : node.path
    const texts = distinctTexts(
      items.filter((item) => typeof item !== 'boolean'),
      limits.text,
    )
    if (texts.length === 0) return []
    const value = texts.map((text) => node.choices?.get(text) ?? text).join(', ')
    const type = texts.length > 1 ? (node.type ?? several) : node.type
    return [{ ...node, value: value.slice(0, limits.text), path, type, choices: undefined, depth: node.depth + 1 }]
  }

  function ofPairs(node: Node, pairs: Pair[], items: unknown[]): Node[] {
    const group = groupIn(node)
    const seen = new Map<string, number>()
    for (const pair of pairs) for (const label of new Set(pair.labels)) seen.set(label, (seen.get(label) ?? 0) + 1)
    return pairs.flatMap((pair, index) => {
      const name = pair.labels[0]
      // In a path, a number is a place in a list.
      const unique = name !== undefined && !/^\d+$/.test(name) && seen.get(name) === 1
      const key = Array.isArray(opener.open(items[index])) ? 1 : pair.valueKey
      const path = unique ? [...node.path, name] : [...node.path, index, key]
      return ofPair({ ...node, group, around: around(node) }, pair, opener.open(items[index]), path)
    })
  }

  function ofPair(node: Node, pair: Pair, item: unknown, path: Path): Node[] {
    const asked = pair.ids.map((id) => questions.byId.get(id)).find((question) => question !== undefined)
    const named = [...(asked ? [asked.label] : []), ...pair.labels]
    const labels = [...new Set(named.some(means) ? named : [...named, ...pair.ids])]
    const type = pair.type ?? asked?.type
    const choices = (isEntries(item) ? choicesOf(item) : undefined) ?? asked?.choices
    const plain = plainly(opener.open(pair.value), opener)
    const own = child(node, plain.value, [...path, ...plain.steps], { labels, type, choices, group: node.group })
    return [own, ...nestedLists(node, pair, item, path)]
  }

  /** A question's parts may themselves be answered. */
  function nestedLists(node: Node, pair: Pair, item: unknown, path: Path): Node[] {
    if (!isEntries(item)) return []
    const above = path.slice(0, -1)
    return Object.keys(item)
      .filter((key) => key !== pair.valueKey && /^(sub|child|fields|questions|inputs|answers)/i.test(key))
      .filter((key) => Array.isArray(item[key]))
      .map((key) => child(node, item[key], [...above, key], { labels: pair.labels, around: node.around }))
  }

  function ofEntries(node: Node, entries: Record<string, unknown>): Node[] {
    const all = Object.keys(entries)
    if (all.length > limits.entries) cut = true
    const keys = all.slice(0, limits.entries)
    const group = groupIn(node)
    const table = tableIn(entries, keys, opener)
    const cells = (table?.cells ?? []).map(({ label, value, path }) =>
      child({ ...node, group, around: around(node) }, value, [...node.path, ...path], { labels: [label] }),
    )
    const prefix = prefixOf(keys)
    const records = new Map<string, Group>()
    const others = table ? keys.filter((key) => !table.keys.has(key)) : keys
    const rest = others.flatMap((key) => {
      const path = [...node.path, key]
      const value = opener.open(entries[key])
      const question = questions.byId.get(key)
      const inner = { ...node, group, around: around(node) }
      const pair = isEntries(value) ? (pairOf(value) ?? namedOutside(value)) : undefined
      if (
        pair &&
        isEntries(value) &&
        !holdsRecords(value, pair) &&
        isScalarish(plainly(opener.open(pair.value), opener).value)
      ) {
        return ofPair(inner, { ...pair, labels: [...pair.labels, key] }, value, [...path, pair.valueKey])
      }
      // Surveys and chatbots write the names of groups before that of a question or a variable.
      const groups = inGroups.test(key) ? key.split(/[./]/) : [key]
      const last = groups.pop()!
      const record = key.includes('.') ? recordOf(groups) : group
      const own = prefix ? last.replace(prefix, '') : last
      const named = question && question.label !== key ? [question.label, own] : [own]
      const labels = means(named[0]!) && !means(own) ? named.slice(0, 1) : named
      const of = { ...inner, group: record, around: [...groups.reverse(), ...inner.around] }
      return [child(of, entries[key], path, { labels, type: question?.type, choices: question?.choices })]
    })
    return [...cells, ...rest]

    /** The record that these names lead to, as if its entries were nested. */
    function recordOf(names: readonly string[]): Group {
      return names.reduce((outer, name, depth) => {
        const path = names.slice(0, depth + 1).join('.')
        const record = records.get(path) ?? groupIn({ ...node, group: outer, labels: [name] })
        records.set(path, record)
        return record
      }, group)
    }
  }
}

/** `group/question` and `form.email`, no deeper than records are read. */
const inGroups = /^[\w-]+(\/[\w-]+){1,13}$|^[a-z_]\w+(\.[a-z_]\w+){1,13}$/i

/** Returns what all keys with a meaning begin with: `x_` of custom fields, `field_` of a form's, `frm` of `frmemail`. */
function prefixOf(keys: readonly string[]): RegExp | undefined {
  const isPrefix = (prefix: RegExp) =>
    keys.filter((key) => prefix.test(key)).length >= 4 &&
    keys.some((key) => prefix.test(key) && means(key.replace(prefix, '')))
  return prefixes.find(isPrefix) ?? meaninglessPrefix(keys)
}

/** Returns a few letters that are written together with the names of a contact, so that these mean nothing. */
function meaninglessPrefix(keys: readonly string[]): RegExp | undefined {
  const hides = (start: string) =>
    keys.filter((key) => key.startsWith(start) && !means(key) && means(key.slice(start.length))).length > 2
  const start = keys
    .filter((key) => contactKey.test(key) && !means(key))
    .map((key) => contactKey.exec(key)![1]!)
    .find(hides)
  return start === undefined ? undefined : new RegExp(`^${start}`)
}

const contactKey = /^([a-z]{2,5})(?:e?mail|phone|mobile)$/i

const prefixes = [/^[xX](?:[_ -]+|(?=[A-Z]))/, /^(?:field|Field|FIELD)(?:[_ -]+|(?=[A-Z]))/]

/** Returns the leaves with a possible lead value and the first of the others, in their order. */
function likeliestLeaves(leaves: Leaf[]): Leaf[] {
  if (leaves.length <= limits.leaves) return leaves
  const likely = new Set(leaves.filter(({ labels, value }) => mayBeLeadValue(labels[0] ?? '', value)).slice(0, 800))
  let room = limits.leaves - likely.size
  return leaves.filter((leaf) => likely.has(leaf) || room-- > 0)
}

function isScalarish(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar))
}

function around(node: Node): string[] {
  return node.labels.length > 0 ? [...node.labels.slice(0, 1), ...node.around] : node.around
}

/** The parts of a name, an address or a phone number belong to what is beside them, not to a group of their own. */
function groupIn(node: Node): Group {
  const label = node.labels[0]
  if (label === undefined) return node.path.length === 0 ? node.group : { parent: node.group, name: label }
  const { senses, person, words } = meaningOf(label)
  const part =
    !person &&
    // A message, and not a number.
    !words.includes('sms') &&
    !/^(region|zone)$/i.test(label) &&
    ['email', 'phone', 'name', 'city', 'place'].some((sense) => (senses[sense as 'email'] ?? 0) >= 60)
  return part ? node.group : { parent: node.group, name: label }
}

/** Returns the text of an answer from its wrappers. */
function plainly(value: unknown, opener: Opener): { value: unknown; steps: (string | number)[] } {
  const steps: (string | number)[] = []
  let inner = value
  for (let depth = 0; depth < 5 && !isScalar(inner); depth++) {
    const list = Array.isArray(inner)
    // What was chosen, beside its ids: `{ ids: ['a1'], labels: ['Pune'] }`.
    if (isEntries(inner) && Array.isArray(inner.labels) && inner.labels.every(isScalar))
      return { value: inner.labels, steps: [...steps, 'labels'] }
    const keys = isEntries(inner) ? Object.keys(inner) : []
    const key = Array.isArray(inner)
      ? onlyItem(inner, opener)
      : keys.length === 1
        ? keys[0]
        : (onlyText(inner as Record<string, unknown>) ?? filledAnswer(inner as Record<string, unknown>))
    if (key === undefined) return list ? { value, steps: [] } : { value: inner, steps }
    steps.push(key)
    inner = opener.open((inner as Record<string | number, unknown>)[key])
  }
  return { value: inner, steps }
}

/** A list of one is its item, unless that has a name of its own. */
function onlyItem(list: readonly unknown[], opener: Opener): 0 | undefined {
  if (list.length !== 1 || isScalar(list[0])) return undefined
  return pairOf(opener.open(list[0])) && !isAnswer(list[0]) ? undefined : 0
}

const isAnswer = (item: unknown) =>
  isEntries(item) && Object.keys(item).some((key) => /^answer[ _-]?(id|text)$/i.test(key))

/** `{ answerText: '', value: { text: 'Pune' } }`: of the texts of an answer, the first that is filled. */
function filledAnswer(entries: Readonly<Record<string, unknown>>): string | undefined {
  if (!isAnswer(entries)) return undefined
  const isFilled = (value: unknown) =>
    isScalar(value) ? typeof value === 'string' && value.trim() !== '' : isEntries(value)
  return ['answertext', 'text', 'value'].flatMap((wanted) =>
    Object.keys(entries).filter((key) => key.toLowerCase().replace(/[ _-]/g, '') === wanted && isFilled(entries[key])),
  )[0]
}

const plainKeys = ['value', 'text', 'label', 'name', 'title', 'plaintext', 'content', 'displayvalue']

/** `{ label: 'Pune' }` or `{ text: 'Pune' }` as an answer is only its text. */
function onlyText(entries: Readonly<Record<string, unknown>>): string | undefined {
  const keys = Object.keys(entries)
  if (keys.length > 8 || keys.some((key) => isContact(key, entries[key]))) return undefined
  for (const wanted of plainKeys) {
    // The name of what is called with these arguments.
    if (/^(name|title)$/.test(wanted) && keys.some((key) => holdsSeveral(entries[key]))) continue
    const name = keys.find((key) => key.toLowerCase().replace(/[ _-]/g, '') === wanted)
    if (
      name !== undefined &&
      typeof entries[name] === 'string' &&
      !keys.some((key) => /first|last|given|family/i.test(key))
    )
      return name
  }
  return undefined
}

const holdsSeveral = (value: unknown) => isEntries(value) && Object.keys(value).length > 1

/** The names of booleans that say of a contact that it is the business's. */
const isOurs = /^(is[ _-]?)?(self|me|host|moderator|organi[sz]er|internal|agent|staff|bot|employee|admin[ _-]?access)$/i

/** The names of booleans that say of a person whether they are the business's. */
const isExternal = /^is[ _-]?external$/i

/**
 * The booleans that count: `inbound: false` says whose number is the business's, `success: true` that a service answers,
 * `organizer: true` that a contact is the business's, `has_voicemail: true` and `answered: false` that nobody answered.
 */
function directionOf(label: string | undefined, yes: boolean): string | undefined {
  if (/^(success|successful|ok|valid|(is|was)?[ _-]?(answered|missed))$/i.test(label ?? '')) return String(yes)
  if (isOurs.test(label ?? '') || /voice_?mail|machine_?detected/i.test(label ?? '')) return yes ? 'true' : undefined
  if (isExternal.test(label ?? '')) return yes ? 'external' : 'internal'
  const said = /^(?:is_?)?(?:(in)(?:bound|coming)|out(?:bound|going))$/i.exec(label ?? '')
  if (!said) return undefined
  return (said[1] !== undefined) === yes ? 'inbound' : 'outbound'
}
