import { readFileSync } from 'node:fs'
import { recognisedFields } from './candidate.ts'
import type { Features, LabelPart } from './features.ts'
import { pair, tableSize } from './hash.ts'
import type { Label } from './label.ts'

/** How much each feature counts for each field: the sum over the features of a value says how well it fits. */

/** Returns the row of a feature in the table of weights. */
export const rowOf = (space: number, hash: number) => pair(Math.imul(space, 0x9e3779b1), hash) & (tableSize - 1)

/** What the model decides, in the order of the weights: the value of each field, and whether there is a lead at all. */
export const decisions = [...recognisedFields, 'lead'] as const
export type Decision = (typeof decisions)[number]

const decisionCount = decisions.length

/** The weight of a step in the file of weights. */
export const step = 1 / 16

/** For each row, where its weights begin; -1 if it has none. Rows are shared by all fields. */
export interface Weights {
  rows: Int32Array
  values: Int8Array
}

/**
 * Reads weights as `npm run train` writes them: for each field the number of its weights, then each as the distance of its row from the
 * one before, in seven bits a byte, and one byte for the weight.
 */
export function readWeights(file: Uint8Array): Weights {
  let at = 0
  const number = () => {
    let [value, shift] = [0, 0]
    for (;;) {
      const byte = file[at++]
      if (byte === undefined) throw new Error('The weights of recognition are cut off. Run “npm run train”.')
      value |= (byte & 127) << shift
      if (byte < 128) return value
      shift += 7
    }
  }
  const rows = new Int32Array(tableSize).fill(-1)
  const read: [row: number, field: number, weight: number][] = []
  let used = 0
  for (let field = 0; field < decisionCount; field++) {
    let row = 0
    for (let left = number(); left > 0; left--) {
      row += number()
      if (rows[row] === -1) rows[row] = decisionCount * used++
      read.push([row, field, (file[at++]! << 24) >> 24])
    }
  }
  const values = new Int8Array(decisionCount * used)
  for (const [row, field, weight] of read) values[rows[row]! + field] = weight
  return { rows, values }
}

let committed: Weights | undefined

/** Returns the weights that are part of the service. Training makes them, so they are read when the first payload is. */
export function committedWeights(): Weights {
  committed ??= readWeights(readFileSync(new URL('weights.bin', import.meta.url)))
  return committed
}

/** The sums for all fields. */
export type Sums = Float32Array

/** Adds up the weights of features: for all decisions, or for one alone. */
export class Scorer implements Features {
  readonly #weights: Weights
  readonly #ofLabels: Record<LabelPart, Map<Label, Sums>> = { own: new Map(), other: new Map(), around: new Map() }
  #sums: Sums = new Float32Array(decisionCount)
  /** The only decision that counts; -1 for all. */
  #only = -1

  constructor(weights: Weights) {
    this.#weights = weights
  }

  /** Returns the sums of what `describe` adds, for all decisions. */
  score(describe: (features: Features) => void): Sums {
    const before = this.#sums
    const sums = new Float32Array(decisionCount)
    this.#sums = sums
    describe(this)
    this.#sums = before
    return sums
  }

  /** Returns the sum for one decision. */
  scoreOf(decision: Decision, describe: (features: Features) => void): number {
    this.#only = placeOf(decision)
    const sum = this.score(describe)[this.#only]!
    this.#only = -1
    return sum
  }

  add(space: number, hash: number, value = 1): void {
    const { rows, values } = this.#weights
    const start = rows[rowOf(space, hash)]!
    if (start < 0) return
    const scale = value * step
    if (this.#only >= 0) this.#sums[this.#only]! += values[start + this.#only]! * scale
    else for (let place = 0; place < decisionCount; place++) this.#sums[place]! += values[start + place]! * scale
  }

  addAll(space: number, hashes: readonly number[], total = 1): void {
    const value = total / Math.sqrt(hashes.length)
    for (const hash of hashes) this.add(space, hash, value)
  }

  ofLabel(part: LabelPart, label: Label, describe: (features: Features, label: Label) => void): void {
    const known = this.#ofLabels[part]
    let sums = known.get(label)
    if (!sums) {
      sums = this.score((features) => describe(features, label))
      if (known.size > maxRemembered) known.clear()
      known.set(label, sums)
    }
    for (let place = 0; place < decisionCount; place++) this.#sums[place]! += sums[place]!
  }
}

const maxRemembered = 4000

export const placeOf = (decision: Decision) => decisions.indexOf(decision)
