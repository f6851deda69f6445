import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, 'migrations')
const files = globSync('[0-9]*.sql', { cwd: folder }).sort()
/** The baseline begins with it (baseline.ts). */
const first = 80

test('migrations are numbered without a gap', () => {
  for (const [index, file] of files.entries())
    assert.equal(file.slice(0, 5), `${String(index + first).padStart(4, '0')}_`)
})

for (const file of files) {
  test(`${file} says whether older programs keep working`, () =>
    assert.match(readFileSync(join(folder, file), 'utf8'), /^-- compatible: (yes|no)\n/))
}
