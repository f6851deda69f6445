import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { freePort, serve } from '#test/app.ts'
import { databaseUrl, runCommand } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { mailServer } from '#test/mail-server.ts'
import { oidcServer } from '#test/oidc-server.ts'
import { people } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls, countAllRows, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { createBackup } from '../backup/create-backup.ts'
import type { CheckResult } from './check.ts'
import { diagnose } from './diagnose.ts'

const store = await testDatabase()
const served = await serve(store.database)
after(async () => {
  await served.close()
  await store.close()
})
const { owner } = store
const { acme, asha } = await people(served)
const env = {
  DATABASE_URL: databaseUrl(store.connection),
  PORT: new URL(served.url).port,
  BASE_URL: served.url,
}

/** Comparing the structure takes as long as all other checks, and is tested in damage.test.ts. */
const all = await diagnose({ env, repair: 'nothing', onProgress: () => {} })
const only = all.map(({ name }) => name).filter((name) => name !== 'structure')

async function examine(given: Record<string, string> = {}, repair = false): Promise<Map<string, CheckResult>> {
  const checks = await diagnose({
    env: { ...env, ...given },
    repair: repair ? 'counts' : 'nothing',
    only,
    onProgress: () => {},
  })
  return new Map(checks.map((check) => [check.name, check]))
}

/** Checks that this is the only problem, except for the checks that depend on it. */
async function onlyProblem(name: string, message: RegExp, fix: RegExp, given: Record<string, string> = {}) {
  const checks = await examine(given)
  const problems = [...checks.values()].filter(({ ok, checked }) => checked && !ok)
  assert.deepEqual(
    problems.map(({ name }) => name),
    [name],
    problems.map(({ message }) => message).join(' '),
  )
  assert.match(problems[0]!.message, message)
  assert.match(problems[0]!.fix!, fix)
  return [...checks.values()].filter(({ checked }) => !checked).map(({ name }) => name)
}

test('nothing is wrong while the service runs, and nothing is changed', async () => {
  await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9810010001' })
  const before = await world(owner)
  const checks = await examine()
  for (const { name, ok, message } of checks.values()) assert.ok(ok, `${name}: ${message}`)
  assert.equal(checks.get('port')!.message, `The service runs on port ${env.PORT}.`)
  assert.equal(checks.get('base_url')!.message, `${served.url} leads to the service.`)
  assert.deepEqual(await world(owner), before)
})

test('nothing is wrong while the service does not run', async () => {
  const { BASE_URL: _, ...rest } = env
  const checks = await diagnose({
    env: { ...rest, PORT: String(await freePort()) },
    repair: 'nothing',
    onProgress: () => {},
  })
  for (const { name, ok, message } of checks) assert.ok(ok, `${name}: ${message}`)
  assert.match(checks.find(({ name }) => name === 'port')!.message, /is free: the service does not run/)
  const stopped = String(await freePort())
  const behindProxy = await examine({ PORT: stopped, BASE_URL: `http://127.0.0.1:${await freePort()}` })
  assert.match(behindProxy.get('base_url')!.message, /does not answer, because the service does not run\.$/)
  assert.ok(behindProxy.get('base_url')!.ok)
})

test('the command prints the checks for people or as JSON, and its status is 1 when something is wrong', async () => {
  const fine = await runCommand(['doctor'], env)
  assert.deepEqual([fine.status, fine.err], [0, ''], fine.out)
  assert.match(fine.out, /^✓ configuration {5}All variables have valid values\.\n[\s\S]*\nEverything is in order\.\n$/)
  const wrong = await runCommand(['doctor', '--json'], { ...env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
  assert.deepEqual([wrong.status, wrong.err], [1, ''])
  const { checks } = JSON.parse(wrong.out) as { checks: CheckResult[] }
  assert.deepEqual(
    checks.filter(({ ok }) => !ok).map(({ name }) => name),
    ['redis'],
  )
  for (const { name, ok, message, fix } of checks) {
    assert.deepEqual([typeof name, typeof ok, typeof message], ['string', 'boolean', 'string'])
    assert.ok(ok || typeof fix === 'string')
  }
})

test('a variable with an invalid value', async () => {
  const left = await onlyProblem('configuration', /^PORT must be a whole number/, /configuration\.md/, { PORT: 'http' })
  const rest = ['redis', 'mail', 'single_sign_on', 'backups', 'newest_backup', 'continuous_backup', 'deleted_leads']
  assert.deepEqual(left, ['port', 'certificate', 'base_url', ...rest])
})

test('a continuous backup that the service rejects, and one that it does not need', async () => {
  assert.match((await examine()).get('continuous_backup')!.message, /^Not used: .* embedded database only\.$/)
  const checks = await examine({ CONTINUOUS_BACKUP: '/nowhere', CONTINUOUS_BACKUP_KEY_FILE: '/nowhere/key' })
  const { ok, message } = checks.get('configuration')!
  assert.deepEqual([ok, /^CONTINUOUS_BACKUP saves the embedded database only/.test(message)], [false, true], message)
})

test('what a restore and an upgrade kept is named with its size and the command that removes it', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lead-engine-former-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const former = async () => (await examine({ DATA_DIR: dataDir })).get('former_data')!
  assert.equal((await former()).message, 'No former data is kept.')
  const database = join(dataDir, 'postgres.replaced-2026-11-28T10-00-00Z')
  const backup = join(dataDir, 'before-upgrade-2026-11-28T10-00-00.000Z.backup')
  mkdirSync(join(database, 'base'), { recursive: true })
  writeFileSync(join(database, 'base', '1'), Buffer.alloc(3 * 1024 ** 2))
  for (const file of [backup, join(dataDir, 'erased-leads.log')]) writeFileSync(file, Buffer.alloc(1024 ** 2))
  const { ok, message, fix } = await former()
  assert.ok(ok)
  assert.equal(message, `Kept from before a restore or an upgrade: ${backup} (1.0 MiB), ${database} (3.0 MiB).`)
  assert.equal(fix, `When you no longer need to go back, remove it: rm -r '${backup}' '${database}'`)
})

test('a port that another program uses', async (t) => {
  const other = await listening(t, (_request, response) => response.end('Hello'))
  const left = await onlyProblem('port', /is in use by another program\.$/, /^Set PORT/, { PORT: other.port })
  assert.deepEqual(left, ['base_url'])
})

test('a port that another installation uses', async (t) => {
  const other = await testDatabase()
  t.after(other.close)
  const rest = await examine({ DATABASE_URL: databaseUrl(other.connection) })
  assert.match(rest.get('port')!.message, /in use by another Lead Engine, with another database/)
  assert.match(rest.get('base_url')!.message, /answered by another Lead Engine/)
})

test('a data folder that is missing or belongs to another user', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-doctor-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  chmodSync(folder, 0o755)
  const asOther = () => dataFolderAs(65_534, data)
  assert.match(asOther().message, /^There is no database in .*\/data\.$/)
  assert.deepEqual(readdirSync(folder), [])
  mkdirSync(data)
  if (process.getuid?.() === 0) {
    assert.match(asOther().message, /cannot be written to: it belongs to user 0 and has mode 0755\.$/)
    chownSync(data, 65_534, 65_534)
  }
  chmodSync(data, 0o500)
  const closed = asOther()
  assert.match(closed.message, /cannot be written to: it belongs to this user \(\d+\) and has mode 0500\.$/)
  assert.equal(closed.fix, `chmod u+rwx '${data}'`)
  chmodSync(data, 0o700)
  mkdirSync(join(data, 'postgres'))
  if (process.getuid?.() !== 0) return
  assert.match(asOther().message, /\/postgres belongs to user 0, and this is user 65534\.$/)
})

test('without a database none is created', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-doctor-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const left = await onlyProblem('data_folder', /^There is no database in/, /^Start the service/, {
    DATABASE_URL: '',
    DATA_DIR: join(folder, 'data'),
  })
  assert.ok(left.includes('database') && left.includes('counts') && !left.includes('redis'))
  assert.deepEqual(readdirSync(folder), [])
})

test('a PostgreSQL that cannot be reached', async () => {
  const url = `postgres://lead@127.0.0.1:${await freePort()}/leads`
  const left = await onlyProblem('database', /^DATABASE_URL: .*ECONNREFUSED/, /^Start PostgreSQL/, {
    DATABASE_URL: url,
  })
  assert.deepEqual(left, [
    'database_version',
    'locks',
    'settings',
    'write_ahead_log',
    'schema',
    'writes',
    'database_rights',
    'admins',
    'session',
    'clock',
    'backups',
    'deleted_leads',
    'webhooks',
    'storage',
    'indexes',
    'rows',
    'sequences',
    'references',
    'lost_rows',
    'contacts',
    'counts',
  ])
})

test('a database that does not exist', async () => {
  const url = databaseUrl({ ...store.connection, database: `missing_${randomUUID()}` })
  await onlyProblem('database', /does not exist/, /^Create the database/, { DATABASE_URL: url })
})

test('a user in DATABASE_URL who does not own the tables', async (t) => {
  const name = `doctor_${randomUUID().slice(0, 8)}`
  await owner.unsafe(`create role ${name} login password 'secret'`)
  t.after(() => owner.unsafe(`drop role ${name}`))
  const url = databaseUrl({ ...store.connection, username: name, password: 'secret' })
  await onlyProblem('schema', /may not read the tables/, /owner of the tables/, { DATABASE_URL: url })
})

test('a schema that is newer or older', async () => {
  await owner`insert into migrations (file, hash, compatible) values ('9999_future.sql', '', false)`
  const left = await onlyProblem(
    'schema',
    /newer than this program, version \S+ \(it has 9999_future\.sql\)\. Its tables/,
    /^Use the newer/,
  )
  const rest = ['database_rights', 'admins', 'session', 'backups', 'deleted_leads', 'webhooks', 'storage', 'indexes']
  assert.deepEqual(left, ['writes', ...rest, 'rows', 'sequences', 'references', 'lost_rows', 'contacts', 'counts'])
  await owner`update migrations set compatible = true where file = '9999_future.sql'`
  const { ok, message, fix } = (await examine()).get('schema')!
  assert.ok(ok, message)
  assert.match(message + fix, /newer than this program \(it has 9999_future\.sql\).*Use the newer program/)
  await owner`delete from migrations where file = '9999_future.sql'`
  const [last] = await owner`delete from migrations where file = '0087_reports.sql' returning *`
  await owner`alter table origin_costs rename to another`
  await onlyProblem('schema', /older than this program \(it lacks 0087_reports\.sql\)/, /lead-engine migrate/)
  await owner`alter table another rename to origin_costs`
  await owner`insert into migrations ${owner(last!)}`
  const [text] = await owner`delete from schema_texts where file = 'policies/views.sql' returning *`
  await onlyProblem('schema', /functions and policies .*\(policies\/views\.sql\)/, /lead-engine migrate/)
  await owner`insert into schema_texts ${owner(text!)}`
  assert.ok((await examine()).get('schema')!.ok)
})

test('a database that accepts no writes', async () => {
  const { database } = store.connection
  await owner.unsafe(`alter database ${database} set default_transaction_read_only = on`)
  await onlyProblem('writes', /its transactions are read-only\.$/, /reset default_transaction_read_only\.$/)
  await owner.unsafe(`alter database ${database} reset default_transaction_read_only`)
  await owner.unsafe(`create function full_disk() returns trigger language plpgsql as $$
    begin raise exception 'full' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on installation_secrets for each row execute function full_disk()`)
  await onlyProblem('writes', /its disk is full\.$/, /^Free space/)
  await owner`drop function full_disk cascade`
  assert.ok((await examine()).get('writes')!.ok)
})

test('a clock that was set back', async () => {
  await owner`update migrations set applied_at = applied_at + interval '3 hours'`
  await onlyProblem('clock', /times that are 3 hours in the future/, /NTP/)
  await owner`update migrations set applied_at = applied_at - interval '3 hours'`
})

test('a Redis that is away', async () => {
  const REDIS_URL = `redis://127.0.0.1:${await freePort()}`
  await onlyProblem('redis', /^Redis cannot be used: .*ECONNREFUSED/, /^Start Redis/, { REDIS_URL })
})

test('a provider of single sign-on that is away or another one, a wrong secret, and no account for it', async (t) => {
  const oidc = await oidcServer({ port: await freePort(), baseUrl: served.url })
  t.after(oidc.close)
  const right = {
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    OIDC_ACCOUNT: 'Acme',
  }
  const inBody = await oidcServer({ port: await freePort(), baseUrl: served.url, secretInBody: true })
  t.after(inBody.close)
  for (const { issuer } of [oidc, inBody]) {
    const found = (await examine({ ...right, OIDC_ISSUER: issuer })).get('single_sign_on')!
    assert.deepEqual([found.ok, found.message], [true, 'The provider answers, and knows the client.'])
  }
  for (const [changed, message, fix] of [
    [{ OIDC_CLIENT_SECRET: 'wrong' }, /rejects the client\.$/, /OIDC_CLIENT_SECRET/],
    [
      { OIDC_ISSUER: `${oidc.issuer}/other` },
      /not the discovery document of this issuer \(status 404\)/,
      /OIDC_ISSUER/,
    ],
    [{ OIDC_ISSUER: `http://127.0.0.1:${await freePort()}` }, /cannot be reached: .*ECONNREFUSED/, /OIDC_ISSUER/],
    [{ OIDC_ACCOUNT: 'None' }, /names no account/, /OIDC_ACCOUNT/],
  ] as const) {
    await onlyProblem('single_sign_on', message, fix, { ...right, ...changed })
  }
})

for (const [status, error, isKnown] of [
  [400, 'invalid_grant', true],
  [401, 'invalid_client', false],
  // As Keycloak and Auth0 answer a wrong secret.
  [401, 'unauthorized_client', false],
  [401, 'access_denied', false],
] as const)
  test(`a provider that answers ${status} ${error} ${isKnown ? 'knows' : 'does not know'} the client`, async (t) => {
    const { url } = await listening(t, (incoming, response) => {
      const isToken = incoming.url === '/token'
      const issuer = `http://${incoming.headers.host}`
      response.writeHead(isToken ? status : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isToken ? { error } : { issuer, token_endpoint: `${issuer}/token` }))
    })
    const given = { OIDC_ISSUER: url, OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: 'secret', OIDC_ACCOUNT: 'Acme' }
    assert.equal((await examine(given)).get('single_sign_on')!.ok, isKnown)
  })

test('a mail server that is away, or rejects the password', async (t) => {
  const rejecting = await mailServer({ rejects: 'AUTH' })
  t.after(rejecting.close)
  const MAIL_FROM = 'leads@example.com'
  const away = `smtp://127.0.0.1:${await freePort()}`
  await onlyProblem('mail', /^The mail server cannot be reached: /, /SMTP_URL/, { SMTP_URL: away, MAIL_FROM })
  const wrong = `smtp://user:secret@127.0.0.1:${rejecting.port}`
  await onlyProblem('mail', /rejected the user or the password/, /user and password/, { SMTP_URL: wrong, MAIL_FROM })
  assert.deepEqual(rejecting.mails, [])
  const choosy = await mailServer({ rejects: 'MAIL FROM' })
  t.after(choosy.close)
  for (const sender of [MAIL_FROM, `Leads <${MAIL_FROM}>`]) {
    const given = { SMTP_URL: choosy.url, MAIL_FROM: sender }
    await onlyProblem('mail', /does not accept the sender .*leads@example\.com/, /^Set MAIL_FROM/, given)
  }
  const accepting = await mailServer()
  t.after(accepting.close)
  for (const sender of [MAIL_FROM, `Leads <${MAIL_FROM}>`])
    assert.ok((await examine({ SMTP_URL: accepting.url, MAIL_FROM: sender })).get('mail')!.ok)
  assert.deepEqual(accepting.mails, [])
})

test('a BASE_URL that leads nowhere, or to a service with another one', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`
  await onlyProblem('base_url', /cannot be opened from here/, /^Start the service/, { BASE_URL: nowhere })
  const other = served.url.replace('127.0.0.1', 'localhost')
  await onlyProblem('base_url', /The service runs with BASE_URL http:\/\/127/, /Set the same/, { BASE_URL: other })
})

test('a proxy that TRUST_PROXY does not name or that rejects large bodies, and a BASE_URL that users do not open', async (t) => {
  const port = String(await freePort())
  let maxBody = Number.POSITIVE_INFINITY
  const proxy = await listening(t, (incoming, response) => {
    if (Number(incoming.headers['content-length']) > maxBody) {
      response.writeHead(413).end()
      return
    }
    const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.7' }
    const passed = request({ port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    // The service closes the connection of a body that it does not read.
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  const behind = async (given: Record<string, string>) => {
    const service = await serve(store.database, { PORT: port, BASE_URL: proxy.url, ...given })
    t.after(service.close)
    return service
  }
  const given = { PORT: port, BASE_URL: proxy.url }
  const untrusting = await behind({})
  await onlyProblem('base_url', /proxy 127\.0\.0\.1, which TRUST_PROXY/, /TRUST_PROXY=127\.0\.0\.1/, given)
  await untrusting.close()
  await behind({ TRUST_PROXY: '127.0.0.1' })
  assert.ok((await examine(given)).get('base_url')!.ok)
  maxBody = 1024 ** 2
  await onlyProblem(
    'base_url',
    /rejects bodies of 4 MB before the service sees them/,
    /client_max_body_size 32m;/,
    given,
  )
  maxBody = Number.POSITIVE_INFINITY

  const opened = proxy.url.replace('127.0.0.1', '[::1]')
  const host = new URL(opened).host
  const rejected = await new Promise((resolve) => {
    const headers = { origin: opened, host, 'content-type': 'application/json' }
    request(`${proxy.url}/auth/sign-in/email`, { method: 'POST', headers }, ({ statusCode }) =>
      resolve(statusCode),
    ).end('{}')
  })
  assert.equal(rejected, 403)
  await onlyProblem('base_url', /^Users open http:\/\/\[::1\]:\d+, and BASE_URL is http:\/\/127/, /redirect/, given)
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('a webhook that has become silent', async () => {
  const webhook = await webhookOf(served, acme, { name: 'Portal' })
  for (const phone of ['9810020001', '9810020002']) await webhook.send({ name: 'Uma', phone })
  assert.ok((await examine()).get('webhooks')!.ok)
  await owner`update deliveries set received_at = ${daysAgo(80)} where webhook_id = ${webhook.id}`
  await countAllRows(owner)
  await onlyProblem('webhooks', /: Portal of Acme \(since \d{4}-\d\d-\d\d\)\.$/, /platform/)
  await owner`update webhooks set enabled = false where id = ${webhook.id}`
  assert.ok((await examine()).get('webhooks')!.ok)
})

test('backups that are missing, old or failed', async (t) => {
  const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'lead-engine-doctor-'))
  t.after(() => rmSync(BACKUP_DIR, { recursive: true, force: true }))
  await owner`update accounts set created_at = ${daysAgo(60)}`
  await onlyProblem('backups', /^There is no backup\.$/, /^Start the service with BACKUP_DIR/, { BACKUP_DIR })
  const file = join(BACKUP_DIR, 'lead-engine-2026-11-01T00-00-00Z.backup')
  await createBackup(store.connection, file)
  const run = (hours: number, error: string | null) =>
    owner`insert into backup_runs ${owner({
      id: randomUUID(),
      started_at: new Date(Date.now() - hours * 3_600_000),
      finished_at: new Date(),
      file,
      error,
    })}`
  await run(90, null)
  await onlyProblem('backups', /^The last backup is 4 days old\.$/, /^Start the service/, { BACKUP_DIR })
  await run(1, 'The disk is full.')
  await onlyProblem('backups', /^The last backup failed: The disk is full\.$/, /after an hour/, { BACKUP_DIR })
  await run(0.5, null)
  assert.ok((await examine({ BACKUP_DIR })).get('backups')!.ok)

  rmSync(file)
  await onlyProblem('backups', /which has lost all its backups\.$/, /^Mount its disk/, { BACKUP_DIR })
  const unmounted = join(BACKUP_DIR, 'disk/backups')
  await onlyProblem('backups', /and there is no folder \S+disk\.$/, /^Mount its disk/, { BACKUP_DIR: unmounted })
})

test('counts that differ from the rows are found, and repaired exactly while writes go on', async () => {
  await assertCountsHold(owner)
  await countAllRows(owner)
  await owner`update lead_counts set n = n + 5 where status is not null`
  await owner`delete from lead_counts where account_id = ${acme.account_id} and status is null`
  await owner`insert into call_counts (account_id, day, call_type, assigned_to, n)
    values (${acme.account_id}, '2020-01-01', 'Inbound', ${asha.id}, 7)`
  await owner`insert into delivery_count_changes (account_id, webhook_id, outcome, day, n)
    select account_id, webhook_id, outcome, day, -1 from delivery_counts`
  await onlyProblem(
    'counts',
    /lead_counts of Acme: \d+ by \d+ in total; .*call_counts of Acme: 1 by 7/,
    /--repair-counts/,
  )

  let writing = true
  let n = 0
  const write = async () => {
    for (; writing; n++) {
      const lead = { name: 'Ila', phone: `98110${String(n).padStart(5, '0')}`, source: `Fair ${n % 3}` }
      const { status, body } = await asha.send('POST', '/api/v1/leads', lead)
      assert.equal(status, 201)
      if (n % 4 === 0) await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)
    }
  }
  const writers = write()
  // Two at once: one must not repeat what the other repaired.
  const [one, other] = await Promise.all([examine({}, true), examine({}, true)])
  writing = false
  await writers
  assert.ok(n > 0)
  assert.ok(one.get('counts')!.ok && other.get('counts')!.ok)
  assert.match(one.get('counts')!.message + other.get('counts')!.message, /are repaired: lead_counts of Acme/)
  await assertCountsHold(owner)
  assert.match((await examine()).get('counts')!.message, /^All counts equal the rows: \d/)
})

test('leads whose attempts or last call differ from their calls are found, and repaired while calls are logged', async () => {
  const ids: string[] = []
  for (const phone of ['98200 00001', '98200 00002', '98200 00003', '98200 00004']) {
    const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Ila', phone })
    ids.push(body.data.id)
  }
  const call = async (lead_id: string) => {
    const { status } = await asha.send('POST', '/api/v1/call-logs', {
      lead_id,
      call_type: 'Outbound',
      outcome: 'Busy',
      duration_seconds: 0,
    })
    assert.equal(status, 201)
  }
  for (const id of ids.slice(0, 3)) await call(id)
  const [attempts, outcome, time, uncalled] = ids
  await owner`update leads set attempts = attempts + 4 where id = ${attempts!}`
  await owner`update leads set last_call_outcome = 'Completed' where id = ${outcome!}`
  await owner`update leads set last_call_at = ${daysAgo(1)} where id = ${time!}`
  await owner`update leads set last_call_at = now(), last_call_outcome = 'Busy' where id = ${uncalled!}`
  await onlyProblem('counts', /attempts and last calls of Acme: 4 by 7 in total/, /--repair-counts/)

  const [repaired] = await Promise.all([examine({}, true), ...ids.map(call)])
  assert.match(repaired.get('counts')!.message, /are repaired: attempts and last calls of Acme/)
  await assertLeadsKnowTheirCalls(owner)
  assert.match((await examine()).get('counts')!.message, /^All counts equal the rows: \d/)
})

test('when the time for counts is over, doctor says what was not compared', async () => {
  const checks = await diagnose({ env, repair: 'nothing', countSeconds: 0, onProgress: () => {} })
  const { ok, message, fix } = checks.find(({ name }) => name === 'counts')!
  assert.ok(ok)
  assert.match(
    message,
    /^No count differs from the rows: 0 rows were compared in 0 s; \d+ accounts were not looked at\.$/,
  )
  assert.match(fix!, /--repair-counts has an hour/)
})

/** Runs the check of the data folder as another user, if the tests run as root. */
function dataFolderAs(uid: number, folder: string): CheckResult {
  const script = `
    import { dataFolder } from ${JSON.stringify(new URL('data-folder.ts', import.meta.url).href)}
    import { readInstallation } from ${JSON.stringify(new URL('installation.ts', import.meta.url).href)}
    const installation = readInstallation({}, new Date())
    installation.settings.set({ owner: null, given: null, dataDir: ${JSON.stringify(folder)} })
    if (process.getuid() === 0) process.setuid(${uid})
    console.log(JSON.stringify(await dataFolder(installation).run()))`
  const ended = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], { encoding: 'utf8' })
  assert.equal(ended.status, 0, ended.stderr)
  return JSON.parse(ended.stdout)
}

async function listening(t: TestContext, answer: Parameters<typeof createServer>[1]) {
  const server = createServer(answer!)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { port: String(port), url: `http://127.0.0.1:${port}` }
}
