import { mapPayload } from '../server/intake/payload/map-payload.ts'
import { type Judged, judge, judgedFields, payloadCorpus } from '../test/labelled-payloads.ts'
import { quantilesOf } from './quantile.ts'

/**
 * How right recognition is: `npm run bench -- recognition`. `--blind` for the payloads which are held back, `--times` for how
 * long it takes, too.
 */

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

function table(title: string, groups: Map<string, Judged['fields']>): void {
  console.log(`\n${title.padEnd(22)}${['fields', 'right', 'wrong', 'missed'].map((head) => head.padStart(9)).join('')}`)
  for (const [name, fields] of groups) {
    const count = (result: string) => fields.filter((one) => one.result === result).length
    // A field that nothing was expected in, and that was read nevertheless, is wrong and no more.
    const expected = fields.filter(({ want }) => want !== undefined).length
    const cells = [
      expected,
      percent(count('right'), expected),
      percent(count('wrong'), expected),
      percent(count('missed'), expected),
    ]
    console.log(`${name.padEnd(22)}${cells.map((cell) => String(cell).padStart(9)).join('')}`)
  }
}

function report(title: string, judged: Judged, count: number): void {
  const { fields, rejected, invented } = judged
  console.log(`\n${title}: ${count} payloads`)
  const ordered = new Map(judgedFields.map((field) => [field as string, fields.filter((one) => one.field === field)]))
  table('by field', ordered.set('all', fields))
  table(
    'by family',
    Map.groupBy(fields, ({ family }) => family),
  )
  console.log(`\nreal leads rejected: ${rejected.length} ${rejected.join(', ')}`)
  console.log(`leads of events: ${invented.length} ${invented.join(', ')}`)
  for (const { platform, field, result, got, want } of fields) {
    if (result !== 'right')
      console.log(`  ${result} ${platform} ${field}: ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`)
  }
}

const options = process.argv.slice(2)
const allPayloads = payloadCorpus()
const isBlind = options.includes('--blind')
const judgedPayloads = allPayloads.filter(({ blind = false }) => blind === isBlind)
report(isBlind ? 'Blind payloads' : 'Known payloads', judge(judgedPayloads), judgedPayloads.length)
if (options.includes('--times')) reportTimes()

/** The first payload of a sender has keys that are new; those after it have keys that are known. */
function reportTimes(): void {
  const timed = ({ payload }: { payload: Record<string, unknown> }) => {
    const started = performance.now()
    mapPayload(payload, { mapping: [], country: 'IN' })
    return performance.now() - started
  }
  // All of them together have more keys than are remembered, so each round finds most of them new.
  const rounds = Array.from({ length: 6 }, () => allPayloads.map(timed))
  reportTime('new keys', rounds.slice(2).flat())
  const senders = Array.from({ length: Math.ceil(allPayloads.length / 50) }, (_, at) =>
    allPayloads.slice(at * 50, at * 50 + 50),
  )
  const known = senders.flatMap((some) => {
    some.forEach(timed)
    return Array.from({ length: 5 }, () => some.map(timed)).flat()
  })
  reportTime('known keys', known)
}

function reportTime(title: string, times: number[]): void {
  const quantile = quantilesOf(times)
  const at = (share: number) => quantile(share).toFixed(3)
  console.log(`${title}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`)
}
