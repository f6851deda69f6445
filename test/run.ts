/** Runs the tests: all, or the files named. Each test file gets a clone of one migrated template. */
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { withTestServer } from './server.ts'

const {
  values: { kills },
  positionals: named,
} = parseArgs({ allowPositionals: true, options: { kills: { type: 'string' } } })
// The faults in full: every statement is cut, and as many kills as were asked for.
if (kills) Object.assign(process.env, { KILLS: kills, EVERY_FAULT: '1' })
// Those that take longest come first, so that none of them runs alone at the end: those in test/, and then those that
// read all payloads many times.
const placeOf = (file: string) => (file.startsWith('test/') ? 0 : file.includes('/recognition/') ? 1 : 2)
const files =
  named.length > 0
    ? named
    : globSync(['server/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts', 'clients/*.test.ts']).sort(
        (one, other) => placeOf(one) - placeOf(other) || (one < other ? 1 : -1),
      )

await withTestServer(runTests)

function runTests(): Promise<void> {
  return new Promise((resolve) => {
    // More than two cores have to do: many tests wait for a time limit.
    const events = run({ files, concurrency: kills ? 1 : 4, timeout: kills ? 3_600_000 : 180_000 })
    events.on('test:summary', ({ counts, file }) => {
      if (file !== undefined) return
      const skipped = counts.skipped + counts.todo
      const failed = counts.tests - counts.passed - skipped
      process.exitCode = failed > 0 || counts.tests === 0 ? 1 : 0
      process.on('exit', () =>
        console.log(`${counts.passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`),
      )
    })
    const report = events.compose(spec)
    report.on('end', resolve)
    report.pipe(process.stdout)
  })
}
