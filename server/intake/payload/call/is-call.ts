import { readFileSync } from 'node:fs'
import { hashText, pair } from '../recognition/hash.ts'
import { labelOf, unique } from '../recognition/label.ts'
import type { Leaf } from '../structure/leaves.ts'
import { isBlank } from '../structure/values.ts'
import { rememberedByLabel } from '../words/by-label.ts'
import { recordingIn } from './call-values.ts'
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

const max = { leaves: 150, features: 200 }

/** Adds what is true of a payload: the row of each feature in the table of weights, and how much of it there is. */
export function describeCall(leaves: readonly Leaf[], add: (row: number, value: number) => void): void {
  const looked = leaves.slice(0, max.leaves).map(signsOf)
  let space = 0
  const addAll = (hashes: readonly number[], total: number) => {
    const set = unique(hashes).slice(0, max.features)
    space++
    for (const hash of set) add(pair(space, hash) & (weightCount - 1), total / Math.sqrt(set.length))
  }
  const phones = looked.filter(({ kinds }) => kinds.includes(phoneKind)).slice(0, 6)
  const present = unique(looked.flatMap(({ kinds }) => kinds)).sort((one, other) => one - other)
  addAll([1], 1)
  addAll([Math.round(2 * Math.log2(1 + looked.length))], 1)
  addAll(
    looked.flatMap(({ own }) => own.words),
    3,
  )
  addAll(
    looked.map(({ own }) => own.whole),
    2,
  )
  addAll(
    looked.flatMap(({ own, kinds }) => kinds.flatMap((kind) => own.words.map((word) => pair(word, kind)))),
    4,
  )
  addAll(
    looked.flatMap(({ own, kinds }) => kinds.map((kind) => pair(own.whole, kind))),
    3,
  )
  addAll(
    looked.flatMap(({ around }) => around.flatMap(({ words }) => words)),
    2,
  )
  addAll(
    looked.flatMap(({ own, around }) => around.slice(0, 1).map((outer) => pair(own.last, outer.last))),
    1.5,
  )
  addAll(present, 2)
  addAll(
    present.flatMap((one) => present.filter((other) => other > one).map((other) => pair(one, other))),
    3,
  )
  addAll(
    present.map((kind) => kind * 4 + Math.min(3, looked.filter(({ kinds }) => kinds.includes(kind)).length)),
    2,
  )
  addAll(
    looked.flatMap(({ said }) => said),
    3,
  )
  addAll(
    looked.flatMap(({ own, said }) => said.map((word) => pair(own.last, word))),
    3,
  )
  addAll(
    phones.flatMap(({ own }, at) => phones.slice(at + 1).map((other) => pair(own.last, other.own.last))),
    1.5,
  )
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
  kindNamed(recordingIn(text) ? (isAudio.test(text) ? 'audio' : 'link') : text.length > 200 ? 'story' : 'text')

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

/** The kinds of a short value, and its words if it has no more than a few. */
const shortValue = rememberedByLabel((text: string): { kinds: number[]; said: number[] } => {
  if (isBlank(text)) return { kinds: [kindNamed('blank')], said: [] }
  const words = wordsIn(text)
  const said = words.length <= 4 ? words.filter((word) => /\p{L}{2}/u.test(word)).map(hashText) : []
  const found = patterns.find(([, pattern]) => pattern.test(text))?.[0]
  const known = [
    ...(directionIn(text) ? ['direction'] : []),
    ...(outcomeIn(text) ? ['outcome'] : []),
    ...(stateIn(text) ? ['state'] : []),
  ]
  const names = found && !(found === 'id' && known.length > 0) ? [found] : known
  const plain = words.length === 1 ? 'word' : words.length <= 4 ? 'phrase' : 'text'
  return { kinds: (names.length > 0 ? names : [plain]).map(kindNamed), said }
}, 4000)
