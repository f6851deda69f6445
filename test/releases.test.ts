import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }
import { root } from './service.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const rows = [...read('docs/releases.md').matchAll(/^\| (\d+\.\d+\.\d+)\S* .*?\| (\d{4}) \S+ \S+ \| (yes|no) \|/gm)]
const versions = rows.map(([, version]) => version)

test('docs/releases.md has a row for each version of the changelog, the newest first', () => {
  const released = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version)
  assert.deepEqual(versions, released)
  assert.equal(versions[0], manifest.version)
})

test('the row of this version says whether the version before works on its database', () => {
  const [, , first = '', works] = rows[0]!
  const added = globSync('server/platform/database/migrations/[0-9]*.sql', { cwd: root }).filter(
    (file) => file.slice('server/platform/database/migrations/'.length) >= first,
  )
  const breaking = added.filter((file) => !read(file).startsWith('-- compatible: yes\n'))
  assert.equal(works, breaking.length > 0 ? 'no' : 'yes', breaking.join(', '))
})
