import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { root } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-node-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** An installation whose program only says that it runs, `own` with the package that contains Node. */
function installation(name: string, { own }: { own: boolean }): string {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), text, { mode: 0o755 })
  }
  write('package.json', '{"type": "module"}')
  write('server/main.js', 'console.log("present", ...process.argv.slice(2))')
  if (own) {
    const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
    write(`node_modules/${prefix}-${process.platform}-${process.arch}/bin/node`, '#!/bin/sh\nshift; echo own "$@"')
  }
  cpSync(join(root, 'bin'), join(folder, name, 'bin'), { recursive: true })
  return join(folder, name, 'bin/lead-engine.js')
}

const alone = installation('alone', { own: false })
const withOwn = installation('with-own', { own: true })

function run(program: string, version: string) {
  const present = `Object.defineProperty(process.versions,"node",{value:"${version}"})`
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${present}`, program, 'serve', '--json'], {
    encoding: 'utf8',
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
