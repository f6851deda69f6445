import { isEntries, isScalar, type Opener } from './open-value.ts'
import { hasValueKey, idsOf, isContact, isFilled, labelsOf, means } from './pairs.ts'

/** A question whose answer is elsewhere, under its id or name. */
export type Question = { label: string; type: string | undefined; choices: Map<string, string> | undefined }

/** Returns all questions of a payload by each of their ids. */
export function questionsIn(root: unknown, opener: Opener): { byId: Map<string, Question>; lists: Set<unknown> } {
  const byId = new Map<string, Question>()
  const lists = new Set<unknown>()
  const stack: { value: unknown; key: string; label: string; depth: number }[] = [
    { value: root, key: '', label: '', depth: 0 },
  ]
  for (let visited = 0; stack.length > 0 && visited < 3000; visited++) {
    const { value, key: listKey, label, depth } = stack.pop()!
    if (depth > 12) continue
    const opened = opener.open(value)
    if (Array.isArray(opened)) {
      const items = opened.slice(0, 300).map((item) => opener.open(item))
      const asked = questionLists.test(listKey) && items.length > 0 && items.every(isQuestion)
      if (asked) lists.add(opened)
      for (const item of items) {
        const own = asked ? register(item as Record<string, unknown>, label, byId) : label
        if (!isScalar(item)) stack.push({ value: item, key: listKey, label: asked ? own : '', depth: depth + 1 })
      }
    } else if (isEntries(opened)) {
      registerNumbered(opened, byId)
      registerParallel(opened, opener, byId, lists)
      for (const key of Object.keys(opened).slice(0, 300)) {
        const child = opened[key]
        if (typeof child === 'object' || typeof child === 'string') {
          stack.push({ value: child, key, label: /sub|child|input|part/i.test(key) ? label : '', depth: depth + 1 })
        }
      }
    }
  }
  return { byId, lists }
}

const questionLists =
  /question|field|schema|defin|column|element|option|choice|input|propert|block|item|component|control/i

function isQuestion(item: unknown): boolean {
  if (!isEntries(item)) return false
  const keys = Object.keys(item)
  if (
    keys.length > 40 ||
    isFilled(item, keys) ||
    hasValueKey(keys.filter((key) => item[key] !== null && item[key] !== ''))
  )
    return false
  if (keys.some((key) => isContact(key, item[key]) || (typeof item[key] === 'string' && item[key].includes('@'))))
    return false
  const ids = idsOf(item, keys)
  return ids.length > 0 && labelIn(item, keys, ids) !== undefined
}

function register(item: Record<string, unknown>, above: string, byId: Map<string, Question>): string {
  const keys = Object.keys(item)
  const ids = idsOf(item, keys)
  const own = labelIn(item, keys, ids) ?? ''
  const label = above && above !== own ? `${above} ${own}` : own
  const type = keys.find((key) => /^(field|question|input)?_?type$/i.test(key))
  const question = { label, type: type ? String(item[type]) : undefined, choices: choicesOf(item) }
  for (const id of ids) byId.set(id, question)
  return label
}

/** Returns a text that is not an id or, of several ids, the first with a meaning. */
function labelIn(item: Readonly<Record<string, unknown>>, keys: string[], ids: string[]): string | undefined {
  return labelsOf(item, keys).find((label) => !ids.includes(label)) ?? (ids.length > 1 ? ids.find(means) : undefined)
}

const asking = /\d.*(question|label)|(question|label).*\d|\w[ _-]?key$/i

/** `{ '1_question': 'Company', '1_response': 'Rao Tools' }`, or `item_key` and `item_value`: the answer is named as its question is. */
function registerNumbered(entries: Readonly<Record<string, unknown>>, byId: Map<string, Question>): void {
  const keys = Object.keys(entries).slice(0, 300)
  for (const key of keys) {
    const label = key.length < 40 && asking.test(key) ? entries[key] : undefined
    if (typeof label !== 'string') continue
    const answers = ['response', 'answer', 'value'].map((word) => key.toLowerCase().replace(/question|label|key/, word))
    for (const other of keys)
      if (answers.includes(other.toLowerCase())) byId.set(other, { label, type: undefined, choices: undefined })
  }
}

/** `{ labels: { f1: 'Name' }, answers: { f1: 'Asha' } }`: one object has the names of the values of the other, or of that around it. */
function registerParallel(
  entries: Readonly<Record<string, unknown>>,
  opener: Opener,
  byId: Map<string, Question>,
  lists: Set<unknown>,
): void {
  const maps = Object.keys(entries)
    .slice(0, 40)
    .map((key) => opener.open(entries[key]))
    .filter((child) => isEntries(child))
  for (const labels of maps) {
    const keys = Object.keys(labels)
    if (keys.length < 2 || keys.length > 300 || hasValueKey(keys)) continue
    if (!keys.every((key) => typeof labels[key] === 'string')) continue
    const twin = [...maps, entries].find(
      (map) => map !== labels && keys.filter((key) => Object.hasOwn(map, key)).length >= 2,
    )
    if (!twin) continue
    const named = keys.filter((key) => means(labels[key] as string)).length
    if (named < 2 || named * 2 < keys.length || keys.filter(means).length >= named) continue
    lists.add(labels)
    for (const key of keys) byId.set(key, { label: labels[key] as string, type: undefined, choices: undefined })
  }
}

function one(choice: Readonly<Record<string, unknown>>, wanted: readonly string[]): unknown {
  const keys = Object.keys(choice).slice(0, 20)
  for (const name of wanted) {
    const key = keys.find((key) => key.toLowerCase() === name)
    if (key !== undefined && choice[key] !== null && choice[key] !== undefined) return choice[key]
  }
  return undefined
}

/** Returns the texts of choices by their ids, from `options`, `choices` or the like. */
export function choicesOf(item: Readonly<Record<string, unknown>>): Map<string, string> | undefined {
  for (const key of Object.keys(item).slice(0, 40)) {
    const list = /option|choice/i.test(key) ? item[key] : undefined
    if (!Array.isArray(list)) continue
    const choices = new Map<string, string>()
    for (const choice of list.slice(0, 300)) {
      if (!isEntries(choice)) continue
      const text = one(choice, ['text', 'label', 'name', 'title', 'value'])
      const id = one(choice, ['id', 'ref', 'key', 'value'])
      if (isScalar(text) && isScalar(id)) choices.set(String(id), String(text))
    }
    if (choices.size > 0) return choices
  }
  return undefined
}
