import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './service.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = [...globSync('deploy/*', { cwd: root }), 'docs/deploying.md'].sort()
const variables = new Set(Array.from(read('docs/configuration.md').matchAll(/`([A-Z][A-Z_]+)`/g), ([, name]) => name!))
const help = execFileSync(process.execPath, [join(root, 'bin/lead-engine.js'), '--help'], { encoding: 'utf8' })
const commands = new Set(Array.from(help.matchAll(/^ {2}([a-z]+)\b/gm), ([, name]) => name!))
/** Set for programs other than the service. */
const others = ['PATH', 'MALLOC_ARENA_MAX', 'NODE_OPTIONS']

for (const file of files) {
  const text = read(file)

  test(`${file} names only variables of the service`, () => {
    const named = [
      ...text.matchAll(/^(?:# |Environment=|ENV )?([A-Z][A-Z_]{3,})=/gm),
      ...text.matchAll(/(?:--setenv=|-e |set |Set |ENV .* |`)([A-Z][A-Z_]{3,})=/g),
    ]
    for (const [, name] of named) assert.ok(variables.has(name!) || others.includes(name!), name!)
  })

  test(`${file} names only commands and files that exist`, () => {
    for (const [, name] of text.matchAll(/(?<!\/)\blead-engine ([a-z]+)\b(?=[ -]*(?:--|$|`|list|add))/gm))
      assert.ok(commands.has(name!), name!)
    for (const [, name] of text.matchAll(/lead-engine\.js ([a-z]+)/g)) assert.ok(commands.has(name!), name!)
    for (const [, path] of text.matchAll(/\/opt\/lead-engine\/((?:bin|deploy)\/[\w.-]+)/g))
      assert.ok(existsSync(join(root, path!)), path!)
    for (const [, path] of text.matchAll(/\b(deploy\/[\w-]+(?:\.\w+)?)/g))
      assert.ok(existsSync(join(root, path!)), path!)
  })
}

test('the command of the unit can be executed', () => {
  const [, path] = /^ExecStart=\/opt\/lead-engine\/(\S+) serve$/m.exec(read('deploy/lead-engine.service'))!
  assert.ok(statSync(join(root, path!)).mode & 0o111)
})
