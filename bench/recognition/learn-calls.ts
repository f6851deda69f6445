import { globSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import {
  describeCall,
  leastProbability,
  probabilityOf,
  step,
  weightCount,
} from '../../server/intake/payload/call/is-call.ts'
import { hashText } from '../../server/intake/payload/recognition/hash.ts'
import { findSender } from '../../server/intake/payload/senders/read-sender.ts'
import { leavesOf } from '../../server/intake/payload/structure/leaves.ts'
import { randomFrom } from '../../test/generated-payloads.ts'
import { type LabelledPayload, payloadCorpus } from '../../test/labelled-payloads.ts'
import { generatedCalls } from './call-variations.ts'
import { fit } from './learn.ts'
import type { Question } from './questions.ts'
import { variationsOf } from './variations.ts'

/** What is asked of the learner of calls: for each payload, whether it is an event of a call. */

type Entries = Record<string, unknown>

export interface CallExample {
  /** Where it is from. */
  set: string
  system: string
  payload: Entries
  isCall: boolean
  /** The fields of its lead, which variations keep. */
  expected?: LabelledPayload['expected']
}

const test = (name: string) => new URL(`../../test/${name}`, import.meta.url)
const linesOf = <Line>(text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** `platform`: one of the corpus, whose payload is not repeated. `is_call`: null if careful people may differ. */
type CallLine = { set: string; is_call: boolean | null } & ({ platform: string } | { system: string; payload: Entries })

/** Returns all payloads of which somebody said whether they are events of calls. */
export function callExamples(): CallExample[] {
  const labelled = linesOf<CallLine>(gunzipSync(readFileSync(test('call-payloads.jsonl.gz'))).toString())
  const ofCorpus = new Map(labelled.flatMap((line) => ('platform' in line ? [[line.platform, line.is_call]] : [])))
  const examples = (set: string, isCall: boolean, all: readonly { system: string; payload: Entries }[]) =>
    all.map(({ system, payload }) => ({ set, system, payload, isCall }))
  return [
    ...payloadCorpus().flatMap(({ platform, payload, family, expected, blind = false }) => {
      const isCall = ofCorpus.get(platform) ?? false
      const set = family === 'telephony' ? 'telephony' : 'corpus'
      return blind || ofCorpus.get(platform) === null ? [] : [{ set, system: platform, payload, isCall, expected }]
    }),
    ...labelled.flatMap((line) =>
      'payload' in line && line.is_call !== null
        ? [{ set: line.set, system: line.system, payload: line.payload, isCall: line.is_call }]
        : [],
    ),
    ...examples('unseen', true, linesOf(readFileSync(test('unseen-calls.jsonl'), 'utf8'))),
    ...examples('no calls', false, linesOf(readFileSync(test('no-calls.jsonl'), 'utf8'))),
    ...ofSequences(),
    ...ofSenders(),
  ]
}

function ofSequences(): CallExample[] {
  const sequences = JSON.parse(readFileSync(test('call-sequences.json'), 'utf8')) as {
    system: string
    events: { body: Entries }[]
  }[]
  return sequences.flatMap(({ system, events }) =>
    events.map(({ body }) => ({ set: 'sequences', system, payload: body, isCall: true })),
  )
}

/** The samples of a sender are calls if it says so of their shape. */
function ofSenders(): CallExample[] {
  const folder = new URL('../../server/intake/payload/senders/', import.meta.url)
  return globSync('*/{sample,sequence}*.json', { cwd: folder })
    .toSorted()
    .flatMap((name) => {
      const { payload, events = [payload] } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
      return (events as unknown[]).flatMap((one) => {
        const known = isEntries(one) ? findSender(one) : undefined
        return known
          ? [{ set: 'senders', system: known.folder, payload: one as Entries, isCall: known.shape.call !== undefined }]
          : []
      })
    })
}

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const questionOf = ({ payload, isCall }: { payload: Entries; isCall: boolean }): Question => {
  const [rows, values]: [number[], number[]] = [[], []]
  describeCall(leavesOf(payload), (row, value) => {
    rows.push(row)
    values.push(value)
  })
  return { candidates: [[{ rows: Uint32Array.from(rows), values: Float32Array.from(values) }]], right: [isCall] }
}

/** Returns the weights, which are the same for the same examples. */
export function learnCalls(examples: readonly CallExample[]): Int8Array {
  const random = randomFrom(3)
  const labelled = examples.map(({ set, system, payload, isCall, expected = {} }) => {
    return { platform: system, family: set, origin: set, payload, expected, isCall }
  })
  const all = [...examples, ...variationsOf(labelled, random), ...generatedCalls(6000, random)]
  const weights = fit(all.map(questionOf))
  return Int8Array.from(weights.subarray(0, weightCount), (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / step))),
  )
}

const folds = 3

/** Returns each payload with what weights say of it that have not seen its vendor, nor the set that is held back. */
export function crossValidateCalls(heldBack: string): (CallExample & { isTaken: boolean })[] {
  const examples = callExamples()
  const foldOf = ({ system }: CallExample) => hashText(system.toLowerCase().split(/[^a-z]/)[0]!) % folds
  return [...Array(folds).keys()].flatMap((fold) => {
    const isHeld = (one: CallExample) => one.set === heldBack || foldOf(one) === fold
    const weights = learnCalls(examples.filter((one) => !isHeld(one)))
    const judged = examples.filter((one) => foldOf(one) === fold)
    return judged.map((one) => ({
      ...one,
      isTaken: probabilityOf(leavesOf(one.payload), weights) >= leastProbability,
    }))
  })
}
