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
/** Set for programs other than the service, and for the build of the image. */
const others = ['PATH', 'MALLOC_ARENA_MAX', 'NODE_OPTIONS', 'EMBEDDED_POSTGRES']

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
    for (const [, path] of text.matchAll(/\/opt\/lead-engine\/(?:current\/)?((?:bin|deploy)\/[\w.-]+)/g))
      assert.ok(existsSync(join(root, path!)), path!)
    for (const [, path] of text.matchAll(/\b(deploy\/[\w-]+(?:\.\w+)?)/g))
      assert.ok(existsSync(join(root, path!)), path!)
  })
}

test('the command of the unit can be executed', () => {
  const [, path] = /^ExecStart=\/opt\/lead-engine\/current\/(\S+) serve --no-key$/m.exec(
    read('deploy/lead-engine.service'),
  )!
  assert.ok(statSync(join(root, path!)).mode & 0o111)
})

test('the compose file sets only variables of the service, and contains no secret', () => {
  const text = read('deploy/compose.yaml')
  const [service = ''] = /^ {2}lead-engine:\n(?: {4}.*\n|\n)+/m.exec(text)!
  const [, set = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(service)!
  const names = Array.from(set.matchAll(/^ {6}(\w+):/gm), ([, name]) => name!)
  assert.ok(names.includes('DATABASE_PASSWORD_FILE'))
  for (const name of names) assert.ok(variables.has(name), name)
  assert.doesNotMatch(text, /:\/\/[^/]+:[^/]+@|PASSWORD:/)
})

test('the container checks the health of the service, and its log keeps no key', () => {
  const text = read('deploy/Containerfile')
  assert.match(text, /^HEALTHCHECK .* CMD \["lead-engine", "healthcheck"\]$/m)
  assert.match(text, /^ENTRYPOINT \["lead-engine"\]\n(?:#.*\n)?CMD \["serve", "--no-key"\]$/m)
  assert.ok(commands.has('healthcheck'))
})
