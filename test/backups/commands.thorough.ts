import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseUrl, runCommand } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { ask } from '../people.ts'
import { contentOf } from '../records.ts'
import { startService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-backup-command-'))
const store = await testDatabase()
await store.database.close()
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
const external = { DATABASE_URL: databaseUrl(store.connection), DATA_DIR: join(folder, 'unused') }
const embedded = { DATA_DIR: join(folder, 'data') }
const file = join(folder, 'one.backup')

test('from embedded to external and back: keys, sign-in and leads are the same', { timeout: 170_000 }, async (t) => {
  const setup = await runCommand(
    ['setup', '--account', 'Acme', '--email', 'a@x.example', '--name', 'A', '--json'],
    embedded,
  )
  const { api_key, user } = JSON.parse(setup.out)
  const service = await startService(embedded)
  t.after(() => service.end('SIGKILL'))
  const lead = { name: 'Ravi', phone: '9811223344' }
  assert.equal((await ask(service.url, api_key, 'POST', '/api/v1/leads', lead)).status, 201)

  // While the service runs.
  const made = await runCommand(['backup', file, '--json'], embedded)
  assert.deepEqual([made.status, made.err], [0, ''])
  assert.deepEqual(JSON.parse(made.out), { file, bytes: statSync(file).size, accounts: 1, leads: 1 })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(`${file}.erased`).mode & 0o777, 0o600)
  assert.equal(existsSync(`${file}.part`), false)
  const again = await runCommand(['backup', file], embedded)
  assert.deepEqual([again.status, again.err], [1, `${file} exists already: name a new file.\n`])

  const refused = await runCommand(['restore', file, '--yes'], embedded)
  assert.equal(refused.status, 1)
  assert.match(refused.err, /The service or a command uses this database .*: stop it first\. Nothing was changed\.\n$/)
  assert.equal((await ask(service.url, api_key, 'GET', '/api/v1/leads')).body.pagination.total, 1)
  assert.equal(await service.end(), 0)

  const restored = await runCommand(['restore', file, '--json'], external)
  assert.deepEqual(
    [restored.status, JSON.parse(restored.out)],
    [0, { accounts: 1, leads: 1, erased_again: 0, set_aside: null }],
  )
  assert.match(restored.err, /^There is no erased-leads\.log in .*: leads that were deleted after .* come back\..*\n$/)
  const other = await startService(external)
  t.after(() => other.end('SIGKILL'))
  assert.equal((await ask(other.url, api_key, 'POST', '/api/v1/leads', { ...lead, city: 'Pune' })).status, 200)
  const credentials = { email: user.email, password: user.password }
  const signedIn = await ask(other.url, null, 'POST', '/auth/sign-in/email', credentials, { origin: other.url })
  assert.equal(signedIn.status, 200)
  assert.equal(await other.end(), 0)

  const back = join(folder, 'back.backup')
  assert.equal((await runCommand(['backup', back], external)).status, 0)
  rmSync(embedded.DATA_DIR, { recursive: true })
  const into = await runCommand(['restore', back], embedded)
  assert.equal(into.status, 0)
  assert.match(
    into.out,
    /^Restored 1 account and 1 lead as of 20.*Z\.\nAll users sign in again\. Start the service\.\n$/,
  )
  const last = await startService(embedded)
  t.after(() => last.end('SIGKILL'))
  const { data } = (await ask(last.url, api_key, 'GET', '/api/v1/leads')).body
  assert.deepEqual([data.length, data[0].city], [1, 'Pune'])
  assert.equal(await last.end(), 0)
})

test('a file that is no backup is rejected before anything is created or changed', async () => {
  const wrong = join(folder, 'leads.csv')
  writeFileSync(wrong, 'name,phone\n')
  const empty = { DATA_DIR: join(folder, 'new') }
  const { status, err } = await runCommand(['restore', wrong], empty)
  assert.deepEqual([status, err], [1, `${wrong} is not a backup of Lead Engine.\n`])
  assert.equal(existsSync(empty.DATA_DIR), false)
  const before = await contentOf(store.owner)
  assert.equal((await runCommand(['restore', wrong, '--yes'], external)).status, 1)
  assert.deepEqual(await contentOf(store.owner), before)
})

test('a backup that others can read is named', async () => {
  chmodSync(file, 0o644)
  const { err } = await runCommand(['restore', file], external)
  assert.match(err, /^Other users of this machine can read .*one\.backup: run chmod 600 on it\.\n/)
  assert.match(
    err,
    /The database has data already: with --yes, the backup replaces all of it\. Nothing was changed\.\n$/,
  )
})

test('a backup that cannot be written leaves no file', async () => {
  const missing = join(folder, 'no', 'such', 'folder.backup')
  const { status, err } = await runCommand(['backup', missing], external)
  assert.equal(status, 1)
  assert.match(err, /^There is no folder .*such\.\n$/)
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  writeFileSync(join(taken, 'a.backup.part'), 'of another')
  const other = await runCommand(['backup', join(taken, 'a.backup')], external)
  assert.match(other.err, /a\.backup\.part exists: another backup is being written, or one was interrupted\./)
  assert.deepEqual(readdirSync(taken), ['a.backup.part'])
})

test('backup needs a database, and the owner of its tables', async () => {
  const none = await runCommand(['backup', join(folder, 'x')], { DATA_DIR: join(folder, 'nothing') })
  assert.match(none.err, /^There is no database in .*nothing: set DATA_DIR/)
  const roles = { DATABASE_APP_URL: 'postgres://a:b@localhost/x', DATABASE_DIRECTORY_URL: 'postgres://c:d@localhost/x' }
  const { err } = await runCommand(['backup', join(folder, 'x')], roles)
  assert.equal(err, 'Set DATABASE_URL to the owner of the tables: no other role can read all of them.\n')
})
