import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { judgedFields, payloadCorpus } from '../test/labelled-payloads.ts'
import { crossValidate, type Grouping, type Outcome } from './recognition/cross-validate.ts'
import { learn } from './recognition/learn.ts'
import { callExamples, crossValidateCalls, learnCalls } from './recognition/learn-calls.ts'

/**
 * `npm run train` learns the weights of recognition from the labelled payloads and writes them. The same payloads make the same file.
 * `-- --calls` learns only which payloads are events of calls.
 *
 * `-- --cross-validate vendor` (or `family`) measures instead how well payloads are read whose vendor (or kind of platform) the weights
 * have not seen; `calls` how many events of calls are known as such.
 */

const { values } = parseArgs({ options: { 'cross-validate': { type: 'string' }, calls: { type: 'boolean' } } })
const grouping = values['cross-validate']
if (grouping === 'calls') {
  console.log('set          calls   known  others   taken for calls')
  for (const [set, all] of Map.groupBy(crossValidateCalls('development'), ({ set }) => set)) {
    const calls = all.filter(({ isCall }) => isCall)
    const taken = all.filter(({ isCall, isTaken }) => isTaken && !isCall)
    const counts = [calls.length, calls.filter(({ isTaken }) => isTaken).length, all.length - calls.length]
    console.log(
      set.padEnd(10),
      ...counts.map((n) => String(n).padStart(7)),
      '  ',
      taken.length,
      taken.map(({ system }) => system).join(', '),
    )
  }
} else if (grouping === undefined) {
  const examples = callExamples()
  writeFileSync(new URL('../server/intake/payload/call/is-call.bin', import.meta.url), learnCalls(examples))
  console.log(`Learned calls from ${examples.length} payloads`)
  if (values.calls) process.exit()
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
