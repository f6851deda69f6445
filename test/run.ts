/** Runs the tests: all, or the files named. Each test file gets a clone of one migrated template. */
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { withTestServer } from './server.ts'

const named = process.argv.slice(2)
// Those in test/ take longest, and come first: none of them runs alone at the end.
const files =
  named.length > 0 ? named : globSync(['server/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts']).sort().reverse()

await withTestServer(runTests)

function runTests(): Promise<void> {
  return new Promise((resolve) => {
    // One more than two cores have to do: many tests wait for a time limit.
    const events = run({ files, concurrency: 3, timeout: 180_000 })
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
