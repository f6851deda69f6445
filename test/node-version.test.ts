import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { plainEnv, root } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-node-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** An installation whose program only says that it runs, `own` with the package that contains Node. */
function installation(name: string, { own }: { own: boolean }): string {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), text, { mode: 0o755 })
  }
  write('package.json', '{"type": "module"}')
  write('operations/main.js', 'console.log("present", ...process.argv.slice(2))')
  if (own) {
    const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
    write(`node_modules/${prefix}-${process.platform}-${process.arch}/bin/node`, '#!/bin/sh\nshift; echo own "$@"')
  }
  cpSync(join(root, 'bin'), join(folder, name, 'bin'), { recursive: true })
  return join(folder, name, 'bin/lead-engine.js')
}

const alone = installation('alone', { own: false })
const withOwn = installation('with-own', { own: true })

function run(program: string, version: string, npm: Record<string, string> = {}) {
  const present = `Object.defineProperty(process.versions,"node",{value:"${version}"})`
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${present}`, program, 'serve', '--json'], {
    encoding: 'utf8',
    env: { ...plainEnv({}), ...npm },
  })
}

for (const [program, version, runsOn] of [
  [alone, '24.7.0', 'present'],
  [alone, '25.0.0', 'present'],
  [alone, '26.10.0', 'present'],
  [alone, '27.1.0', 'present'],
  [withOwn, '20.19.0', 'own'],
  [withOwn, '24.9.0', 'own'],
  [withOwn, '26.10.0', 'present'],
] as const) {
  test(`Node ${version} ${program === withOwn ? 'beside' : 'without'} an installed one: the ${runsOn} one runs`, () => {
    const { stdout, status } = run(program, version)
    assert.equal(stdout, `${runsOn} serve --json\n`)
    assert.equal(status, 0)
  })
}

for (const version of ['20.19.0', '24.6.0']) {
  test(`Node ${version} without an installed one says what is missing`, () => {
    const { stdout, stderr, status } = run(alone, version)
    assert.equal(stdout, '')
    assert.equal(status, 1)
    assert.match(
      stderr,
      new RegExp(`^Lead Engine needs Node 24\\.7 or newer, and this is Node ${version}\\. .*--omit=optional`),
    )
  })
}

/** A checkout before `npm ci`: sources, and no packages. */
const checkout = installation('checkout', { own: false })
writeFileSync(join(folder, 'checkout/operations/main.ts'), '')

for (const [version, says] of [
  [
    '18.20.8',
    /^Lead Engine needs Node 20\.19 or newer, and this is Node 18\.20\.8: install a newer Node, [^\n]*npm ci[^\n]*\n$/,
  ],
  [
    '20.19.0',
    /^The packages of Lead Engine are not installed: run npm ci in [^\n]*checkout\/, then start it again\.\n$/,
  ],
  [
    '26.10.0',
    /^The packages of Lead Engine are not installed: run npm ci in [^\n]*checkout\/, then start it again\.\n$/,
  ],
] as const) {
  test(`a checkout without packages on Node ${version} says in one sentence what to do`, () => {
    const { stdout, stderr, status } = run(checkout, version)
    assert.deepEqual([stdout, status], ['', 1])
    assert.match(stderr, says)
  })
}

test('npm ci fails with one sentence if it left out what builds the web app', () => {
  const program = join(folder, 'checkout/bin/link-node.js')
  mkdirSync(join(folder, 'checkout/node_modules/commander'), { recursive: true })
  mkdirSync(join(folder, 'checkout/node_modules/rolldown'), { recursive: true })
  const left = run(program, '26.10.0', { npm_config_user_agent: 'npm/10.8.2 node/v20.10.0 linux x64' })
  assert.deepEqual([left.stdout, left.status], ['', 1])
  assert.match(
    left.stderr,
    /^npm left out packages that do not support Node 20\.10\.0: install Node [^\n]*npm ci[^\n]*\n$/,
  )
  mkdirSync(join(folder, `checkout/node_modules/@rolldown/binding-${process.platform}-${process.arch}`), {
    recursive: true,
  })
  const complete = run(program, '20.10.0')
  assert.deepEqual([complete.stderr, complete.status], ['', 0])
})
