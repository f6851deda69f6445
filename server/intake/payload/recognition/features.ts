import type { Group } from '../structure/leaves.ts'
import { type Candidate, kindNamed, type RecognisedField, wordsIn } from './candidate.ts'
import { pair } from './hash.ts'
import { type Label, unique } from './label.ts'

/**
 * What is true of a value as a candidate for a field. Every statement is a feature: a space, which says what it is about,
 * and a hash. The model knows how much each counts. There are no conditions here, only observations.
 */
export interface Features {
  add(space: number, hash: number, value?: number): void
  /** Adds a set, which together counts as much as `total`. */
  addAll(space: number, hashes: readonly number[], total?: number): void
  /** Adds what depends on a label alone, which readers remember. */
  ofLabel(part: LabelPart, label: Label, describe: (features: Features, label: Label) => void): void
}

export type LabelPart = 'own' | 'other' | 'around'

/** The candidates of a payload and what they have in common. */
export interface Context {
  candidates: Candidate[]
  byGroup: Map<Group, Candidate[]>
  /** Short values such as `order.created` with their names, which say what the payload is about. */
  kinds: number[]
  /** The words of these values, whatever their names: `outbound`. */
  said: number[]
  /** The names of its objects. */
  objects: number[]
  /** The words of each value that may be a name. */
  names: Map<Candidate, string[]>
}

const most = { kinds: 30, said: 20, objects: 40, siblings: 60, names: 40, looked: 150 }

export function contextOf(candidates: Candidate[]): Context {
  const said = candidates.filter(saysKind).slice(0, most.kinds)
  const kinds = said.flatMap(({ own, words, depth }) =>
    hashesOf(words, 4).map((word) => pair(pair(own.last, word), Math.min(depth, 2))),
  )
  const objects = candidates.flatMap(({ around }) => around.map(({ signature, whole }) => pair(signature, whole)))
  const mayBeNames = candidates.filter(
    ({ shape, email, phone, value }) => shape > 0 && value.length < 60 && !email && !phone,
  )
  return {
    candidates,
    byGroup: Map.groupBy(candidates, ({ group }) => group),
    kinds: unique(kinds).slice(0, most.kinds),
    said: unique(said.flatMap(({ words }) => hashesOf(words, 4))).slice(0, most.said),
    objects: unique(objects).slice(0, most.objects),
    names: new Map(mayBeNames.slice(0, most.names).map((one) => [one, longWords(one.words)])),
  }
}

const hashesOf = (words: Candidate['words'], most: number) => words.slice(0, most).map(({ hash }) => hash)

/** The words that may be part of an email. */
const longWords = (words: Candidate['words']) =>
  words.flatMap(({ text }) => (text.length >= 3 ? [text] : [])).slice(0, 12)

const shortTextKinds = new Set((['word', 'code', 'boolean', 'phrase', 'capitalized word'] as const).map(kindNamed))
const saysKind = ({ kind, value }: Candidate) => shortTextKinds.has(kind) && value.length <= 40
const link = kindNamed('link')

/** What is true of a value by itself and by the names around it, for any field. */
export function describeValue(features: Features, candidate: Candidate, { candidates }: Context): void {
  const { own, others, around, type, kind, shape, value, wordCount, depth, inList, order } = candidate
  const [parent, grandparent] = around
  const outer = parent?.signature ?? 0
  features.add(0, 1)
  features.ofLabel('own', own, describeOwn)
  for (const other of others) {
    features.ofLabel('other', other, describeOther)
    features.add(10, pair(other.signature, kind))
  }
  if (parent) {
    features.ofLabel('around', parent, describeParent)
    features.add(20, pair(own.whole, parent.whole))
    features.add(21, pair(own.last, parent.last))
    features.add(22, pair(parent.whole, kind))
    for (const word of own.words.slice(0, 5))
      for (const above of parent.words.slice(0, 4)) features.add(23, pair(word, above), 0.5)
    for (const one of own.classes.slice(0, 4))
      for (const above of parent.classes.slice(0, 4)) features.add(24, pair(one, above), 0.5)
  } else features.add(25, 1)
  features.add(26, outer)
  features.add(27, pair(own.signature, outer))
  if (grandparent) {
    features.add(28, grandparent.whole)
    features.add(29, pair(outer, grandparent.signature))
  }
  if (parent) {
    features.addAll(30, unique(around.flatMap((label) => label.words)))
    features.addAll(31, unique(around.flatMap((label) => label.classes)))
    features.add(32, around.at(-1)!.whole)
  }
  features.add(33, kind)
  features.add(34, pair(own.last, kind))
  features.add(35, pair(own.whole, kind))
  features.add(36, pair(own.signature, kind))
  if (type) {
    features.add(37, type.whole)
    features.addAll(38, type.words)
    features.addAll(39, type.classes)
    features.add(40, pair(type.whole, kind))
  }
  features.add(41, Math.min(depth, 7))
  features.add(42, inList)
  features.add(43, Math.floor((8 * order) / candidates.length), 0.5)
  features.add(44, size(candidates.length), 0.5)
  features.add(45, size(wordCount))
  features.add(46, size(value.length >> 2))
  features.add(47, shape)
  features.add(48, pair(shape, own.whole))
  features.add(49, pair(size(wordCount), own.last))
}

function describeOwn(features: Features, own: Label): void {
  describeWords(features, own, 1.5)
  features.add(2, own.whole)
  features.add(3, own.last)
  features.add(4, own.first)
  features.add(6, own.signature, 1.5)
}

function describeOther(features: Features, other: Label): void {
  describeWords(features, other, 1)
  features.addAll(7, other.words)
  features.add(8, other.whole)
  features.add(9, other.signature)
}

function describeWords(features: Features, label: Label, total: number): void {
  features.addAll(1, label.words, total)
  features.addAll(5, label.grams, total)
  features.addAll(11, label.classes, total)
  features.addAll(12, label.pairs)
}

function describeParent(features: Features, parent: Label): void {
  features.addAll(15, parent.words)
  features.add(16, parent.whole)
  features.addAll(17, parent.grams)
  features.addAll(18, parent.classes)
}

/** What stands in the same object, for each of its values. */
export function describeGroup(features: Features, group: readonly Candidate[]): void {
  const beside = group.slice(0, most.siblings)
  features.addAll(50, unique(beside.map(({ own }) => own.whole)), 2)
  features.addAll(51, unique(beside.flatMap(({ own }) => own.words)), 2)
  features.addAll(52, unique(beside.map(({ own }) => own.signature)), 1.5)
  const said = beside.filter(saysKind).slice(0, 20)
  features.addAll(57, unique(said.flatMap(({ words }) => hashesOf(words, 3))), 1.5)
  features.addAll(
    58,
    unique(said.flatMap(({ own, words }) => hashesOf(words, 3).map((word) => pair(own.last, word)))),
    1.5,
  )
  for (const [kind, all] of Map.groupBy(beside, ({ kind }) => kind))
    features.add(53, kind * 8 + Math.min(all.length, 4), 0.5)
}

/** What the payload is about, which says whether any contact in it is a lead's. */
export function describePayload(features: Features, { kinds, objects }: Context): void {
  features.addAll(55, kinds, 1.5)
  features.addAll(56, objects)
}

/** What says whether the payload has a lead at all, or is about something else with contacts in it. */
export function describeLead(features: Features, { candidates, kinds, said, objects, names }: Context): void {
  const first = candidates.slice(0, most.looked)
  const contacts = first.filter(({ email, phone }) => email !== undefined || phone !== undefined)
  const outer = ({ around }: Candidate) => around[0]?.signature ?? 0
  features.add(101, size(candidates.length))
  features.addAll(102, kinds, 2)
  features.addAll(103, said, 2)
  features.addAll(104, objects, 2)
  features.addAll(105, unique(first.flatMap(({ own }) => own.words)), 3)
  features.addAll(106, unique(first.map(({ own }) => own.whole)), 3)
  features.addAll(107, unique(first.map(({ own }) => own.signature)), 2)
  features.addAll(108, unique(contacts.map((one) => pair(one.own.signature, outer(one)))), 3)
  features.addAll(109, unique(contacts.map(({ own }) => own.whole)), 2)
  features.addAll(110, unique(contacts.flatMap(({ around }) => around.flatMap(({ words }) => words))), 2)
  features.addAll(111, unique([...names.keys()].map((one) => pair(one.own.signature, outer(one)))), 2)
  for (const one of contacts.slice(0, 6))
    features.addAll(
      112,
      said.map((word) => pair(word, pair(one.own.signature, outer(one)))),
    )
}

/** What only this field asks. */
export function describeFor(features: Features, field: RecognisedField, candidate: Candidate, context: Context): void {
  const { own, around, value } = candidate
  if (field === 'email') describeEmail(features, candidate, context)
  if (field === 'company' || field === 'city') features.addAll(60, unique(hashesOf(candidate.words, 41).slice(-2)))
  if (isContact(field) || field === 'notes') {
    const outer = around[0]?.signature ?? 0
    features.addAll(
      61,
      context.kinds.map((kind) => pair(kind, own.signature)),
      2,
    )
    for (const one of [...own.classes.slice(0, 4), own.whole])
      features.addAll(
        54,
        context.said.map((word) => pair(word, one)),
      )
    features.addAll(
      62,
      context.kinds.map((kind) => pair(kind, outer)),
      2,
    )
    features.addAll(
      63,
      context.objects.map((object) => pair(object, outer)),
      1.5,
    )
  }
  if (field !== 'source' && field !== 'notes' && field !== 'phone') return
  const words = hashesOf(candidate.words, 16)
  features.addAll(64, unique(words), 2)
  features.addAll(
    65,
    words.slice(0, 6).map((word) => pair(word, own.last)),
  )
  if (words.length <= 3) features.add(66, words.reduce(pair, 7))
  if (/[?？]/.test(value)) features.add(67, 1)
  if (value.includes('\n')) features.add(67, 2)
  if (field === 'phone') {
    const digits = (candidate.phone ?? '').replace(/\D/g, '').length
    features.add(68, digits)
    features.add(69, pair(digits, own.last))
  }
}

export const isContact = (field: RecognisedField) => field === 'email' || field === 'phone' || isName(field)
export const isName = (field: RecognisedField) => field === 'name' || field === 'first_name' || field === 'last_name'

function describeEmail(features: Features, candidate: Candidate, { candidates, names }: Context): void {
  const { group } = candidate
  const [local = '', host = ''] = candidate.email!.toLowerCase().split('@')
  features.addAll(70, hashesOf(wordsIn(local), 4))
  let matches = 0
  for (const [name, words] of names) {
    if (words.length === 0 || words.length > 4 || !words.some((word) => local.includes(word))) continue
    matches++
    features.addAll(71, name.own.words)
    features.add(72, name.around[0]?.whole ?? 0)
    features.add(73, Number(name.group === group))
  }
  features.add(74, Math.min(matches, 2))
  const isOfPage = candidates.some(({ kind, value }) => kind === link && value.toLowerCase().includes(host))
  features.add(75, Number(isOfPage))
}

/** How it stands to the contacts that were chosen before, the same for any field. */
export function describeBeside(features: Features, candidate: Candidate, chosen: readonly Candidate[]): void {
  const { own, around, kind } = candidate
  const distance = distanceTo(candidate.group, chosen)
  const parent = around[0]
  const outer = parent?.signature ?? 0
  features.add(80, distance)
  features.add(81, pair(distance, own.last))
  features.add(82, pair(distance, own.whole))
  features.add(83, pair(distance, parent?.last ?? 0))
  features.add(84, pair(distance, kind))
  features.add(85, pair(pair(distance, kind), own.last))
  features.add(86, pair(distance, own.signature))
  features.add(87, pair(distance, outer))
  features.add(88, pair(pair(distance, outer), own.signature))
  if (chosen.length === 0) features.add(89, 1)
  for (const contact of chosen) {
    const begins = contact.own.first === own.first && contact.own.length > 1 && own.length > 1
    features.add(90, Number(begins) + 2 * Number(contact.own.length > 1) + 4 * Number(own.length > 1))
    features.add(91, pair(own.signature, contact.own.signature))
    features.add(92, pair(outer, contact.around[0]?.signature ?? 0))
    features.add(93, pair(own.whole, contact.own.whole))
    features.add(94, pair(parent?.whole ?? 0, contact.around[0]?.whole ?? 0))
    features.add(95, pair(own.last, contact.around[0]?.last ?? 0))
    features.add(96, pair(own.first, contact.own.first))
  }
}

/** Whether the email among the chosen contacts is made of the name, or its host of the company. */
export function describeBesideEmail(
  features: Features,
  field: RecognisedField,
  candidate: Candidate,
  chosen: readonly Candidate[],
): void {
  const email = chosen.find((contact) => contact.email !== undefined)?.email?.toLowerCase()
  if (email === undefined || field === 'email' || !(isContact(field) || field === 'company')) return
  const [local = '', host = ''] = email.split('@')
  if (field === 'company') {
    const name = candidate.value.toLowerCase().replace(/[^a-z\d]/g, '')
    const domain = host.split('.')[0]!.replace(/-/g, '')
    const isAlike =
      domain.length > 3 && name.length > 3 && (name.startsWith(domain) || domain.startsWith(name.slice(0, 12)))
    features.add(97, Number(isAlike))
    return
  }
  const words = longWords(candidate.mailboxName === undefined ? candidate.words : wordsIn(candidate.mailboxName))
  const within = words.filter((word) => local.includes(word)).length
  features.add(98, words.length === 0 ? 3 : within === 0 ? 0 : within === words.length ? 2 : 1)
  features.add(99, pair(within, candidate.own.last))
}

/** A number for how the groups stand in the tree: the same, one within the other, or beside each other. */
function distanceTo(group: Group, chosen: readonly Candidate[]): number {
  if (chosen.length === 0) return 0
  return Math.min(...chosen.map((contact) => distance(group, contact.group)))
}

function distance(one: Group, other: Group): number {
  const above = new Map<Group, number>()
  for (let group: Group | undefined = one; group; group = group.parent) above.set(group, above.size)
  let down = 0
  for (let group: Group | undefined = other; group; group = group.parent) {
    const up = above.get(group)
    if (up === undefined) {
      down++
      continue
    }
    if (up === 0) return down === 0 ? 1 : 2 + Math.min(down, 3)
    return down === 0 ? 6 + Math.min(up, 3) : 10 + Math.min(up, 2) * 3 + Math.min(down, 2)
  }
  return 30
}

/** A size in steps that grow. */
function size(count: number): number {
  return count <= 3 ? count : 2 + Math.ceil(Math.log2(count))
}
