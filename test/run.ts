/**
 * Runs the tests: all of `npm test`, or the files named. A few processes share the files, because loading the service takes
 * longer than most of them. `--times` prints what each file took, `--thorough` runs what takes long as well, `--slow` has
 * slow browsers.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { withTestServer } from './server.ts'

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    thorough: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism() + 1) },
  },
})
if (values.thorough) process.env.THOROUGH = '1'
if (values.slow) process.env.SLOW = '1'
const kinds = values.thorough ? ['test', 'thorough'] : ['test']
// The longest come first, so that none of them runs alone at the end.
const isLong = (file: string) => file.startsWith('test/')
const patterns = kinds.map((kind) => `**/*.${kind}.ts`)
const everyFile = () =>
  globSync(patterns, { exclude: ['**/node_modules', 'dist', 'data'] }).sort(
    (one, other) => Number(isLong(other)) - Number(isLong(one)) || (one < other ? -1 : 1),
  )
const files = named.length > 0 ? named : everyFile()

await withTestServer(runTests)

async function runTests(): Promise<void> {
  const claims = mkdtempSync(join(tmpdir(), 'lead-engine-run-'))
  const events = new PassThrough({ objectMode: true })
  const report = events.compose(spec)
  report.pipe(process.stdout, { end: false })
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const times: [file: string, ms: number][] = []
  await Promise.all(Array.from({ length: Math.min(Number(values.processes), files.length) }, runProcess))
  events.end()
  await new Promise((resolve) => report.on('end', resolve))
  rmSync(claims, { recursive: true })
  if (values.times)
    for (const [file, ms] of times.sort(([, one], [, other]) => other - one))
      console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`)
  const { passed, failed, skipped } = counts
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
  process.on('exit', () => console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`))

  /** Reports file by file, in the order in which they end. */
  async function runProcess() {
    let ofFile: TestEvent[] = []
    const process = run({ files: [join(import.meta.dirname, 'run-files.ts')], argv: [claims, ...files] })
    for await (const event of process as AsyncIterable<TestEvent>) {
      if (event.type === 'test:summary' || event.type === 'test:plan') continue
      ofFile.push(event)
      if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
      count(event)
      if (event.data.nesting > 0) continue
      times.push([event.data.name, event.data.details.duration_ms])
      for (const one of ofFile) events.write(one)
      ofFile = []
    }
    for (const one of ofFile) events.write(one)
  }

  /** The tests in the files, and a file itself if it fails without them. */
  function count({ type, data }: Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>): void {
    if (data.details.type === 'suite') return
    if (type === 'test:fail') {
      const { failureType } = data.details.error as { failureType?: string }
      if (failureType !== 'subtestsFailed') counts.failed++
    } else if (data.skip || data.todo) counts.skipped++
    else if (data.nesting > 0) counts.passed++
  }
}
