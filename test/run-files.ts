/** Takes one test file after the other that no other process of the run has taken, and runs it: see run.ts. */
import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { mock, test } from 'node:test'
import { isSlow, isThorough } from './budget.ts'

const [claims = '', ...files] = process.argv.slice(2)
// The build of the web app replaces it.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '@lingui/core/macro' ? new URL('macros.ts', import.meta.url).href : specifier, context),
})
const environment = { ...process.env }

for (const [place, file] of files.entries()) {
  if (!isClaimed(place)) continue
  await test(file, { timeout: isThorough || isSlow ? 3_600_000 : 600_000 }, async (t) => {
    await import(resolve(file))
    // A test after those of the file waits for them.
    await t.test('leaves the process as it was', () => {
      mock.reset()
      assert.deepEqual({ ...process.env }, environment)
    })
  })
}

// What a failed test left open would keep the process for ever.
setTimeout(() => {
  console.error(`The tests have ended, and this is still open: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}, 30_000).unref()

function isClaimed(place: number): boolean {
  try {
    closeSync(openSync(join(claims, String(place)), 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
