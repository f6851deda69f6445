import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { testApp } from '#test/app.ts'
import { callCommand, databaseUrl } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { fillTables } from '#test/filled-tables.ts'
import { people } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { openAccounts } from '../../server/access/account/suspension.ts'
import { setPassword } from '../../server/access/sign-in/credentials.ts'
import { createdSecret, readSecret } from '../../server/access/sign-in/secret.ts'
import { finishDue } from '../../server/intake/webhooks/deliveries/finish-deliveries.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import { isClosed } from '../../server/platform/database/errors.ts'
import { ourTables } from '../../server/platform/database/our-objects.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../server/platform/database/watch.ts'
import { createBackup, leftOut } from '../backup/create-backup.ts'
import { erasedListName } from '../backup/erased-list.ts'
import { deleteAgain } from './deleted-accounts.ts'
import { accountTables, ofAccount } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-account-'))
const app = await testApp()
const players = await people(app)
const { acme, other, asha, bela, zoya } = players
const { owner } = app
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const env = (connection = app.connection, data = 'data') => ({
  DATABASE_URL: databaseUrl(connection),
  DATA_DIR: join(folder, data),
})
const run = (args: string[], given = env()) => callCommand(args, given)
async function json(args: string[], given = env()) {
  const { status, out, err } = await run([...args, '--json'], given)
  assert.deepEqual([status, err], [0, ''], `${args.join(' ')}: ${err}`)
  return JSON.parse(out)
}

const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
before(async () => {
  for (const { id } of [asha, zoya]) await setPassword(app.directory, id, `password of ${id}`)
  await fillTables(app, players)
  const secret = await readSecret(app.directory)
  for (const { id, actor } of [asha, zoya]) {
    await owner`insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
      values (${id}, ${id}, ${id}, now() + interval '1 day', now(), now())`
    await owner`insert into sign_ins (user_id, at) values (${id}, now())`
    await owner`insert into verifications (id, identifier, value, expires_at, created_at, updated_at)
      values (${id}, ${`2fa-${id}`}, ${id}, now() + interval '1 day', now(), now())`
    await owner`insert into two_factors (id, user_id, secret, backup_codes, verified)
      values (${id}, ${id}, ${await symmetricEncrypt({ key: secret, data: totpSecret })}, ${await symmetricEncrypt({ key: secret, data: '["a"]' })}, true)`
    await owner`insert into erased_leads (account_id, lead_id, at) values (${actor.account_id}, ${id}, now())`
  }
})

/** The number of rows of an account in each table, and a checksum of their content. */
async function rowsOf(sql: Sql, accountId: string, without: string[] = []): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of await accountTables(sql)) {
    if (without.includes(table.name)) continue
    const [row] = await sql<{ sum: string }[]>`
      select count(*) || ' ' || md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as sum
      from ${sql(table.name)} t where ${ofAccount(sql, table, accountId)}`
    found[table.name] = row!.sum
  }
  return found
}

/**
 * Sign-ins under way are in no backup, secrets of two-factor sign-in are encrypted for each installation, and the service writes the use of
 * keys some seconds later.
 */
const changing = [...leftOut, 'two_factors', 'api_key_uses', 'logged_requests']
const onError = (error: unknown) => assert.fail(String(error))
const isEmpty = (sum: string) => sum.startsWith('0 ')

test('every table with rows of accounts is known, and a new one cannot be forgotten', async () => {
  const tables = await accountTables(owner)
  for (const { account_id } of [acme, other]) {
    const rows = await rowsOf(owner, account_id)
    assert.deepEqual(
      Object.keys(rows).filter((table) => isEmpty(rows[table]!)),
      [],
      'fill these tables in test/filled-tables.ts',
    )
  }
  for (const [index, { name }] of tables.entries())
    assert.ok(name !== 'users' || tables.findIndex((one) => one.name === 'accounts') < index)
  const [former] = [...ourTables].filter(
    (name) => !tables.some((one) => one.name === name) && name.startsWith('settings'),
  )
  const unknown = former ?? [...ourTables].find((name) => !existing.has(name))!
  await owner`create table ${owner(unknown)} (id uuid)`
  await assert.rejects(accountTables(owner), new RegExp(`operations/accounts/tables.ts .*${unknown}`))
  await owner`drop table ${owner(unknown)}`
})
const existing = new Set(
  (await owner<{ name: string }[]>`select tablename as name from pg_tables`).map(({ name }) => name),
)

test('accounts are listed with what they have', async () => {
  const [first, second] = await json(['account', 'list'])
  assert.deepEqual(
    [first.name, first.users, first.suspended_at, first.closed_for, second.name, second.users],
    ['Acme', 4, null, null, 'Other', 1],
  )
  const [counted] = await owner`select count(*)::int as leads from leads where account_id = ${acme.account_id}`
  assert.equal(first.leads, counted!.leads)
  assert.ok(first.deliveries > 0 && first.delivery_mb >= 0)
})

test('a suspended account says so, keeps what is sent to it, and goes on when it is resumed', async () => {
  const webhook = await webhookOf(app, acme)
  assert.equal((await webhook.send({ name: 'Before', phone: '9866600001' })).status, 200)
  await json(['account', 'suspend', 'acme'])
  assert.equal((await json(['account', 'suspend', 'acme'])).changed, false)
  await until(async () => (await asha.send('GET', '/api/v1/leads')).status === 403, 'API keys are rejected')
  const { body } = await bela.send('POST', '/api/v1/leads', { name: 'No', phone: '9866600002' })
  assert.equal(body.error.code, 'ACCOUNT_SUSPENDED')
  assert.equal((await zoya.send('GET', '/api/v1/leads')).status, 200)
  assert.ok((await json(['account', 'list']))[0].suspended_at)
  const sent = await webhook.send({ name: 'Meanwhile', phone: '9866600003' })
  assert.deepEqual([sent.status, sent.body], [200, { data: { id: null, status: 'waiting' } }])
  const leadsNamed = async (...names: string[]) =>
    (
      await owner`select name from leads where account_id = ${acme.account_id} and name = any (${names}) order by name`
    ).map(({ name }) => name)
  // A week passes, and jobs find nothing to do for the account.
  const inAWeek = { now: () => new Date(Date.now() + 7 * 86_400_000), onError }
  await finishDue(app.database, acme.account_id, inAWeek)
  const open = await app.directory`select id from accounts where id in ${openAccounts(app.directory)}`
  assert.deepEqual(
    [await leadsNamed('Before', 'Meanwhile'), open.map(({ id }) => id)],
    [['Before'], [other.account_id]],
  )

  assert.equal((await json(['account', 'resume', 'Acme'])).changed, true)
  await until(async () => (await asha.send('GET', '/api/v1/leads')).status === 200, 'API keys work again')
  const inTwoWeeks = { now: () => new Date(Date.now() + 14 * 86_400_000), onError }
  await finishDue(app.database, acme.account_id, inTwoWeeks)
  assert.deepEqual(await leadsNamed('Before', 'Meanwhile'), ['Before', 'Meanwhile'])
})

test('a closed account asks all requests to come later, and resume opens it after a command was killed', async () => {
  await owner`update accounts set closed_for = 'restore' where id = ${acme.account_id}`
  await owner.begin((tx) => notifyDirectoryChanged(tx, acme.account_id))
  await until(async () => (await asha.send('GET', '/api/v1/leads')).status === 503, 'requests are asked to come later')
  await assert.rejects(
    asActor(app.database, acme, (tx) => tx`select 1`),
    isClosed,
  )
  await json(['account', 'resume', 'Acme'])
  await until(async () => (await asha.send('GET', '/api/v1/leads')).status === 200, 'the account is open')
})

test('one account is restored from a backup of all, and the others stay as they are and go on working', async () => {
  const file = join(folder, 'all.backup')
  const saved = await rowsOf(owner, acme.account_id, changing)
  await createBackup(app.connection, file)
  const { body } = await asha.send('GET', '/api/v1/leads?limit=100')
  const ids: string[] = body.data.map((lead: { id: string }) => lead.id)
  // What a customer does by mistake, and one person who is not to come back.
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${ids[0]}`)).status, 200)
  await owner`update leads set name = 'Overwritten', answer_start = null where account_id = ${acme.account_id}`
  assert.equal((await asha.send('POST', '/api/v1/leads', { name: 'Since', phone: '9877700001' })).status, 201)
  await owner`update users set name = 'Renamed' where id = ${bela.id}`
  const others = await rowsOf(owner, other.account_id)

  const asked = await run(['account', 'restore', 'Acme', '--from', file])
  assert.equal(asked.status, 1)
  assert.match(asked.err, /with --yes, all that it has now is replaced/)

  let working = true
  const answers: number[] = []
  const work = (async () => {
    while (working) answers.push((await zoya.send('GET', '/api/v1/leads')).status)
  })()
  const restored = await json(['account', 'restore', 'acme', '--from', file, '--yes'])
  working = false
  await work
  assert.deepEqual(new Set(answers), new Set([200]))
  assert.deepEqual(
    [restored.account_id, restored.account, restored.leads, restored.erased_again],
    [acme.account_id, 'Acme', ids.length - 1, 1],
  )
  const without = ['logged_requests', 'api_key_uses', 'sessions', 'verifications']
  assert.deepEqual(
    Object.entries(await rowsOf(owner, other.account_id)).filter(([table]) => !without.includes(table)),
    Object.entries(others).filter(([table]) => !without.includes(table)),
  )
  const now = await rowsOf(owner, acme.account_id, changing)
  // What belongs to no single lead is as it was.
  for (const table of [
    'users',
    'credentials',
    'webhooks',
    'api_keys',
    'distribution_rules',
    'quick_replies',
    'accounts',
  ])
    assert.equal(now[table], saved[table], table)
  const back: { id: string; name: string }[] = (await asha.send('GET', '/api/v1/leads?limit=100')).body.data
  assert.deepEqual(back.map(({ id }) => id).sort(), ids.slice(1).sort())
  assert.ok(back.every(({ name }) => name !== 'Overwritten'))
  assert.equal((await asha.send('POST', '/api/v1/leads', { name: 'After', phone: '9877700002' })).status, 201)
  await assertCountsHold(owner)
})

test('an account is exported, imported elsewhere and here again, with the same ids and content', async () => {
  const file = join(folder, 'acme.account')
  const exported = await json(['account', 'export', 'Acme', file])
  assert.equal(exported.account_id, acme.account_id)
  const saved = await rowsOf(owner, acme.account_id, changing)

  const elsewhere = await testDatabase()
  const there = env(elsewhere.connection, 'elsewhere')
  try {
    await elsewhere.owner`insert into installation_secrets (name, value) values ('sign_in', 'another secret')`
    const whole = await run(['restore', file, '--yes'], there)
    assert.match(whole.err, /has one account, "Acme"/)
    const imported = await json(['account', 'import', file, '--name', 'Acme of Pune'], there)
    assert.deepEqual([imported.account, imported.leads], ['Acme of Pune', exported.leads])
    await elsewhere.owner`update accounts set name = 'Acme'`
    assert.deepEqual(await rowsOf(elsewhere.owner, acme.account_id, changing), saved)
    const secret = (await createdSecret(elsewhere.directory))!
    const [factor] = await elsewhere.owner`select secret from two_factors where user_id = ${asha.id}`
    assert.equal(await symmetricDecrypt({ key: secret, data: factor!.secret }), totpSecret)
    // New rows have ids above those that came.
    for (const [table, column] of [
      ['timeline_entries', 'id'],
      ['audit_log', 'id'],
    ] as const) {
      const [next] = await elsewhere.owner.unsafe(
        `select nextval(pg_get_serial_sequence('${table}', '${column}')) > (select max(${column}) from ${table}) as is_above`,
      )
      assert.equal(next!.is_above, true, table)
    }
    // Nothing of others, and no secret of the installation, is in the file.
    const [others] = await elsewhere.owner`select count(*)::int as n from users where account_id <> ${acme.account_id}`
    assert.equal(others!.n, 0)
    const again = await run(['account', 'import', file], there)
    assert.match(again.err, /has the id .* of the one in the file\. Nothing was changed/)
  } finally {
    await elsewhere.close()
  }

  // An email, a name: what another account has is named, and nothing changes.
  await owner`update users set email = 'asha@elsewhere.example' where id = ${asha.id}`
  await owner`update users set email = ${asha.email} where id = ${zoya.id}`
  const before = await rowsOf(owner, acme.account_id, changing)
  const taken = await run(['account', 'restore', 'Acme', '--from', file, '--yes'])
  assert.equal(taken.status, 1)
  assert.ok(taken.err.includes(`${asha.email} in "Other"`), taken.err)
  assert.deepEqual(await rowsOf(owner, acme.account_id, changing), before)
  await owner`update users set email = ${zoya.email} where id = ${zoya.id}`
  const [{ closed_for }] = (await owner`select closed_for from accounts where id = ${acme.account_id}`) as unknown as [
    { closed_for: string | null },
  ]
  assert.equal(closed_for, null)

  // Rows that break a rule of the database change nothing.
  const restored = await json(['account', 'restore', 'Acme', '--from', file, '--yes'])
  assert.equal(restored.leads, exported.leads)
  assert.deepEqual(await rowsOf(owner, acme.account_id, changing), saved)
})

test('a deleted account leaves nothing, has a certificate, and no older backup brings it back by itself', async () => {
  const file = join(folder, 'before-deletion.backup')
  const exported = join(folder, 'other.account')
  await createBackup(app.connection, file)
  await json(['account', 'export', 'Other', exported])
  const kept = await rowsOf(owner, acme.account_id, changing)
  const counted = await rowsOf(owner, other.account_id)
  const earlier = new Date()
  const unsure = await run(['account', 'delete', 'Other'])
  assert.match(unsure.err, /add --yes/)
  const deleted = await json(['account', 'delete', 'Other', '--yes'])
  assert.deepEqual([deleted.account.id, deleted.rows_left], [other.account_id, 0])
  for (const [table, n] of Object.entries(deleted.rows))
    if (table !== 'logged_requests') assert.equal(`${n}`, counted[table]!.split(' ')[0], table)
  const { finished_at, rows } = JSON.parse(readFileSync(deleted.certificate, 'utf8'))
  assert.deepEqual([typeof finished_at, rows], ['string', deleted.rows])
  const left = await rowsOf(owner, other.account_id)
  assert.deepEqual(
    Object.entries(left)
      .filter(([, sum]) => !isEmpty(sum))
      .map(([table, sum]) => [table, sum.split(' ')[0]]),
    [['erased_leads', '1']],
  )
  assert.deepEqual(await rowsOf(owner, acme.account_id, changing), kept)
  assert.equal((await zoya.send('GET', '/api/v1/leads')).status, 401)
  await assertCountsHold(owner)

  for (const args of [
    ['restore', 'Other', '--from', file],
    ['import', exported],
  ]) {
    const back = await run(['account', ...args])
    assert.match(back.err, /This account was deleted at .* add --even-deleted/)
  }
  const back = await json(['account', 'import', exported, '--even-deleted'])
  assert.equal(back.account_id, other.account_id)
  assert.equal((await zoya.send('GET', '/api/v1/leads')).status, 200)
  // A restore of all deletes it again, unless the backup is of a time after it was brought back.
  const list = join(folder, 'data', erasedListName)
  const undone = new Error('undone')
  async function deletedAgain(restoredTo: Date) {
    let names: string[] = []
    const trying = owner.begin(async (tx) => {
      names = await deleteAgain(tx, [list], restoredTo)
      throw undone
    })
    await assert.rejects(trying, undone)
    return names
  }
  assert.deepEqual(await deletedAgain(earlier), ['Other'])
  assert.deepEqual(await deletedAgain(new Date()), [])
})
