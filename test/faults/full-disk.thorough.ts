import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../operations/embedded/embedded.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { runCommand } from '../command-line.ts'
import { acknowledgedIn, assertLedgerHolds, newLedger, writeUntil } from '../ledger.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'

/** A file system of a few megabytes, or why it cannot be mounted. */
const disk = mkdtempSync(join(tmpdir(), 'lead-engine-disk-'))
const cannotMount = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk], { stdio: 'pipe' })
    return false
  } catch (error) {
    return `a small file system cannot be mounted here: ${(error as Error).message.split('\n')[0]}`
  }
})()
after(() => {
  if (cannotMount === false) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
})

test('on a full disk it answers 503, loses nothing, and goes on by itself when there is space again', {
  skip: cannotMount,
  timeout: 170_000,
}, async (t) => {
  const env = { DATA_DIR: join(disk, 'data') }
  const service = await startService(env)
  t.after(() => service.end())
  const key = /le_live_\w+/.exec(service.said())![0]
  const names = ['--account', 'My company', '--name', 'Site', '--source', 'Site', '--json']
  const made = await runCommand(['webhook', 'create', ...names], env)
  const target = { url: service.url, key, webhook: new URL(JSON.parse(made.out).url).pathname }
  const ledger = newLedger()
  const stop = new AbortController()
  const writing = writeUntil(stop.signal, target, ledger)
  const acknowledged = () => acknowledgedIn(ledger)
  const until = async (holds: () => boolean, what: string) => {
    for (const deadline = Date.now() + 60_000; !holds(); await sleep(20))
      assert.ok(Date.now() < deadline && service.child.exitCode === null, `${what} ${service.said().slice(-2000)}`)
  }
  await until(() => acknowledged() > 30, 'the service works')

  const ballast = join(disk, 'ballast')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 65_536))
  await until(() => (ledger.answers[503] ?? 0) > 20, 'the full disk is noticed')
  assert.equal((await ask(service.url, null, 'GET', '/healthz')).status, 200)
  const ready = await ask(service.url, null, 'GET', '/readyz')
  assert.match(ready.body.error.message, /does not accept writes just now: its disk is full/)
  const before = acknowledged()
  rmSync(ballast)
  await until(() => acknowledged() > before + 30, 'the service recovers')
  stop.abort()
  await writing

  const embedded = await startEmbedded(env.DATA_DIR, () => {}, { create: false })
  const owner = openAsOwner(embedded.connection, { max: 1 })
  try {
    t.diagnostic(await assertLedgerHolds(owner, ledger))
  } finally {
    await owner.end()
    await embedded.stop()
  }
})
