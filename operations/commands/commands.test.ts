import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '#test/app.ts'
import { callCommand, databaseUrl, runCommand } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { ask } from '#test/people.ts'
import { auditOf, lockLead, world } from '#test/records.ts'
import { startService } from '#test/service.ts'
import { until } from '#test/until.ts'

const store = await testDatabase()
const served = await serve(store.database)
after(async () => {
  await served.close()
  await store.close()
})
const env = { DATABASE_URL: databaseUrl(store.connection), BASE_URL: served.url }
const run = (args: string[]) => callCommand(args, env)

/** What the command printed with --json: one value on one line, and nothing else anywhere. */
async function json(...args: string[]) {
  const { status, out, err } = await run([...args, '--json'])
  assert.deepEqual([status, err], [0, ''], `${args.join(' ')}: ${err}`)
  assert.match(out, /^[^\n]+\n$/)
  return JSON.parse(out)
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const secret = /^le_live_[0-9A-Za-z]{38}$/
const holds = (value: object, keys: string[]) => {
  for (const key of keys) assert.ok(key in value, key)
}
const shape = (value: object, keys: string[]) => assert.deepEqual(Object.keys(value), keys)
const list = async (key: string) => (await ask(served.url, key, 'GET', '/api/v1/leads')).status

const acme = await json('setup', '--account', 'Acme', '--email', 'asha@acme.example', '--name', 'Asha')

test('setup creates an account, an Admin who can sign in, and a working key, and can create a second account', async () => {
  shape(acme, ['account_id', 'user', 'api_key'])
  shape(acme.user, ['id', 'email', 'password'])
  assert.match(acme.account_id, uuid)
  assert.match(acme.api_key, secret)
  assert.equal(await list(acme.api_key), 200)
  assert.equal((await signIn('asha@acme.example', acme.user.password)).status, 200)
  const other = await json('setup', '--account', 'Other', '--email', 'zoya@other.example', '--name', 'Zoya')
  assert.notEqual(other.account_id, acme.account_id)
  assert.equal(await list(other.api_key), 200)
})

test('a user is added, listed, deactivated, activated and given a new password', async () => {
  const email = 'bela@acme.example'
  const bela = await json(
    'user',
    'add',
    '--account',
    'acme',
    '--email',
    email,
    '--name',
    'Bela',
    '--role',
    'agent',
    '--team',
    'north',
  )
  shape(bela, ['id', 'email', 'password'])
  const { key } = await json('key', 'create', '--user', email, '--name', 'Dialler', '--permissions', 'read')
  const people = await json('user', 'list')
  const listed = people.find((person: { id: string }) => person.id === bela.id)
  assert.deepEqual(listed, {
    id: bela.id,
    account: 'Acme',
    email,
    name: 'Bela',
    role: 'Agent',
    team: 'north',
    active: true,
  })
  assert.equal((await signIn(email, bela.password)).status, 200)
  assert.equal(await list(key), 200)
  assert.deepEqual(await json('user', 'deactivate', email), { id: bela.id, email, active: false, changed: true })
  assert.equal((await json('user', 'deactivate', email)).changed, false)
  await until(async () => (await list(key)) === 401, 'the key is rejected')
  assert.equal((await signIn(email, bela.password)).status, 401)
  assert.equal((await json('user', 'activate', email)).active, true)
  await until(async () => (await list(key)) === 200, 'the key works again')
  const reset = await json('user', 'reset-password', email)
  shape(reset, ['id', 'email', 'password'])
  assert.equal((await signIn(email, bela.password)).status, 401)
  assert.equal((await signIn(email, reset.password)).status, 200)
})

test('a user who is locked out chooses a password by a printed link, once, which a new password ends', async () => {
  const email = 'bela@acme.example'
  const made = await json('user', 'password-link', email)
  shape(made, ['id', 'email', 'link', 'expires_at'])
  const join = (link: string) => {
    const sent = { token: link.replace(`${served.url}/join/`, ''), password: 'seven green parrots' }
    return ask(served.url, null, 'POST', '/web-public/join', sent, { origin: served.url })
  }
  assert.equal((await join(made.link)).status, 200)
  assert.equal((await signIn(email, 'seven green parrots')).status, 200)
  assert.equal((await join(made.link)).status, 404)
  const other = await json('user', 'password-link', email)
  await json('user', 'reset-password', email)
  assert.equal((await join(other.link)).status, 404)

  await json('user', 'deactivate', email)
  const failed = await run(['user', 'password-link', email])
  assert.deepEqual([failed.status, failed.out], [1, ''])
  assert.match(failed.err, /^bela@acme\.example is deactivated\. Activate them first: lead-engine user activate .*\n$/)
  assert.equal((await store.owner`select from password_links`).length, 0)
  await json('user', 'activate', email)
})

test('deactivating by command follows the rules of the web app: not the last Admin, and links expire', async () => {
  const failed = await run(['user', 'deactivate', 'asha@acme.example'])
  assert.equal(failed.status, 1)
  assert.match(failed.err, /^This is the last active Admin of the account: .*\n$/)
  assert.equal((await signIn('asha@acme.example', acme.user.password)).status, 200)
  const [person] = await store.owner`select id from users where email = 'bela@acme.example'`
  await store.owner`insert into password_links (account_id, user_id, token_hash, kind, created_at, expires_at)
    values (${acme.account_id}, ${person!.id}, '\\x01', 'reset', now(), now() + interval '1 hour')`
  await json('user', 'deactivate', 'bela@acme.example')
  assert.equal((await store.owner`select from password_links`).length, 0)
  assert.equal((await store.owner`select from sessions where user_id = ${person!.id}`).length, 0)
  const audits = await auditOf(store.owner, person!.id)
  assert.deepEqual([audits.at(-1)!.action, audits.at(-1)!.via], ['user.deactivated', 'command'])
  await json('user', 'activate', 'bela@acme.example')
})

test('deactivating by command reassigns the leads, only to another active user of the account', async () => {
  const [bela, chand] = ['bela@acme.example', 'chand@acme.example']
  const person = ['--account', 'Acme', '--email', chand, '--name', 'Chand', '--role', 'agent']
  const { id: chandId } = await json('user', 'add', ...person)
  const ofBela = ['--user', bela, '--name', 'Leads', '--permissions', 'write']
  const { key } = await json('key', 'create', ...ofBela)
  const ids: string[] = []
  for (const phone of ['9810077001', '9810077002']) {
    const made = await ask(served.url, key, 'POST', '/api/v1/leads', { name: 'Ravi', phone })
    ids.push(made.body.data.id)
  }
  const before = await world(store.owner)
  for (const [to, why] of [
    ['unknown@acme.example', /^No user has the email unknown@acme\.example\.\n$/],
    ['zoya@other.example', /^Leads can be reassigned only to other active users of the account\.\n$/],
    [bela, /^Leads can be reassigned only to other active users of the account\.\n$/],
  ] as const) {
    const refused = await run(['user', 'deactivate', bela, '--reassign-to', to])
    assert.deepEqual([refused.status, refused.out], [1, ''])
    assert.match(refused.err, why)
    assert.deepEqual(await world(store.owner), before)
  }

  // A lead that is being changed is waited for.
  const release = await lockLead(store.owner, ids[0]!)
  const ended = run(['user', 'deactivate', bela, '--reassign-to', chand])
  const moved = async () => (await store.owner`select from lead_reassignments where moved = 1`).length
  while ((await moved()) === 0) await sleep(20)
  await release()
  const { status, out, err } = await ended
  assert.deepEqual([status, out, err], [0, `${bela} is now deactivated. Leads reassigned to ${chand}: 2.\n`, ''])
  const owners = await store.owner`select distinct assigned_to from leads where id = any (${ids}::uuid[])`
  assert.deepEqual([...owners], [{ assigned_to: chandId }])
  const [left] = await store.owner`select id from users where email = ${bela}`
  const audit = (await auditOf(store.owner, left!.id)).at(-1)!
  assert.deepEqual(
    [audit.action, audit.via, audit.details],
    ['user.leads_reassigned', 'command', { to: chandId, leads: 2 }],
  )
  const again = await json('user', 'deactivate', bela, '--reassign-to', chand)
  assert.deepEqual([again.changed, again.leads_reassigned], [false, 0])
  await json('user', 'activate', bela)
})

test('two-factor can be switched off for a user, who then signs in with only the password', async () => {
  const email = 'asha@acme.example'
  const person = { id: acme.user.id, email }
  assert.deepEqual(await json('user', 'reset-two-factor', email), { ...person, changed: false })
  await store.owner`update users set two_factor_enabled = true where id = ${acme.user.id}`
  await store.owner`insert into two_factors (id, user_id, secret, backup_codes, verified)
    values (gen_random_uuid(), ${acme.user.id}, '', '', true)`
  assert.equal((await signIn(email, acme.user.password)).body.twoFactorRedirect, true)
  assert.deepEqual(await json('user', 'reset-two-factor', email), { ...person, changed: true })
  assert.equal((await signIn(email, acme.user.password)).body.user.id, acme.user.id)
  assert.equal((await store.owner`select from two_factors`).length, 0)
  const audits = await auditOf(store.owner, acme.user.id)
  assert.deepEqual([audits.at(-1)!.action, audits.at(-1)!.via], ['user.two_factor_reset', 'command'])
})

test('a key is created, listed without its value, regenerated and revoked', async () => {
  const made = await json(
    'key',
    'create',
    '--user',
    'asha@acme.example',
    '--name',
    'Site',
    '--permissions',
    'read,write',
    '--ip-whitelist',
    '127.0.0.1, 2001:db8::/32',
  )
  shape(made, ['id', 'key'])
  assert.match(made.key, secret)
  assert.equal(await list(made.key), 200)
  const listed = (await json('key', 'list')).find((key: { id: string }) => key.id === made.id)
  holds(listed, ['id', 'name', 'user', 'last_four', 'created_at', 'revoked_at'])
  assert.deepEqual(
    [listed.permissions, listed.ip_whitelist],
    [
      ['read', 'write'],
      ['127.0.0.1', '2001:db8::/32'],
    ],
  )
  assert.equal(listed.last_four, made.key.slice(-4))
  assert.ok(!JSON.stringify(listed).includes(made.key))
  const regenerated = await json('key', 'regenerate', made.id)
  shape(regenerated, ['id', 'key'])
  await until(async () => (await list(made.key)) === 401, 'the old value is rejected')
  assert.equal(await list(regenerated.key), 200)
  assert.deepEqual(await json('key', 'revoke', made.id), { id: made.id, revoked: true })
  await until(async () => (await list(regenerated.key)) === 401, 'the key is rejected')
  assert.match((await run(['key', 'regenerate', made.id])).err, /revoked/)
})

test('a webhook is created, mapped, disabled, enabled, regenerated, and its deliveries listed and replayed', async () => {
  const made = await json(
    'webhook',
    'create',
    '--account',
    'Acme',
    '--name',
    'Portal',
    '--source',
    'Portal',
    '--default-tags',
    'a,b',
    '--default-assignee',
    'asha@acme.example',
    '--default-status',
    'Contacted',
  )
  holds(made, ['id', 'url'])
  assert.ok(made.url.startsWith(`${served.url}/webhook/`))
  const send = (url: string, body: unknown) => ask('', null, 'POST', url, body)
  assert.equal((await send(made.url, { reach: { tel: '98100 44321' }, who: 'Ravi Kumar' })).status, 200)
  assert.equal((await send(made.url, { name: 'Nobody', code: 'x' })).status, 400)
  await json('webhook', 'map', made.id, 'who=name', 'code=notes')
  assert.deepEqual((await json('webhook', 'map', made.id, 'who=name', 'code=notes')).unknown_paths, [])
  const misspelt = ['webhook', 'map', made.id, 'who=name', 'Code=notes', 'reach=phone', 'reach.phone=phone']
  assert.deepEqual((await json(...misspelt)).unknown_paths, ['Code', 'reach.phone'])
  assert.equal(
    (await run(misspelt)).out,
    ['The mapping is saved.', ...['Code', 'reach.phone'].map(warning), ''].join('\n'),
  )
  await json('webhook', 'map', made.id, 'who=name', 'code=notes')
  const deliveries = await json('webhook', 'deliveries', made.id)
  assert.deepEqual(
    deliveries.map(({ outcome }: { outcome: string }) => outcome),
    ['rejected', 'created'],
  )
  for (const delivery of deliveries) {
    for (const key of ['id', 'received_at', 'outcome', 'lead_id', 'payload', 'warnings', 'error'])
      assert.ok(key in delivery, key)
    assert.match(delivery.received_at, /^\d{4}-\d\d-\d\dT/)
  }
  assert.deepEqual(deliveries[0].payload, { name: 'Nobody', code: 'x' })
  assert.deepEqual([deliveries[0].batch_id, deliveries[0].record, deliveries[0].records], [null, null, null])
  const replayed = await json('webhook', 'replay', deliveries[1].id)
  for (const key of ['outcome', 'lead_id']) assert.ok(key in replayed, key)
  assert.deepEqual([replayed.outcome, replayed.lead_id], ['merged', deliveries[1].lead_id])
  assert.match((await run(['webhook', 'replay', deliveries[0].id])).err, /no email and no phone/i)
  // The service hears of a change a moment after the command has ended.
  const answers = (url: string, status: number) =>
    until(async () => (await send(url, { phone: '9810044321' })).status === status, `status ${status}`)
  await json('webhook', 'disable', made.id)
  await answers(made.url, 403)
  assert.equal((await send(made.url, [{ phone: '9810044322' }, { phone: '9810044323' }])).status, 403)
  await json('webhook', 'enable', made.id)
  await answers(made.url, 200)
  const whole = (await json('webhook', 'deliveries', made.id)).find(
    ({ payload }: { payload: object }) => 'records' in payload,
  )
  assert.equal((await json('webhook', 'replay', whole.id)).records.created, 2)
  const records = (await json('webhook', 'deliveries', made.id)).filter(
    ({ batch_id }: { batch_id: string }) => batch_id === whole.id,
  )
  assert.deepEqual(records.map(({ record, records }: never) => `${record}/${records}`).sort(), ['1/2', '2/2'])
  assert.match((await run(['webhook', 'deliveries', made.id])).out, /\b1\/2\b/)
  const regenerated = await json('webhook', 'regenerate', made.id)
  holds(regenerated, ['id', 'url'])
  await answers(made.url, 404)
  await answers(regenerated.url, 200)
  assert.ok(
    (await json('webhook', 'list')).some(
      ({ id, url }: { id: string; url: string }) => id === made.id && url === regenerated.url,
    ),
  )
})

test('rules are added, listed in their order, moved, paused and removed', async () => {
  const add = (name: string, ...more: string[]) =>
    json('rule', 'add', '--account', 'Acme', '--name', name, '--to', 'asha@acme.example:2', ...more)
  const [first, second] = [
    await add('First', '--cities', 'Pune', '--daily-limit', '20'),
    await add('Second', '--position', '1'),
  ]
  const names = async () => (await json('rule', 'list', '--account', 'Acme')).map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(), ['Second', 'First'])
  await json('rule', 'move', first.id, '1')
  assert.deepEqual(await names(), ['First', 'Second'])
  const settings = async () =>
    (await json('rule', 'list', '--account', 'Acme')).map((rule: { paused: boolean; daily_limit: number | null }) => [
      rule.paused,
      rule.daily_limit,
    ])
  await json('rule', 'pause', second.id)
  assert.deepEqual(await settings(), [
    [false, 20],
    [true, null],
  ])
  await json('rule', 'resume', second.id)
  assert.deepEqual((await settings())[1], [false, null])
  await json('rule', 'remove', second.id)
  assert.deepEqual(await names(), ['First'])
  await json('rule', 'remove', first.id)

  const answers = ['--answer', 'What is your budget?=60 lakh', '--answer', 'What is your budget?=80 lakh']
  const asked = await add('Asked', '--campaigns', 'Diwali, Holi', '--products', '2 BHK', '--forms', 'Visit', ...answers)
  const [ofAsked] = await json('rule', 'list', '--account', 'Acme')
  assert.deepEqual(
    [ofAsked.campaigns, ofAsked.products, ofAsked.forms, ofAsked.answers],
    [['Diwali', 'Holi'], ['2 BHK'], ['Visit'], ['What is your budget?=60 lakh', 'What is your budget?=80 lakh']],
  )
  await json('rule', 'remove', asked.id)

  const offered = await add('Offered', '--first-to-claim', '--pass-on-after', '30')
  const [rule] = await json('rule', 'list', '--account', 'Acme')
  assert.deepEqual([rule.id, rule.method, rule.pass_on_after], [offered.id, 'first_to_claim', 30])
  await json('rule', 'remove', offered.id)
})

const warning = (path: string) => `Warning: no known delivery has ${path}. Check its spelling and letter case.`

test('a path is not called unknown before the first delivery', async () => {
  const { id } = await json('webhook', 'create', '--account', 'Acme', '--name', 'New', '--source', 'New')
  assert.deepEqual((await json('webhook', 'map', id, 'who=name')).unknown_paths, [])
})

test('a role is read in any letter case, and users are listed by account', async () => {
  for (const [email, role, saved] of [
    ['dev@acme.example', 'Agent', 'Agent'],
    ['esha@acme.example', 'MANAGER', 'Manager'],
  ] as const) {
    await json('user', 'add', '--account', 'Acme', '--email', email, '--name', 'N', '--role', role)
    const [user] = await store.owner`select role from users where email = ${email}`
    assert.equal(user!.role, saved)
  }
  const accounts = async (...args: string[]) =>
    new Set((await json('user', 'list', ...args)).map(({ account }: { account: string }) => account))
  assert.deepEqual(await accounts(), new Set(['Acme', 'Other']))
  assert.deepEqual(await accounts('--account', 'other'), new Set(['Other']))
  const unknown = await run(['user', 'list', '--account', 'Nowhere'])
  assert.deepEqual([unknown.status, unknown.out], [1, ''])
  assert.match(unknown.err, /^There is no account named "Nowhere"\./)
  const several = await run(['rule', 'list'])
  assert.equal(several.err, 'Name the account with --account. Accounts are "Acme", "Other".\n')
})

test('commands print URLs of the service that started last, unless they have a BASE_URL', async () => {
  const create = ['webhook', 'create', '--account', 'Acme', '--name', 'Site', '--source', 'Site', '--json']
  const host = async (own: Record<string, string>) =>
    new URL(JSON.parse((await callCommand(create, { DATABASE_URL: env.DATABASE_URL, ...own })).out).url).origin
  assert.equal(await host({}), 'http://127.0.0.1:8080')
  for (const given of [null, 'https://leads.example.com']) {
    const service = await startService({ DATABASE_URL: env.DATABASE_URL, ...(given ? { BASE_URL: given } : {}) })
    const url = given ?? service.url
    await until(async () => (await host({})) === url, 'the URL of the service')
    assert.equal(await service.end(), 0)
    assert.equal(await host({}), url)
    assert.equal(await host({ BASE_URL: 'https://other.example.com' }), 'https://other.example.com')
  }
})

test('migrate says that the schema is current', async () =>
  assert.deepEqual(await json('migrate'), { current: true, snapshot: null }))

test('without --json, commands print a sentence or a table', async () => {
  assert.match((await run(['user', 'list'])).out, /^id +account +email/)
  assert.match((await run(['migrate'])).out, /^The schema is up to date\.\n$/)
})

test('commands work while the service runs on the same DATA_DIR, and without it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-commands-'))
  const own = { DATA_DIR: join(folder, 'data') }
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const made = JSON.parse(
    (await runCommand(['setup', '--account', 'Own', '--email', 'a@own.example', '--name', 'A', '--json'], own)).out,
  )
  const service = await startService(own)
  t.after(() => service.end())
  const works = async (key: string) => (await ask(service.url, key, 'GET', '/api/v1/leads')).status
  assert.equal(await works(made.api_key), 200)
  const create = ['key', 'create', '--user', 'a@own.example', '--name', 'B', '--permissions', 'read', '--json']
  const second = JSON.parse((await runCommand(create, own)).out)
  assert.equal(await works(second.key), 200)
  assert.equal((await runCommand(['key', 'revoke', second.id], own)).status, 0)
  await until(async () => (await works(second.key)) === 401, 'the key is rejected')
  assert.doesNotMatch(service.said(), /le_live_/)
  assert.equal(await service.end(), 0)
  assert.equal(JSON.parse((await runCommand(['key', 'list', '--json'], own)).out).length, 2)
  // The only account need not be named.
  assert.deepEqual(JSON.parse((await runCommand(['rule', 'list', '--json'], own)).out), [])
})

test('a service that stops first saves what it has in memory, without warnings', async () => {
  const service = await startService(env)
  const { key, id } = await json(
    'key',
    'create',
    '--user',
    'asha@acme.example',
    '--name',
    'Last',
    '--permissions',
    'read',
  )
  assert.equal((await ask(service.url, key, 'GET', '/api/v1/leads')).status, 200)
  assert.equal(await service.end(), 0)
  assert.equal((await store.owner`select from api_key_uses where api_key_id = ${id}`).length, 1)
  assert.doesNotMatch(service.said(), /"level":[45]0/)
})

const signIn = (email: string, password: string) =>
  ask(
    served.url,
    null,
    'POST',
    '/auth/sign-in/email',
    { email, password },
    { origin: served.url, 'x-forwarded-for': '1.1.1.1' },
  )
