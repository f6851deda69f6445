import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { findAccount } from '../../access/account/users.ts'
import { createWebhook } from '../../intake/webhooks/store.ts'
import { asActor } from '../../platform/database/actor.ts'
import { findLines } from './store.ts'

const app = await testApp()
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const { owner, database } = app
const [admin, manager, agent, stranger] = (await Promise.all(
  [asha, meena, bela, zoya].map((one) => signedIn(app, one)),
)) as [typeof asha, typeof asha, typeof asha, typeof asha]

beforeEach(async () => {
  await owner`delete from phone_lines`
  await owner`delete from pending_phone_lines`
})

/** Names an agent as an event of a telephone system does. */
async function seen(agent: string) {
  const account = await findAccount(database, acme.account_id)
  return asActor(database, acme, (tx) => findLines(tx, account, [agent], new Date()))
}

const lines = async () => (await admin.send('GET', '/web/phone-lines')).body.data
const add = (browser: typeof admin, line: string, user_id?: string) =>
  browser.send('POST', user_id ? '/web/phone-lines' : '/web/profile/phone-lines', { line, user_id })

async function rejects(answer: Promise<{ status: number; body: { error: unknown } }>, status: number, message: string) {
  const before = await world(owner)
  const { status: given, body } = await answer
  assert.deepEqual(
    [given, body.error],
    [status, { code: status === 404 ? 'NOT_FOUND' : 'INVALID_PARAM', message, field: 'line' }],
  )
  assert.deepEqual(await world(owner), before)
}

let made = 0
async function call(agent: string | null, called_by: string | null = null) {
  const { body } = await asha.send('POST', '/api/v1/leads', {
    name: 'Ravi',
    phone: `98300${String(++made).padStart(5, '0')}`,
  })
  const log = { lead_id: body.data.id, call_type: 'Inbound', duration_seconds: 60 }
  const { id } = (await asha.send('POST', '/api/v1/call-logs', log)).body.data
  await owner`update call_logs set agent = ${agent}, called_by = ${called_by} where id = ${id}`
  return async () => (await owner`select called_by from call_logs where id = ${id}`)[0]!.called_by
}

test('an Admin connects an unknown agent, and their calls move to the user', async () => {
  const webhook = await asActor(database, acme, (tx) =>
    createWebhook(tx, acme, {
      name: 'Exotel',
      source_label: 'Exotel',
    }),
  )
  const phoneCall = (agents: string[], state: string) =>
    owner`insert into phone_calls (account_id, id, webhook_id, state, call_type, started_at, facts, changed_at)
      values (${acme.account_id}, ${randomUUID()}, ${webhook.id}, ${state}, 'Inbound', now(),
        ${owner.json({ agents: { rank: 0, value: agents } })}, now())`
  await phoneCall(['Ravi K', '+91 98200 00007'], 'ringing')
  await phoneCall(['202'], 'answered')
  await phoneCall(['09820000007'], 'ended')
  const { agent: written } = await seen('098200 00007')
  const [first, second, ofChand, other] = await Promise.all([
    call(written),
    call(written),
    call(written, chand.id),
    call('202'),
  ])
  const { unknown } = await lines()
  assert.deepEqual(
    unknown.map(({ line, written, calls }: Record<string, unknown>) => [line, written, calls]),
    [['+919820000007', '098200 00007', 3]],
  )
  const { status, body } = await add(admin, unknown[0].line, bela.id)
  const added = { line: '+919820000007', written: '098200 00007', user_id: bela.id }
  assert.deepEqual([status, body.data], [201, { ...added, pending: false, calls: 2 }])
  assert.deepEqual(await Promise.all([first(), second(), ofChand(), other()]), [bela.id, bela.id, chand.id, null])
  assert.deepEqual(await lines(), { users: [added], pending: [], unknown: [] })
  const rung = await owner`select state from phone_calls where user_ids = ${[bela.id]}`
  assert.deepEqual([...rung], [{ state: 'ringing' }])
  assert.deepEqual((await seen('98200-00007')).user_ids, [bela.id])
  const [entry] = (await admin.send('GET', '/web/audit?action=phone_line')).body.data
  assert.deepEqual(
    [entry.action, entry.subject_name, entry.details],
    ['phone_line.added', 'Bela', { line: '098200 00007', calls: 2 }],
  )
})

test('a line belongs to one user', async () => {
  assert.equal((await add(admin, '9820000008', bela.id)).status, 201)
  const taken = 'Bela already has +919820000008. Remove it there, or enter another one.'
  await rejects(add(admin, '+91 98200-00008', chand.id), 400, taken)
  await rejects(add(admin, '098200 00008', bela.id), 400, taken)
  assert.equal((await add(admin, '201', chand.id)).status, 201)
  await rejects(add(agent, '201'), 400, 'Another user already has 201. Ask an Admin to give it to you.')
  const email = chand.email.toLowerCase()
  await rejects(add(admin, email, bela.id), 400, `Chand already has ${email}. Remove it there, or enter another one.`)
  await rejects(add(admin, '\u200b', bela.id), 400, 'line is required.')
})

test('requests at once give a line to one user, and a user 20 lines', async () => {
  await seen('301')
  const answers = await Promise.all([bela, chand, asha].map(({ id }) => add(admin, '301', id)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
  await owner`delete from phone_lines`
  const many = await Promise.all(
    Array.from({ length: 22 }, (_, n) => add(n % 2 ? agent : admin, `4${n}x`, n % 2 ? undefined : bela.id)),
  )
  assert.deepEqual(
    Object.entries(Object.groupBy(many, ({ status }) => status)).map(([status, of]) => [status, of!.length]),
    [
      ['201', 20],
      ['400', 2],
    ],
  )
  await rejects(add(agent, '500'), 400, 'Bela has 20 numbers and extensions. Remove one first.')
})

test('users manage their own lines, and no others', async () => {
  await add(admin, '201', chand.id)
  await seen('999')
  assert.equal((await add(agent, ' 98200 00009 ')).status, 201)
  const own = async () => (await agent.send('GET', '/web/profile/phone-lines')).body.data
  assert.deepEqual(await own(), [{ line: '+919820000009', written: '98200 00009', pending: true }])
  const remove = (line: string) => agent.send('DELETE', `/web/profile/phone-lines?line=${encodeURIComponent(line)}`)
  for (const line of ['201', '999', 'x']) await rejects(remove(line), 404, 'There is no such number or extension.')
  assert.equal((await remove('+919820000009')).status, 200)
  assert.deepEqual(await own(), [])
})

test('an Admin removes lines of users and unknown ones, of the own account only', async () => {
  await add(admin, '201', chand.id)
  await seen('999')
  const remove = (browser: typeof admin, line: string) => browser.send('DELETE', `/web/phone-lines?line=${line}`)
  for (const line of ['201', '999']) {
    await rejects(remove(stranger, line), 404, 'There is no such number or extension.')
    assert.equal((await remove(admin, line)).status, 200)
  }
  assert.deepEqual(await lines(), { users: [], pending: [], unknown: [] })
  const entries = (await admin.send('GET', '/web/audit?action=phone_line.removed')).body.data
  assert.deepEqual(
    entries.slice(0, 2).map((entry: { subject_id: string; details: object }) => [entry.subject_id, entry.details]),
    [
      [null, { line: '999' }],
      [chand.id, { line: '201' }],
    ],
  )
})

const remove = (browser: typeof admin, query: Record<string, string>) =>
  browser.send('DELETE', `/web/phone-lines?${new URLSearchParams(query)}`)

test('a line that a user adds does nothing until an Admin confirms it', async () => {
  const known = await call('098200 00010')
  for (const browser of [agent, manager]) {
    const { status, body } = await add(browser, '98200 00010')
    assert.deepEqual([status, body.data.pending, body.data.calls], [201, true, 0])
  }
  // Repeated, it is one.
  assert.equal((await add(agent, '+91 98200 00010')).status, 201)
  assert.deepEqual(await seen('098200 00010'), { user_ids: [], agent: '098200 00010' })
  assert.equal(await known(), null)
  const { users, pending, unknown } = await lines()
  assert.deepEqual(
    [users, pending.map((one: Record<string, unknown>) => [one.line, one.user_id]), unknown.length],
    [
      [],
      [
        ['+919820000010', bela.id],
        ['+919820000010', meena.id],
      ].sort(([, one], [, other]) => (one! < other! ? -1 : 1)),
      1,
    ],
  )
  assert.equal((await add(agent, '98200 00010', bela.id)).status, 403)

  const confirmed = await add(admin, '98200 00010', bela.id)
  assert.deepEqual([confirmed.status, confirmed.body.data.pending, confirmed.body.data.calls], [201, false, 1])
  assert.equal(await known(), bela.id)
  assert.deepEqual((await seen('098200 00010')).user_ids, [bela.id])
  await rejects(
    add(agent, '98200 00010'),
    400,
    'Bela already has +919820000010. Remove it there, or enter another one.',
  )
  const taken = 'Bela already has +919820000010. Remove it there, or enter another one.'
  await rejects(add(admin, '98200 00010', meena.id), 400, taken)
  assert.equal((await remove(admin, { line: '+919820000010', user_id: meena.id })).status, 200)
  assert.deepEqual((await lines()).pending, [])
  assert.deepEqual((await seen('098200 00010')).user_ids, [bela.id])
  const entries = (await admin.send('GET', '/web/audit?action=phone_line')).body.data.slice(0, 4)
  assert.deepEqual(
    entries.map(({ action, subject_id }: Record<string, string>) => [action, subject_id]),
    [
      ['phone_line.declined', meena.id],
      ['phone_line.confirmed', bela.id],
      ['phone_line.requested', meena.id],
      ['phone_line.requested', bela.id],
    ],
  )
})

test('an Admin’s own line counts at once', async () => {
  const { status, body } = await add(admin, '771')
  assert.deepEqual([status, body.data.pending], [201, false])
  assert.deepEqual((await seen('771')).user_ids, [asha.id])
})

test('users remove their own pending lines, and a pending one is removed only with its user', async () => {
  await add(agent, '772')
  const message = 'There is no such number or extension.'
  await rejects(remove(admin, { line: '772' }), 404, message)
  await rejects(remove(admin, { line: '772', user_id: meena.id }), 404, message)
  await rejects(manager.send('DELETE', '/web/profile/phone-lines?line=772'), 404, message)
  await rejects(remove(stranger, { line: '772', user_id: bela.id }), 404, message)
  assert.equal((await agent.send('DELETE', '/web/profile/phone-lines?line=772')).status, 200)
  assert.deepEqual((await lines()).pending, [])
})

test('a contact of a lead is no line, nor when an Admin adds or confirms it', async () => {
  await add(agent, '98200 00013')
  const lead = { name: 'Sita', phone: '98200 00011', email: 'sita@example.com' }
  const { id } = (await asha.send('POST', '/api/v1/leads', lead)).body.data
  await owner`insert into lead_contacts (account_id, lead_id, kind, value, key, added_at)
    values (${acme.account_id}, ${id}, 'phone', '98200 00012', '+919820000012', now())`
  assert.equal((await asha.send('POST', '/api/v1/leads', { name: 'Om', phone: '98200 00013' })).status, 201)
  for (const [text, line] of [
    ['98200-00011', '+919820000011'],
    ['0 98200 00012', '+919820000012'],
    ['Sita@Example.com', 'sita@example.com'],
    ['98200 00013', '+919820000013'],
  ] as const) {
    const message = `${line} is a contact of a lead. Remove it from the lead first, or enter another one.`
    await rejects(add(agent, text), 400, message)
    await rejects(add(admin, text, bela.id), 400, message)
    await rejects(add(admin, text), 400, message)
  }
})

test('only an Admin of the account reads what a line changed', async () => {
  await add(admin, '773', bela.id)
  const read = (browser: typeof admin, line = '773') => browser.send('GET', `/web/phone-lines/credits?line=${line}`)
  assert.deepEqual((await read(admin)).body.data, { calls: 0, leads: 0, newest: [] })
  assert.deepEqual(
    [(await read(agent)).status, (await read(stranger)).status, (await read(admin, '1')).status],
    [403, 404, 404],
  )
})
