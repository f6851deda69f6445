import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { startService } from '#test/service.ts'

test('the running service has no password of the owner in its memory', async (t) => {
  const store = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-heap-'))
  const username = store.connection.database.replace('template', 'owner')
  const password = `owner-${randomBytes(12).toString('hex')}`
  await store.owner.unsafe(`create role ${username} superuser login password '${password}'`)
  const service = await startService({
    DATABASE_URL: databaseUrl({ ...store.connection, username, password }),
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
  })
  t.after(async () => {
    await service.end()
    await store.owner.unsafe(`drop role ${username}`)
    await store.close()
    rmSync(folder, { recursive: true })
  })
  service.child.kill('SIGUSR2')
  while (readdirSync(folder).length === 0) await sleep(25)
  // The service answers when it has written all of it.
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
  const snapshot = readFileSync(join(folder, readdirSync(folder)[0]!))
  assert.ok(snapshot.includes(store.signIns.app.password), 'the snapshot holds what is in memory')
  assert.equal(snapshot.includes(password), false, 'the password of the owner')
})
