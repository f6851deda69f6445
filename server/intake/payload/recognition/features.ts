import type { Group } from '../structure/leaves.ts'
import { type Candidate, kindNamed, type RecognisedField, wordsIn } from './candidate.ts'
import { pair } from './hash.ts'
import { type Label, unique } from './label.ts'
import { spaces } from './spaces.ts'

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

const max = { kinds: 30, said: 20, objects: 40, siblings: 60, names: 40, looked: 150 }

export function contextOf(candidates: Candidate[]): Context {
  const said = candidates.filter(saysKind).slice(0, max.kinds)
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
    kinds: unique(kinds).slice(0, max.kinds),
    said: unique(said.flatMap(({ words }) => hashesOf(words, 4))).slice(0, max.said),
    objects: unique(objects).slice(0, max.objects),
    names: new Map(mayBeNames.slice(0, max.names).map((one) => [one, longWords(one.words)])),
  }
}

const hashesOf = (words: Candidate['words'], max: number) => words.slice(0, max).map(({ hash }) => hash)

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
  features.add(spaces.name.always, 1)
  features.ofLabel('own', own, describeOwn)
  for (const other of others) {
    features.ofLabel('other', other, describeOther)
    features.add(spaces.name.otherWithKind, pair(other.signature, kind))
  }
  if (parent) {
    features.ofLabel('around', parent, describeParent)
    features.add(spaces.around.wholeOfBoth, pair(own.whole, parent.whole))
    features.add(spaces.around.lastOfBoth, pair(own.last, parent.last))
    features.add(spaces.around.wholeWithKind, pair(parent.whole, kind))
    for (const word of own.words.slice(0, 5))
      for (const above of parent.words.slice(0, 4)) features.add(spaces.around.wordsOfBoth, pair(word, above), 0.5)
    for (const one of own.classes.slice(0, 4))
      for (const above of parent.classes.slice(0, 4)) features.add(spaces.around.classesOfBoth, pair(one, above), 0.5)
  } else features.add(spaces.around.none, 1)
  features.add(spaces.around.signature, outer)
  features.add(spaces.around.signatureOfBoth, pair(own.signature, outer))
  if (grandparent) {
    features.add(spaces.around.grandparent, grandparent.whole)
    features.add(spaces.around.signatureInGrandparent, pair(outer, grandparent.signature))
  }
  if (parent) {
    features.addAll(spaces.around.allWords, unique(around.flatMap((label) => label.words)))
    features.addAll(spaces.around.allClasses, unique(around.flatMap((label) => label.classes)))
    features.add(spaces.around.outermost, around.at(-1)!.whole)
  }
  features.add(spaces.value.kind, kind)
  features.add(spaces.name.lastWithKind, pair(own.last, kind))
  features.add(spaces.name.wholeWithKind, pair(own.whole, kind))
  features.add(spaces.name.signatureWithKind, pair(own.signature, kind))
  if (type) {
    features.add(spaces.type.whole, type.whole)
    features.addAll(spaces.type.words, type.words)
    features.addAll(spaces.type.classes, type.classes)
    features.add(spaces.type.wholeWithKind, pair(type.whole, kind))
  }
  features.add(spaces.place.depth, Math.min(depth, 7))
  features.add(spaces.place.inList, inList)
  features.add(spaces.place.order, Math.floor((8 * order) / candidates.length), 0.5)
  features.add(spaces.place.candidates, size(candidates.length), 0.5)
  features.add(spaces.value.wordCount, size(wordCount))
  features.add(spaces.value.length, size(value.length >> 2))
  features.add(spaces.value.shape, shape)
  features.add(spaces.name.wholeWithShape, pair(shape, own.whole))
  features.add(spaces.place.wordCountWithName, pair(size(wordCount), own.last))
}

function describeOwn(features: Features, own: Label): void {
  describeWords(features, own, 1.5)
  features.add(spaces.name.whole, own.whole)
  features.add(spaces.name.last, own.last)
  features.add(spaces.name.first, own.first)
  features.add(spaces.name.signature, own.signature, 1.5)
}

function describeOther(features: Features, other: Label): void {
  describeWords(features, other, 1)
  features.addAll(spaces.name.otherWords, other.words)
  features.add(spaces.name.otherWhole, other.whole)
  features.add(spaces.name.otherSignature, other.signature)
}

function describeWords(features: Features, label: Label, total: number): void {
  features.addAll(spaces.name.words, label.words, total)
  features.addAll(spaces.name.grams, label.grams, total)
  features.addAll(spaces.name.classes, label.classes, total)
  features.addAll(spaces.name.pairs, label.pairs)
}

function describeParent(features: Features, parent: Label): void {
  features.addAll(spaces.around.words, parent.words)
  features.add(spaces.around.whole, parent.whole)
  features.addAll(spaces.around.grams, parent.grams)
  features.addAll(spaces.around.classes, parent.classes)
}

/** What stands in the same object, for each of its values. */
export function describeGroup(features: Features, group: readonly Candidate[]): void {
  const beside = group.slice(0, max.siblings)
  features.addAll(spaces.group.whole, unique(beside.map(({ own }) => own.whole)), 2)
  features.addAll(spaces.group.words, unique(beside.flatMap(({ own }) => own.words)), 2)
  features.addAll(spaces.group.signatures, unique(beside.map(({ own }) => own.signature)), 1.5)
  const said = beside.filter(saysKind).slice(0, 20)
  features.addAll(spaces.group.said, unique(said.flatMap(({ words }) => hashesOf(words, 3))), 1.5)
  features.addAll(
    spaces.group.saidWithName,
    unique(said.flatMap(({ own, words }) => hashesOf(words, 3).map((word) => pair(own.last, word)))),
    1.5,
  )
  for (const [kind, all] of Map.groupBy(beside, ({ kind }) => kind))
    features.add(spaces.group.kinds, kind * 8 + Math.min(all.length, 4), 0.5)
}

/** What the payload is about, which says whether any contact in it is a lead's. */
export function describePayload(features: Features, { kinds, objects }: Context): void {
  features.addAll(spaces.payload.kinds, kinds, 1.5)
  features.addAll(spaces.payload.objects, objects)
}

/** What says whether the payload has a lead at all, or is about something else with contacts in it. */
export function describeLead(features: Features, { candidates, kinds, said, objects, names }: Context): void {
  const first = candidates.slice(0, max.looked)
  const contacts = first.filter(({ email, phone }) => email !== undefined || phone !== undefined)
  const outer = ({ around }: Candidate) => around[0]?.signature ?? 0
  features.add(spaces.lead.candidates, size(candidates.length))
  features.addAll(spaces.lead.kinds, kinds, 2)
  features.addAll(spaces.lead.said, said, 2)
  features.addAll(spaces.lead.objects, objects, 2)
  features.addAll(spaces.lead.words, unique(first.flatMap(({ own }) => own.words)), 3)
  features.addAll(spaces.lead.wholes, unique(first.map(({ own }) => own.whole)), 3)
  features.addAll(spaces.lead.signatures, unique(first.map(({ own }) => own.signature)), 2)
  features.addAll(spaces.lead.contacts, unique(contacts.map((one) => pair(one.own.signature, outer(one)))), 3)
  features.addAll(spaces.lead.contactWholes, unique(contacts.map(({ own }) => own.whole)), 2)
  features.addAll(
    spaces.lead.aroundContacts,
    unique(contacts.flatMap(({ around }) => around.flatMap(({ words }) => words))),
    2,
  )
  features.addAll(spaces.lead.names, unique([...names.keys()].map((one) => pair(one.own.signature, outer(one)))), 2)
  for (const one of contacts.slice(0, 6))
    features.addAll(
      spaces.lead.saidWithContacts,
      said.map((word) => pair(word, pair(one.own.signature, outer(one)))),
    )
}

/** What only this field asks. */
export function describeFor(features: Features, field: RecognisedField, candidate: Candidate, context: Context): void {
  const { own, around, value } = candidate
  if (field === 'email') describeEmail(features, candidate, context)
  if (field === 'company' || field === 'city')
    features.addAll(spaces.value.lastWords, unique(hashesOf(candidate.words, 41).slice(-2)))
  if (isContact(field) || field === 'notes') {
    const outer = around[0]?.signature ?? 0
    features.addAll(
      spaces.value.kindsWithName,
      context.kinds.map((kind) => pair(kind, own.signature)),
      2,
    )
    for (const one of [...own.classes.slice(0, 4), own.whole])
      features.addAll(
        spaces.payload.saidWithName,
        context.said.map((word) => pair(word, one)),
      )
    features.addAll(
      spaces.value.kindsWithAround,
      context.kinds.map((kind) => pair(kind, outer)),
      2,
    )
    features.addAll(
      spaces.value.objectsWithAround,
      context.objects.map((object) => pair(object, outer)),
      1.5,
    )
  }
  if (field !== 'source' && field !== 'notes' && field !== 'phone') return
  const words = hashesOf(candidate.words, 16)
  features.addAll(spaces.value.words, unique(words), 2)
  features.addAll(
    spaces.value.wordsWithName,
    words.slice(0, 6).map((word) => pair(word, own.last)),
  )
  if (words.length <= 3) features.add(spaces.value.allWords, words.reduce(pair, 7))
  if (/[?？]/.test(value)) features.add(spaces.value.signs, 1)
  if (value.includes('\n')) features.add(spaces.value.signs, 2)
  if (field === 'phone') {
    const digits = (candidate.phone ?? '').replace(/\D/g, '').length
    features.add(spaces.value.digits, digits)
    features.add(spaces.value.digitsWithName, pair(digits, own.last))
  }
}

export const isContact = (field: RecognisedField) => field === 'email' || field === 'phone' || isName(field)
export const isName = (field: RecognisedField) => field === 'name' || field === 'first_name' || field === 'last_name'

function describeEmail(features: Features, candidate: Candidate, { candidates, names }: Context): void {
  const { group } = candidate
  const [local = '', host = ''] = candidate.email!.toLowerCase().split('@')
  features.addAll(spaces.value.mailboxWords, hashesOf(wordsIn(local), 4))
  let matches = 0
  for (const [name, words] of names) {
    if (words.length === 0 || words.length > 4 || !words.some((word) => local.includes(word))) continue
    matches++
    features.addAll(spaces.email.wordsOfName, name.own.words)
    features.add(spaces.email.aroundName, name.around[0]?.whole ?? 0)
    features.add(spaces.email.nameInGroup, Number(name.group === group))
  }
  features.add(spaces.email.names, Math.min(matches, 2))
  const isOfPage = candidates.some(({ kind, value }) => kind === link && value.toLowerCase().includes(host))
  features.add(spaces.email.isOfPage, Number(isOfPage))
}

/** How it stands to the contacts that were chosen before, the same for any field. */
export function describeBeside(features: Features, candidate: Candidate, chosen: readonly Candidate[]): void {
  const { own, around, kind } = candidate
  const distance = distanceTo(candidate.group, chosen)
  const parent = around[0]
  const outer = parent?.signature ?? 0
  features.add(spaces.beside.distance, distance)
  features.add(spaces.beside.distanceWithLast, pair(distance, own.last))
  features.add(spaces.beside.distanceWithWhole, pair(distance, own.whole))
  features.add(spaces.beside.distanceWithAround, pair(distance, parent?.last ?? 0))
  features.add(spaces.beside.distanceWithKind, pair(distance, kind))
  features.add(spaces.beside.distanceWithKindAndLast, pair(pair(distance, kind), own.last))
  features.add(spaces.beside.distanceWithSignature, pair(distance, own.signature))
  features.add(spaces.beside.distanceWithOuter, pair(distance, outer))
  features.add(spaces.beside.distanceWithBoth, pair(pair(distance, outer), own.signature))
  if (chosen.length === 0) features.add(spaces.beside.none, 1)
  for (const contact of chosen) {
    const begins = contact.own.first === own.first && contact.own.length > 1 && own.length > 1
    features.add(
      spaces.beside.firstWords,
      Number(begins) + 2 * Number(contact.own.length > 1) + 4 * Number(own.length > 1),
    )
    features.add(spaces.beside.signatures, pair(own.signature, contact.own.signature))
    features.add(spaces.beside.outer, pair(outer, contact.around[0]?.signature ?? 0))
    features.add(spaces.beside.wholes, pair(own.whole, contact.own.whole))
    features.add(spaces.beside.aroundWholes, pair(parent?.whole ?? 0, contact.around[0]?.whole ?? 0))
    features.add(spaces.beside.lastInAround, pair(own.last, contact.around[0]?.last ?? 0))
    features.add(spaces.beside.firsts, pair(own.first, contact.own.first))
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
    features.add(spaces.email.companyIsHost, Number(isAlike))
    return
  }
  const words = longWords(candidate.mailboxName === undefined ? candidate.words : wordsIn(candidate.mailboxName))
  const within = words.filter((word) => local.includes(word)).length
  features.add(spaces.email.nameInMailbox, words.length === 0 ? 3 : within === 0 ? 0 : within === words.length ? 2 : 1)
  features.add(spaces.email.nameInMailboxWithName, pair(within, candidate.own.last))
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
