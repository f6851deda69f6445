import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, 'migrations')
const files = globSync('*.sql', { cwd: folder }).sort()

test('migrations are numbered without a gap', () => {
  for (const [index, file] of files.entries()) assert.equal(file.slice(0, 5), `${String(index + 1).padStart(4, '0')}_`)
})

// The line was introduced with the twelfth.
for (const file of files.slice(11)) {
  test(`${file} says whether older programs keep working`, () =>
    assert.match(readFileSync(join(folder, file), 'utf8'), /^-- compatible: (yes|no)\n/))
}
