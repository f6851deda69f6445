import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

for (const file of globSync(['*.md', '{docs,decisions}/**/*.md', 'server/**/*.md'], { cwd: root }).sort()) {
  const text = readFileSync(join(root, file), 'utf8')

  test(`every link of ${file} leads to a file`, () => {
    for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]+)/g))
      assert.ok(existsSync(join(root, dirname(file), target!)), target!)
  })

  test(`every source file that ${file} names exists`, () => {
    for (const [, path] of text.matchAll(/`((?:server|web|test|bench|docs)\/[\w./-]+\.\w+)`/g))
      assert.ok(existsSync(join(root, path!)), path!)
  })
}
