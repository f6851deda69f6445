import { tableSize } from '../../server/intake/payload/recognition/hash.ts'
import { decisions, step } from '../../server/intake/payload/recognition/model.ts'
import { randomFrom } from '../../test/generated-payloads.ts'
import type { LabelledPayload } from '../../test/labelled-payloads.ts'
import { examplesOf, leadQuestionOf, type Question, questionOf, type Row } from './questions.ts'
import { generatedSamples, variationsOf } from './variations.ts'

const settings = { rate: 0.15, smoothing: 1, sparsity: 0.1, decay: 0.5, rounds: 8 }

/** Learns the weights of a field by FTRL, which leaves those at zero that do not count. Deterministic. */
export function fit(questions: Question[]): Float32Array {
  const { rate, smoothing, sparsity, decay, rounds } = settings
  const weights = new Float32Array(tableSize)
  const [pulls, squares, slopes] = [
    new Float32Array(tableSize),
    new Float32Array(tableSize),
    new Float32Array(tableSize),
  ]
  const random = randomFrom(7)
  const order = [...questions.keys()]
  for (let round = 0; round < rounds; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      ;[order[at], order[other]] = [order[other]!, order[at]!]
    }
    for (const place of order) {
      const { candidates, right } = questions[place]!
      const scores = candidates.map((rows) => scoreOf(rows, weights))
      const highest = Math.max(0, ...scores)
      const shares = scores.map((score) => Math.exp(score - highest))
      const all = shares.reduce((sum, share) => sum + share, Math.exp(-highest))
      const wanted = right.includes(true)
        ? shares.reduce((sum, share, at) => sum + (right[at] ? share : 0), 0)
        : undefined
      const touched: number[] = []
      for (let at = 0; at < candidates.length; at++) {
        const slope = shares[at]! / all - (wanted !== undefined && right[at] ? shares[at]! / wanted : 0)
        if (Math.abs(slope) < 1e-4) continue
        for (const { rows, values } of candidates[at]!) {
          for (let one = 0; one < rows.length; one++) {
            const row = rows[one]!
            if (slopes[row] === 0) touched.push(row)
            slopes[row]! += slope * values[one]!
          }
        }
      }
      for (const row of touched) {
        const slope = slopes[row]!
        slopes[row] = 0
        if (slope === 0) continue
        const [square, weight] = [squares[row]!, weights[row]!]
        const root = Math.sqrt(square + slope * slope)
        const pull = pulls[row]! + slope - ((root - Math.sqrt(square)) / rate) * weight
        pulls[row] = pull
        squares[row] = square + slope * slope
        weights[row] =
          Math.abs(pull) <= sparsity ? 0 : -(pull - Math.sign(pull) * sparsity) / ((smoothing + root) / rate + decay)
      }
    }
  }
  return weights
}

function scoreOf(parts: Row[], weights: Float32Array): number {
  let score = 0
  for (const { rows, values } of parts)
    for (let at = 0; at < rows.length; at++) score += weights[rows[at]!]! * values[at]!
  return score
}

/** Returns the file of weights, which `readWeights` reads. */
export function learn(samples: readonly LabelledPayload[]): Uint8Array {
  const random = randomFrom(11)
  const examples = examplesOf([...samples, ...variationsOf(samples, random), ...generatedSamples(samples, random)])
  const bytes: number[] = []
  const number = (value: number) => {
    let rest = value
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
    bytes.push(rest)
  }
  for (const decision of decisions) {
    const weights = fit(
      examples.flatMap((example) =>
        decision === 'lead' ? leadQuestionOf(example) : (questionOf(decision, example) ?? []),
      ),
    )
    const small = Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / step))))
    const rows = [...small.keys()].filter((row) => small[row] !== 0)
    number(rows.length)
    let last = 0
    for (const row of rows) {
      number(row - last)
      bytes.push(small[row]! & 255)
      last = row
    }
  }
  return Uint8Array.from(bytes)
}
