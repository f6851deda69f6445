import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../operations/embedded/server.ts'
import { freePort } from './app.ts'
import { databaseUrl } from './command-line.ts'
import { testDatabase } from './database.ts'
import { plainEnv, root } from './service.ts'

/** Builds the release, installs it in empty folders as an operator does, and runs it there. Needs the npm registry. */
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-installed-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const release = execFileSync('npm', ['run', '--silent', 'release'], { cwd: root, encoding: 'utf8' }).trim()

/** Only the Node of this test is in its PATH. */
const bin = join(folder, 'bin')
mkdirSync(bin)
copyFileSync(process.execPath, join(bin, 'node'))
const path = `${bin}:/usr/local/bin:/usr/bin:/bin`

function install(name: string, ...options: string[]): string {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...options, release], { cwd })
  return cwd
}

/** As `du -sm` counts. */
function megabytes(cwd: string): number {
  const blocks = globSync('**', { cwd }).reduce((sum, file) => sum + lstatSync(join(cwd, file)).blocks, 0)
  return Math.ceil((blocks * 512) / 1024 / 1024)
}

async function serve(cwd: string, given: Record<string, string>) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = plainEnv({ PATH: path, DATA_DIR: join(cwd, 'data'), PORT: port, ...given })
  const child = spawn(join(cwd, 'node_modules/.bin/lead-engine'), ['serve'], { cwd, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const deadline = Date.now() + 120_000; !(await ready()); await sleep(100)) {
    if (child.exitCode === null && Date.now() < deadline) continue
    child.kill('SIGKILL')
    throw new Error(`the service did not start: ${said}`)
  }
  return { url, child, said: () => said }
}

/** What the first start promises: the printed `curl` line, the web app and the API reference. */
async function tryOut({ url, said }: Awaited<ReturnType<typeof serve>>) {
  const curl = /^curl .*$/m.exec(said())![0]
  const status = execFileSync('sh', ['-c', `${curl} -o /dev/null -w '%{http_code}'`], { encoding: 'utf8' })
  assert.equal(status, '201')
  const page = await fetch(`${url}/`)
  assert.equal(page.status, 200)
  const [script] = /\/assets\/index-[\w-]+\.js/.exec(await page.text())!
  assert.equal((await fetch(url + script)).status, 200)
  assert.equal((await fetch(`${url}/docs`)).status, 200)
  assert.equal((await fetch(`${url}/docs/js/scalar.js`)).status, 200)
}

test('an installed release runs by itself: at most 330 MB, with its database', { timeout: 600_000 }, async () => {
  const cwd = install('whole')
  assert.ok(megabytes(cwd) <= 330, `${megabytes(cwd)} MB`)
  const service = await serve(cwd, {})
  await tryOut(service)
  const pidFile = join(cwd, 'data/postgres/postmaster.pid')
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  service.child.kill('SIGTERM')
  await once(service.child, 'exit')
  assert.equal(service.child.exitCode, 0)
  assert.ok(!isAlive(postmaster) && !existsSync(pidFile))
})

test('without its optional packages a release takes at most 120 MB', { timeout: 600_000 }, async () => {
  const cwd = install('small', '--omit=optional')
  assert.ok(megabytes(cwd) <= 120, `${megabytes(cwd)} MB`)
  const { connection, owner, close } = await testDatabase()
  try {
    // As before the first start.
    await owner.unsafe('drop schema public cascade; create schema public')
    const service = await serve(cwd, { DATABASE_URL: databaseUrl(connection) })
    await tryOut(service)
    service.child.kill('SIGTERM')
    await once(service.child, 'exit')
    assert.equal(service.child.exitCode, 0)
  } finally {
    await close()
  }
  await assert.rejects(serve(cwd, {}), /No embedded PostgreSQL is installed .* set DATABASE_URL/)
})
