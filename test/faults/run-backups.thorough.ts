import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseUrl, runCommand } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { laterProgram } from '../later-program.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-run-backups-'))
const store = await testDatabase()
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
const env = {
  DATABASE_URL: databaseUrl(store.connection),
  DATA_DIR: join(folder, 'data'),
  BACKUP_DIR: join(folder, 'backups'),
}

test('the service backs up, says so in its metrics, and logs deleted leads in both folders', {
  timeout: 170_000,
}, async (t) => {
  const setup = await runCommand(['setup', '--account', 'Acme', '--email', 'a@x.example', '--name', 'A', '--json'], env)
  const { api_key } = JSON.parse(setup.out)
  const service = await startService(env)
  t.after(() => service.end('SIGKILL'))
  const send = (method: string, path: string, body?: unknown) => ask(service.url, api_key, method, path, body)
  const { body } = await send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9811223344' })
  await until(() => service.said().includes('"msg":"daily backup"'))
  const [file] = readdirSync(env.BACKUP_DIR).filter((name) => name.endsWith('.backup'))
  assert.match(file!, /^lead-engine-.*Z\.backup$/)
  await until(async () => {
    const metrics = await ask(service.url, null, 'GET', '/metrics')
    const [, value] = /^lead_engine_backup_last_success_seconds (\S+)$/m.exec(metrics.body) ?? []
    return Number(value) > Date.now() / 1000 - 600
  })

  await send('DELETE', `/api/v1/leads/${body.data.id}`)
  for (const dir of [env.DATA_DIR, env.BACKUP_DIR]) {
    const list = join(dir, 'erased-leads.log')
    await until(() => existsSync(list) && readFileSync(list, 'utf8').includes(body.data.id))
  }
  assert.equal(await service.end(), 0)
  assert.doesNotMatch(service.said(), /"level":[45]0/)
})

test('a BACKUP_DIR that cannot work stops the start with a sentence', async () => {
  const blocked = join(folder, 'a file')
  writeFileSync(blocked, '')
  const wrong = await runCommand(['serve'], { ...env, BACKUP_DIR: blocked })
  assert.deepEqual([wrong.status, /^BACKUP_DIR cannot be used \(.*\)\.\n$/.test(wrong.err)], [1, true], wrong.err)
  const unmounted = join(folder, 'disk/backups')
  const missing = await runCommand(['serve'], { ...env, BACKUP_DIR: unmounted })
  assert.deepEqual(
    [missing.status, /there is no folder \S+\/disk: mount its disk/.test(missing.err)],
    [1, true],
    missing.err,
  )
  assert.equal(existsSync(join(folder, 'disk')), false)
  const roles = { DATABASE_APP_URL: 'postgres://a:b@localhost/x', DATABASE_DIRECTORY_URL: 'postgres://c:d@localhost/x' }
  const { err } = await runCommand(['serve'], { ...roles, BACKUP_DIR: env.BACKUP_DIR })
  assert.match(err, /^BACKUP_DIR needs DATABASE_URL, the owner of the tables/)
  const keep = await runCommand(['serve'], { ...env, BACKUP_KEEP: '0' })
  assert.match(keep.err, /^BACKUP_KEEP must be a whole number from 1 to 10000, and is "0"\.\n$/)
})

test('the embedded database is saved before it is migrated, and going back works', { timeout: 170_000 }, async () => {
  const embedded = { DATA_DIR: join(folder, 'embedded') }
  await runCommand(['setup', '--account', 'Acme', '--email', 'a@x.example', '--name', 'A'], embedded)
  const later = laterProgram(join(folder, 'later'), {
    '9999_town.sql': '-- compatible: no\nalter table leads rename column city to town;\n',
  })
  const migrated = await runCommand(['migrate'], embedded, later)
  assert.equal(migrated.status, 0, migrated.err)
  const [, command] = /run: lead-engine (restore "[^"]+" --yes)$/m.exec(migrated.err)!
  const refused = (await runCommand(['user', 'list'], embedded)).err
  assert.match(refused, /newer than this program, version 0\.\d+\.\d+.*9999_town\.sql, of version 0\./)
  assert.ok(refused.trim().endsWith(`run with this version: lead-engine ${command}`), refused)

  const restored = await runCommand(
    command!.split(' ').map((word) => word.replaceAll('"', '')),
    embedded,
  )
  assert.equal(restored.status, 0, restored.err)
  assert.match((await runCommand(['user', 'list'], embedded)).out, /a@x\.example/)
})
