import { readFileSync } from 'node:fs'
import { isWithheld } from '../../../crm/contacts/withheld.ts'
import { hashText, pair } from '../recognition/hash.ts'
import { labelOf } from '../recognition/label.ts'
import type { Leaf } from '../structure/leaves.ts'
import { isBlank } from '../structure/values.ts'
import { rememberedByLabel } from '../words/by-label.ts'
import { directionIn, outcomeIn, stateIn, wordsIn } from './call-words.ts'

/** Whether a payload is an event of a call: `npm run train` learns how much each word and each kind of value says for it. */

/** The number of weights, a byte each. */
export const weightCount = 1 << 15

/** The weight of a step in the file of weights. */
export const step = 1 / 16

/** A wrong call takes the notes and the enquiry of a lead, and a missed one is only a lead. */
export const leastProbability = 0.8

let committed: Int8Array | undefined

export function isEventOfCall(leaves: readonly Leaf[]): boolean {
  committed ??= new Int8Array(readFileSync(new URL('is-call.bin', import.meta.url)))
  return probabilityOf(leaves, committed) >= leastProbability
}

export function probabilityOf(leaves: readonly Leaf[], weights: Int8Array): number {
  let sum = 0
  describeCall(leaves, (row, value) => {
    sum += weights[row]! * value
  })
  return 1 / (1 + Math.exp(-sum * step))
}

/** Those of a longer payload that come first. */
const maxLeaves = 150

/** What the features of each set are about, and how much all of them together count. */
const totals = {
  always: 1,
  size: 1,
  words: 3,
  names: 2,
  wordsWithKind: 4,
  namesWithKind: 3,
  around: 2,
  namesWithOuter: 1.5,
  kinds: 2,
  pairsOfKinds: 3,
  counts: 2,
  said: 3,
  saidWithName: 3,
  phones: 1.5,
}
type Features = Record<keyof typeof totals, Set<number>>
const sets = Object.entries(totals) as [keyof typeof totals, number][]

/** Adds what is true of a payload: the row of each feature in the table of weights, and how much of it there is. */
export function describeCall(leaves: readonly Leaf[], add: (row: number, value: number) => void): void {
  const features = featuresOf(leaves)
  for (const [space, [name, total]] of sets.entries()) {
    const set = features[name]
    const value = total / Math.sqrt(set.size)
    for (const hash of set) add(pair(space, hash) & (weightCount - 1), value)
  }
}

/** Plain loops: this is done for every payload of an unknown sender. */
function featuresOf(leaves: readonly Leaf[]): Features {
  const features = Object.fromEntries(sets.map(([name]) => [name, new Set<number>()])) as Features
  const counts = new Uint8Array(kindNames.length + 1)
  const phones: number[] = []
  const looked = leaves.slice(0, maxLeaves)
  features.always.add(1)
  features.size.add(Math.round(2 * Math.log2(1 + looked.length)))
  for (const leaf of looked) {
    const { own, around, kinds, said } = signsOf(leaf)
    features.names.add(own.whole)
    for (const word of own.words) features.words.add(word)
    for (const kind of kinds) {
      counts[kind] = Math.min(3, counts[kind]! + 1)
      features.namesWithKind.add(pair(own.whole, kind))
      for (const word of own.words) features.wordsWithKind.add(pair(word, kind))
      if (kind === phoneKind && phones.length < 6) {
        for (const other of phones) features.phones.add(pair(other, own.last))
        phones.push(own.last)
      }
    }
    for (const outer of around) for (const word of outer.words) features.around.add(word)
    if (around[0]) features.namesWithOuter.add(pair(own.last, around[0].last))
    for (const word of said) {
      features.said.add(word)
      features.saidWithName.add(pair(own.last, word))
    }
  }
  for (const [kind, count] of counts.entries()) {
    if (count === 0) continue
    for (const other of features.kinds) features.pairsOfKinds.add(pair(other, kind))
    features.kinds.add(kind)
    features.counts.add(kind * 4 + count)
  }
  return features
}

function signsOf({ labels, around, value }: Leaf) {
  const text = value.trim()
  const { kinds, said } = text.length <= 40 ? shortValue(text) : { kinds: [longKind(text)], said: [] }
  return { own: labelOf(labels[0] ?? ''), around: around.slice(0, 3).map(labelOf), kinds, said }
}

const kindNames =
  `blank flag email audio link clock duration time epoch digit small number phone long decimal channel id direction outcome
  state word phrase text story`.split(/\s+/)
const kindNamed = (name: string) => kindNames.indexOf(name) + 1
const phoneKind = kindNamed('phone')

const longKind = (text: string) =>
  kindNamed(/^https?:/i.test(text) ? (isAudio.test(text) ? 'audio' : 'link') : text.length > 200 ? 'story' : 'text')

const isAudio = /\.(mp3|wav|ogg|m4a|aac|amr|gsm|opus)\b|recording|voicemail/i

const patterns: [name: string, pattern: RegExp][] = [
  ['flag', /^(true|false|yes|no|y|n)$/i],
  ['channel', /^(pjsip|sips?|local|tel|iax2)[/:]/i],
  ['audio', /\.(mp3|wav|ogg|m4a|aac|amr|gsm|opus)$/i],
  ['link', /^https?:/i],
  ['email', /^\S+@\S+\.\w+$/],
  ['clock', /^\d{1,2}:\d\d(:\d\d)?( ?[ap]m)?$/i],
  ['duration', /^(\d+(\.\d+)? ?(h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|ms)\b[ ,]*)+$|^PT\d/i],
  ['time', /^\d{1,4}[-/. ](\d{1,2}|[a-z]{3,9})[-/. ]\d{2,4}\b|^\d{4}-\d\d-\d\dT|^[a-z]{3}, \d|^20\d{12}$/i],
  ['epoch', /^1[5-9]\d{8}(\d{3})?(\.\d+)?$/],
  ['digit', /^\d$/],
  ['small', /^\d{2,5}#?$/],
  ['phone', /^<?\+?\(?\d(?:[\s().-]{0,2}\d){7,14}#?>?$/],
  ['number', /^\d{6,7}$/],
  ['long', /^\d{16,}$/],
  ['decimal', /^-?\d+\.\d+$/],
  ['id', /^[\da-f-]{12,}$|^(?=.*\d)[\w:.-]{6,}$/i],
]

const shortValue = (text: string) =>
  /^[+\d]/.test(text) ? { kinds: [patternOf(text) ?? kindNamed('word')], said: [] } : wordOf(text)

function patternOf(text: string): number | undefined {
  const found = patterns.find(([, pattern]) => pattern.test(text))
  return found && kindNamed(found[0])
}

/** The kinds of a short text, and its words if it has no more than a few. */
const wordOf = rememberedByLabel((text: string): { kinds: number[]; said: number[] } => {
  if (isBlank(text)) return { kinds: [kindNamed('blank')], said: [] }
  const words = wordsIn(text)
  const known = [
    ...(directionIn(text) ? ['direction'] : []),
    ...(outcomeIn(text) ? ['outcome'] : []),
    ...(stateIn(text) ? ['state'] : []),
    // It stands for a number.
    ...(isWithheld(text) ? ['phone'] : []),
  ].map(kindNamed)
  const plain = words.length === 1 ? 'word' : words.length <= 4 ? 'phrase' : 'text'
  return {
    kinds: known.length > 0 ? known : [patternOf(text) ?? kindNamed(plain)],
    said: words.length <= 4 ? words.filter((word) => /\p{L}{2}/u.test(word)).map(hashText) : [],
  }
}, 4000)
