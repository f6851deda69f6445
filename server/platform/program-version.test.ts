import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '#test/service.ts'
import { gitHead } from './program-version.ts'

test('a program that runs from its repository knows its commit', (t) => {
  if (!existsSync(join(root, '.git'))) return t.skip('without a repository')
  assert.equal(gitHead, execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim())
})
