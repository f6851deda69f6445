import type { CountryCode } from 'libphonenumber-js/max'
import { mailboxIn, phoneIn } from '../../crm/contacts/parse-contact.ts'
import { boundPayload } from './bound-payload.ts'
import { findCall } from './call/find-call.ts'
import { maxRecords } from './contract.ts'
import { recognise } from './recognition/recognise.ts'
import { findSender, recordPlaces } from './senders/read-sender.ts'
import { type Records, recordsAmong, withoutAgentsEvents } from './sides-of-one.ts'
import { leavesOf } from './structure/leaves.ts'
import { isEntries, Opener } from './structure/open-value.ts'
import { isContact, pairsOf } from './structure/pairs.ts'
import { meaningOf } from './words/meaning.ts'

type Entries = Record<string, unknown>
type Path = (string | number)[]

/** The values around the list are added to each record while all together are no longer than this. */
const maxAround = 4_000_000

const limits = { lists: 300, depth: 8, looked: 3, alike: 20, tried: 3, beside: 150 }

/**
 * Splits a payload with several people into records, each a payload of its own: the values around the list, with one
 * element of it. Null if the payload is about one person. If the body is a list (`isList`), its elements are always
 * records. Of more than `maxRecords`, the last is a payload, or a list, with all the others.
 */
export function recordsIn(sent: Entries, country: CountryCode, isList: boolean): Entries[] | null {
  if (isList) {
    const list = [...withoutAgentsEvents(sent.records as Entries[])]
    const rest = list.slice(maxRecords)
    return rest.length > 0 ? [...list.slice(0, maxRecords), rest as unknown as Entries] : list
  }
  const known = splitByPath(sent)
  const payload = known ? sent : opened(sent)
  const split = known ?? splitRecords(payload, country, 0, maxRecords)
  if (!split || split.paths.length === 0) return null
  const { paths, rest } = split
  const arounds = new Map<string, { around: Entries; length: number }>()
  const aroundOf = (path: Path) => {
    const place = JSON.stringify(path.slice(0, -1))
    const known = arounds.get(place)
    if (known) return known
    const around = withoutContacts(withOnly(payload, path, undefined))
    const made = { around, length: JSON.stringify(around).length }
    arounds.set(place, made)
    return made
  }
  let length = 0
  for (const path of paths) if (length <= maxAround) length += aroundOf(path).length
  const records = paths.map((path) => {
    const around = length <= maxAround ? aroundOf(path).around : {}
    // Each list on the path has one element left.
    const place = path.map((segment) => (typeof segment === 'number' ? 0 : segment))
    return withOnly(around, place, valueAt(payload, path), siblings(payload, path))
  })
  return rest ? [...records, rest] : records
}

/** Returns the payload with its texts of JSON and the names of a form, `calls[0][to]`, as objects and lists. */
function opened(payload: Entries): Entries {
  const mayHold = ([key, value]: [string, unknown]) =>
    key.includes('][') || (typeof value === 'string' && /^\s*[[{]/.test(value) && value.includes('{'))
  if (!Object.entries(payload).some(mayHold)) return payload
  const opener = new Opener()
  const open = (value: unknown, depth: number): unknown => {
    const inner = opener.open(value)
    if (typeof inner !== 'object' || inner === null || depth > limits.depth) return inner
    if (Array.isArray(inner)) return inner.map((item) => open(item, depth + 1))
    return Object.fromEntries(Object.entries(inner).map(([key, child]) => [key, open(child, depth + 1)]))
  }
  return open(payload, 0) as Entries
}

/** Returns the paths of the records of a known sender; none if it sends one lead at a time. */
function splitByPath(payload: Entries): { paths: Path[]; rest: null } | undefined {
  const sender = findSender(payload)
  if (!sender) return undefined
  const paths = recordPlaces(sender, payload)
  if (paths.length > maxRecords) return undefined
  // A list with one lead is read as it is.
  const isOne = paths.length === 1 && paths[0]!.every((step) => step === 0 || typeof step === 'string')
  return { paths: isOne ? [] : paths, rest: null }
}

/** Returns the paths of the first records, and the payload without them if there are more than `room`. */
function splitRecords(
  payload: Entries,
  country: CountryCode,
  depth: number,
  room: number,
): { paths: Path[]; rest: Entries | null } | null {
  const found = listOfRecords(payload, country)
  if (!found) return null
  const { path, list, isRecord } = found
  const paths: Path[] = []
  for (let at = 0; at < list.length; at++) {
    const element = list[at]
    if (!isEntries(element) || !isRecord(element)) continue
    // A list of one is not read as records.
    if (paths.length >= room && at < list.length - 1) return { paths, rest: withOnly(payload, path, list.slice(at)) }
    const inner = depth < 2 ? splitRecords(element as Entries, country, depth + 1, room - paths.length) : null
    for (const one of inner?.paths ?? [[]]) paths.push([...path, at, ...one])
    if (inner?.rest) return { paths, rest: withOnly(payload, path, [inner.rest, ...list.slice(at + 1)]) }
  }
  return { paths, rest: null }
}

interface RecordList extends Records {
  path: Path
  list: unknown[]
}

/** Finds the uppermost list whose elements each have a contact of their own. */
function listOfRecords(payload: Entries, country: CountryCode): RecordList | null {
  const queue: { value: unknown; path: Path }[] = [{ value: payload, path: [] }]
  let tried = 0
  for (let place = 0; place < queue.length && place < limits.lists && tried < limits.tried; place++) {
    const { value, path } = queue[place]!
    if (Array.isArray(value) && mayBeRecords(value)) {
      const among = recordsAmong(value, path, payload)
      const found = among && { path, list: value, ...among }
      if (found && holdContacts(payload, found, country)) return found
      tried++
    }
    if (path.length >= limits.depth) continue
    // A list inside one of several elements does not have all records.
    if (Array.isArray(value) && value.length > 1) continue
    const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value as Entries)
    for (const [key, child] of inner) {
      if (typeof child === 'object' && child !== null && queue.length < limits.lists)
        queue.push({ value: child, path: [...path, key] })
    }
  }
  return null
}

/** Whether all its elements have the same shape, and their keys and values are no pairs. */
function mayBeRecords(list: unknown[]): boolean {
  if (list.length < 2) return false
  const looked = list.filter((item) => item !== null).slice(0, limits.alike)
  if (looked.length < 2 || !looked.every(isEntries)) return false
  const [first, ...others] = looked.map((item) => Object.keys(item as Entries))
  if (!others.every((keys) => isAlike(first!, keys))) return false
  const named = Object.entries(looked[0] as Entries).some(([key, value]) => isContact(key, value))
  return named || pairsOf(list.slice(0, 300)) === undefined
}

function isAlike(one: string[], other: string[]): boolean {
  const shared = other.filter((key) => one.includes(key)).length
  return shared * 2 >= Math.min(one.length, other.length) && shared > 0
}

/** Whether each of the first records, alone in the list, would be read with a contact that only it has. */
function holdContacts(
  payload: Entries,
  { path, list, isRecord, mustDiffer }: RecordList,
  country: CountryCode,
): boolean {
  const looked = list.flatMap((item, at) => (isEntries(item) && isRecord(item) ? [at] : [])).slice(0, limits.looked)
  const held = looked.flatMap((at) => {
    const element = [...path, at]
    const beside = siblings(payload, element)
    // `boundPayload` changes its argument.
    const alone = boundPayload(structuredClone(withOnly(payload, element, firstOnly(list[at]), beside))).payload
    const leaves = leavesOf(alone)
    const customer = findCall(leaves, false)?.customer ?? []
    const found = customer.length > 0 ? customer : recognise(leaves, country).found.filter(isOfContact)
    const contacts = found.map(({ value }) => comparable(value))
    const emptied = beside.map((list) => ({ ...list, elements: [] }))
    const around = contactsWithin(withOnly(payload, element, undefined, emptied))
    const own = contactsWithin(list[at])
    const isOwn = contacts.length > 0 && contacts.every((contact) => own.has(contact) && !around.has(contact))
    return isOwn ? [contacts.join(' ')] : []
  })
  return (mustDiffer ? new Set(held).size : held.length) >= 2
}

const isOfContact = ({ field }: { field: string }) => field === 'phone' || field === 'email'

/** Shortens lists of records within a record to the first, which is enough to see that they have contacts. */
function firstOnly(value: unknown, depth = 0): unknown {
  if (depth > limits.depth) return value
  if (Array.isArray(value)) {
    const isRecords =
      value.length > 1 && value.slice(0, 20).every(isEntries) && pairsOf(value.slice(0, 20)) === undefined
    return (isRecords ? value.slice(0, 1) : value).map((item) => firstOnly(item, depth + 1))
  }
  if (!isEntries(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, firstOnly(inner, depth + 1)]))
}

/**
 * Returns the lists beside the records with the same people (WhatsApp's contacts beside its messages): of each, the
 * elements that share a number or an email with the record.
 */
function siblings(payload: Entries, path: Path): { path: Path; elements: unknown[] }[] {
  const listPath = path.slice(
    0,
    path.findLastIndex((segment) => typeof segment === 'number'),
  )
  const parentPath = listPath.slice(0, -1)
  const parent = valueAt(payload, parentPath)
  const list = valueAt(payload, listPath)
  if (!isEntries(parent) || !Array.isArray(list) || list.length > limits.beside) return []
  const own = contactsWithin(valueAt(payload, path))
  return Object.entries(parent).flatMap(([key, value]) => {
    if (
      key === listPath.at(-1) ||
      !Array.isArray(value) ||
      value.length < 2 ||
      value.length > limits.beside ||
      !value.every(isEntries)
    )
      return []
    const elements = value.filter((item) => !own.isDisjointFrom(contactsWithin(item)))
    return elements.length > 0 ? [{ path: [...parentPath, key], elements }] : []
  })
}

const within = new WeakMap<object, Set<string>>()
const ofTime = /time|date|stamp|_?at$|^ts$/i

/** Returns the phones and emails at any depth, in a form for comparison. */
function contactsWithin(value: unknown): Set<string> {
  const known = typeof value === 'object' && value !== null ? within.get(value) : undefined
  if (known) return known
  const contacts = new Set<string>()
  if (typeof value === 'object' && value !== null) within.set(value, contacts)
  const queue: unknown[] = [value]
  for (let place = 0; place < queue.length && place < 500; place++) {
    const inner = queue[place]
    if (typeof inner === 'object' && inner !== null) {
      // Only the first elements of a long list are searched.
      const some = Array.isArray(inner) ? inner.slice(0, 100) : inner
      for (const [key, child] of Object.entries(some)) if (!ofTime.test(key)) queue.push(child)
    } else if (typeof inner === 'string' || typeof inner === 'number') {
      const contact = comparable(String(inner).slice(0, 320))
      if (/@|^\d{7,8}$/.test(contact)) contacts.add(contact)
    }
  }
  return contacts
}

/** Returns an email in lower case; of anything else the last eight digits, which a number has without its country code, too. */
function comparable(text: string): string {
  return mailboxIn(text)?.email.toLowerCase() ?? (text.length > 80 ? '' : text.replace(/\D/g, '').slice(-8))
}

/** Returns the payload with only that element in the lists on the path to it. */
function withOnly(
  payload: Entries,
  path: Path,
  element: unknown,
  beside: { path: Path; elements: unknown[] }[] = [],
): Entries {
  const build = (value: unknown, at: number): unknown => {
    const segment = path[at]
    if (segment === undefined) return element
    if (typeof segment === 'number') {
      const inner = Array.isArray(value) ? value[segment] : undefined
      const own = build(inner, at + 1)
      return own === undefined ? [] : [own]
    }
    const entries = isEntries(value) ? value : {}
    const narrowed = beside
      .filter(
        (list) => list.path.length === at + 1 && list.path.slice(0, -1).every((step, index) => step === path[index]),
      )
      .map((list) => [list.path.at(-1), list.elements] as const)
    return { ...entries, ...Object.fromEntries(narrowed), [segment]: build((entries as Entries)[segment], at + 1) }
  }
  return build(payload, 0) as Entries
}

/** Removes contacts around a list, which belong to none of its people, and what describes the list; `assigned_to` stays. */
function withoutContacts(around: Entries): Entries {
  const clean = (key: string, value: unknown, depth: number): unknown => {
    if (typeof value === 'string' && key !== 'assigned_to') {
      const phone = (meaningOf(key).senses.phone ?? 0) >= 60 && phoneIn(value)
      return mailboxIn(value) || phone || /^description$/i.test(key) ? undefined : value
    }
    if (depth > limits.depth || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.slice(0, 100).map((item) => clean(key, item, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(name, inner, depth + 1)]))
  }
  return clean('', around, 0) as Entries
}

function valueAt(payload: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, segment) => (value as Entries | undefined)?.[segment as string], payload)
}
