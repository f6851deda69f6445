import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { judgedFields, payloadCorpus } from '../test/labelled-payloads.ts'
import { crossValidate, type Grouping, type Outcome } from './recognition/cross-validate.ts'
import { learn } from './recognition/learn.ts'

/**
 * `npm run train` learns the weights of recognition from the labelled payloads and writes them. The same payloads make the same file.
 * `-- --cross-validate vendor` (or `family`) measures instead how well payloads are read whose vendor (or kind of platform) the weights
 * have not seen.
 */

const { values } = parseArgs({ options: { 'cross-validate': { type: 'string' } } })
const grouping = values['cross-validate']
if (grouping === undefined) {
  const samples = payloadCorpus().filter(({ blind }) => !blind)
  const file = learn(samples)
  writeFileSync(new URL('../server/intake/payload/recognition/weights.bin', import.meta.url), file)
  console.log(`Learned from ${samples.length} payloads: ${file.length} bytes`)
} else {
  const { outcomes, rejected, invented } = await crossValidate(grouping as Grouping)
  console.log('field      expected   right   wrong  missed  (%)')
  for (const field of judgedFields)
    showShares(
      field,
      outcomes.filter((one) => one.field === field),
    )
  showShares('all', outcomes)
  console.log(`\nleads rejected: ${rejected.length}\nleads of events: ${invented.length}`)
  console.log('\nprobability    read   right (%)')
  const read = outcomes.filter(({ probability }) => probability !== undefined)
  for (const from of [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]) {
    const to = { 0.4: 0.5, 0.5: 0.6, 0.6: 0.7, 0.7: 0.8, 0.8: 0.9, 0.9: 0.95, 0.95: 0.99, 0.99: 1.1 }[from]!
    const within = read.filter(({ probability = 0 }) => probability >= from && probability < to)
    console.log(
      `from ${from}`.padEnd(11),
      String(within.length).padStart(7),
      percent(count(within, 'right'), within.length),
    )
  }
  const sure = read.filter((one) => one.isSure)
  console.log(
    `\nsure: ${percent(count(sure, 'right'), sure.length)} right; unsure:${percent(read.length - sure.length, read.length)} of the fields`,
  )
}

function showShares(name: string, outcomes: readonly Outcome[]): void {
  const expected = outcomes.filter(({ isExpected }) => isExpected).length
  const shares = (['right', 'wrong', 'missed'] as const).map((result) => percent(count(outcomes, result), expected))
  console.log(name.padEnd(10), String(expected).padStart(8), ...shares)
}

function count(outcomes: readonly Outcome[], result: Outcome['result']): number {
  return outcomes.filter((one) => one.result === result).length
}

function percent(part: number, whole: number): string {
  return (whole === 0 ? '–' : ((100 * part) / whole).toFixed(1)).padStart(7)
}
