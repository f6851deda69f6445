import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../operations/embedded/embedded.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { acknowledgedIn, assertLedgerHolds, newLedger, writeUntil } from '../ledger.ts'
import { plainEnv, root, startService } from '../service.ts'

/** How many kills: `KILLS=100 npm test -- --thorough test/faults/kills.thorough.ts`. */
const kills = Number(process.env.KILLS ?? 30)

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-kills-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const env = { DATA_DIR: join(folder, 'data') }

const command = (...args: string[]) =>
  JSON.parse(
    execFileSync(process.execPath, [join(root, 'operations/main.ts'), ...args, '--json'], {
      env: plainEnv(env),
      encoding: 'utf8',
    }),
  )

async function check(ledger: ReturnType<typeof newLedger>) {
  const embedded = await startEmbedded(env.DATA_DIR, () => {}, { create: false })
  const owner = openAsOwner(embedded.connection, { max: 1 })
  try {
    return await assertLedgerHolds(owner, ledger)
  } finally {
    await owner.end()
    await embedded.stop()
  }
}

const postmaster = () => Number(readFileSync(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

test('what is acknowledged survives kill -9 of service and database under load, and nothing is doubled', {
  timeout: 140_000 + kills * 30_000,
}, async (t) => {
  let service = await startService(env)
  t.after(() => service.end())
  const key = /le_live_\w+/.exec(service.said())![0]
  const created = command('webhook', 'create', '--account', 'My company', '--name', 'Site', '--source', 'Site')
  const target = { url: service.url, key, webhook: new URL(created.url).pathname }
  const ledger = newLedger()
  const killed = { both: 0, database: 0, service: 0 }
  const starts: number[] = []

  for (let kill = 1; kill <= kills; kill++) {
    const what = (['both', 'database', 'service'] as const)[kill % 3]!
    const stop = new AbortController()
    const writing = writeUntil(stop.signal, target, ledger)
    const acknowledged = () => acknowledgedIn(ledger)
    const grown = async (by: number) => {
      const before = acknowledged()
      for (const deadline = Date.now() + 30_000; acknowledged() < before + by; await sleep(20)) {
        assert.ok(Date.now() < deadline && service.child.exitCode === null, service.said().slice(-2000))
      }
    }
    await grown(20)
    await sleep(Math.random() * 300)
    const server = postmaster()
    if (what !== 'database') service.child.kill('SIGKILL')
    if (what !== 'service') process.kill(server, 'SIGKILL')
    killed[what]++
    // The service goes on by itself when only the database was killed.
    if (what === 'database') await grown(20)
    stop.abort()
    await writing
    if (what !== 'database') {
      service = await startService({ ...env, PORT: service.port })
      starts.push(service.ms)
    }
    if (kill % 10 === 0 || kill === kills) t.diagnostic(`after ${kill} kills: ${await check(ledger)}`)
  }
  assert.equal(await service.end(), 0)
  await check(ledger)
  t.diagnostic(
    `killed: ${JSON.stringify(killed)}; median restart ${starts.sort((a, b) => a - b)[starts.length >> 1]} ms`,
  )
})
