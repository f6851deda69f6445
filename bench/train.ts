import { writeFileSync } from 'node:fs'
import { phoneKey } from '../server/contacts/contact.ts'
import { leavesOf } from '../server/payload/recognition/leaves.ts'
import { recognise } from '../server/payload/recognition/recognise.ts'
import { type Candidate, type ScoredField, scoring, type Weights } from '../server/payload/recognition/scoring.ts'
import { type Fields, type Judged, judge, type LabelledPayload, payloadCorpus } from '../test/labelled-payloads.ts'

/**
 * `npm run train` compares the committed weights with learned ones by cross-validation: for each family, the weights are
 * learned from all other families. `-- --write` writes the weights learned from all families.
 */

type Row = { features: Record<string, number | undefined>; isRight: boolean }
type Rows = Partial<Record<ScoredField, Row[]>>

const samples = payloadCorpus().filter(({ blind, expected }) => !blind && !Array.isArray(expected))
const rowsOf = new Map(samples.map((sample) => [sample, rowsIn(sample)]))

/** Returns the candidates for each field with what is true of them, and whether they are the expected ones. */
function rowsIn({ payload, expected }: LabelledPayload): Rows {
  const rows: Rows = {}
  const observe = (field: ScoredField, candidates: readonly Candidate[]) => {
    rows[field] = candidates.map(({ value, features }) => ({
      features,
      isRight: isExpected(field, value, expected as Fields),
    }))
  }
  recognise(leavesOf(payload), 'IN', undefined, { ...scoring, observe })
  return rows
}

function isExpected(field: ScoredField, value: string, expected: Fields): boolean {
  const name = expected.name ?? ''
  if (field === 'first_name') return name === value || name.startsWith(`${value} `)
  if (field === 'last_name') return name.endsWith(` ${value}`)
  const want = expected[field]
  if (want === value) return true
  return field === 'phone' && want !== undefined && phoneKey(want, 'IN') === phoneKey(value, 'IN')
}

/** What a unit of the committed weights is worth in the logistic model. */
const temperature = 12
const steps = 400

/** Fits a logistic model of each field, which starts at the committed weights and is drawn back to them by `pull`. */
function learn(learnedFrom: readonly LabelledPayload[], pull: number): Weights {
  const learned = structuredClone(scoring.weights) as Record<ScoredField, Record<string, number>>
  for (const field of Object.keys(learned) as ScoredField[]) {
    const rows = learnedFrom.flatMap((sample) => rowsOf.get(sample)![field] ?? [])
    if (rows.length > 0) learned[field] = fit(rows, learned[field], pull)
  }
  return learned as Weights
}

function fit(rows: Row[], start: Record<string, number>, pull: number): Record<string, number> {
  const names = Object.keys(start)
  const inputs = rows.map(({ features }) => names.map((name) => (name === 'least' ? -1 : (features[name] ?? 0))))
  const weights = names.map((name) => start[name]!)
  const [mean, square] = [names.map(() => 0), names.map(() => 0)]
  for (let step = 1; step <= steps; step++) {
    const slope = names.map((name, at) => pull * (weights[at]! - start[name]!))
    for (const [row, input] of inputs.entries()) {
      const total = input.reduce((sum, value, at) => sum + value * weights[at]!, 0) / temperature
      const error = 1 / (1 + Math.exp(-total)) - Number(rows[row]!.isRight)
      for (let at = 0; at < names.length; at++) slope[at]! += (error * input[at]!) / temperature
    }
    // Adam, whose steps do not depend on how large the slope is.
    for (let at = 0; at < names.length; at++) {
      mean[at] = 0.9 * mean[at]! + 0.1 * slope[at]!
      square[at] = 0.99 * square[at]! + 0.01 * slope[at]! ** 2
      weights[at]! -= (0.3 * (mean[at]! / (1 - 0.9 ** step))) / (Math.sqrt(square[at]! / (1 - 0.99 ** step)) + 1e-6)
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, Math.round(weights[at]! * 10) / 10]))
}

const reader = (weights: Weights) => (payload: Record<string, unknown>) => {
  const { found } = recognise(leavesOf(payload), 'IN', undefined, { weights })
  const { first_name, last_name, ...fields } = Object.fromEntries(found.map(({ field, value }) => [field, value]))
  const name = fields.name ?? ([first_name, last_name].filter(Boolean).join(' ') || undefined)
  return [name === undefined ? fields : { ...fields, name }] as Fields[]
}

const families = Map.groupBy(samples, ({ family }) => family)

function crossValidated(weightsFor: (others: LabelledPayload[]) => Weights): Judged[] {
  return [...families].map(([family, held]) =>
    judge(held, reader(weightsFor(samples.filter((sample) => sample.family !== family)))),
  )
}

function report(title: string, judged: Judged[]): void {
  const fields = judged.flatMap((one) => one.fields)
  const count = (result: string) => fields.filter((one) => one.result === result).length
  const expected = fields.filter(({ want }) => want !== undefined).length
  const rejected = judged.flatMap((one) => one.rejected).length
  const share = ((100 * count('right')) / expected).toFixed(2)
  console.log(
    `${title.padEnd(36)} right ${count('right')} of ${expected} (${share} %), wrong ${count('wrong')}, rejected leads ${rejected}`,
  )
}

const pulls = [1, 0.1, 0.01, 0.001]
console.log(`${samples.length} payloads of ${families.size} families; each family is read with weights from the others`)
report(
  'committed weights',
  crossValidated(() => scoring.weights),
)
for (const pull of pulls)
  report(
    `learned, pull ${pull}`,
    crossValidated((others) => learn(others, pull)),
  )

if (process.argv.includes('--write')) {
  const file = new URL('../server/payload/recognition/weights.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(learn(samples, pulls[0]!), null, 2)}\n`)
}
