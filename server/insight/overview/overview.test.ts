import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { isSilent } from '../../intake/webhooks/silence.ts'
import { createWebhook } from '../../intake/webhooks/store.ts'
import { asActor } from '../../platform/database/actor.ts'
import { istDay } from '../../platform/http/instants.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = (await Promise.all(
  [asha, meena, bela, zoya].map((person) => signedIn(app, person)),
)) as [Pick<Player, 'send'>, Pick<Player, 'send'>, Pick<Player, 'send'>, Pick<Player, 'send'>]
let webhook = { id: '', token: '' }

before(async () => {
  const lead = async (name: string, phone: string, more: object) =>
    (await asha.send('POST', '/api/v1/leads', { name, phone, ...more })).body.data.id
  const call = (lead_id: string, call_type: string, duration_seconds: number, outcome: string, called_at: string) =>
    asha.send('POST', '/api/v1/call-logs', { lead_id, call_type, duration_seconds, outcome, called_at })
  now = new Date('2026-09-01T05:00:00Z')
  await lead('Old', '9820000000', { assigned_to: bela.email })
  now = new Date('2026-11-19T20:00:00Z')
  const first = await lead('First', '9820000001', { assigned_to: bela.email, source: 'Fair' })
  const second = await lead('Second', '9820000002', { assigned_to: bela.email, source: 'Fair', status: 'Won' })
  const third = await lead('Third', '9820000003', { assigned_to: chand.email, source: 'IVR' })
  await call(first, 'Outbound', 60, 'Completed', '2026-11-19T20:10:00Z')
  await call(first, 'Outbound', 60, 'Completed', '2026-11-19T21:10:00Z')
  await call(second, 'Inbound', 0, 'Missed', '2026-11-19T20:30:00Z')
  await call(third, 'Outbound', 0, 'Busy', '2026-11-20T20:00:00Z')
  // Who called is not who owns the lead.
  await app.owner`update call_logs set called_by = case when outcome = 'Busy' then ${bela.id}::uuid
    when outcome = 'Completed' and duration_seconds = 60 then
      case when called_at = '2026-11-19T20:10:00Z' then ${chand.id}::uuid else ${bela.id}::uuid end end`
  webhook = await asActor(app.database, acme, (tx) =>
    createWebhook(tx, acme, {
      name: 'Portal',
      source_label: 'Portal',
    }),
  )
  now = new Date('2026-11-20T05:00:00Z')
  const send = (body: object) =>
    fetch(`${app.url}/webhook/${webhook.token}`, { method: 'POST', body: JSON.stringify(body) })
  assert.equal((await send({ message: 'hello' })).status, 400)
  now = new Date('2026-11-21T05:00:00Z')
})

const overview = async (browser: Pick<Player, 'send'>, query = '') => {
  const { status, body } = await browser.send('GET', `/web/overview${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

test('an Admin sees leads, calls and owners of the period, by days in India', async () => {
  const data = await overview(admin, '?days=3')
  assert.deepEqual([data.from_date, data.to_date], ['2026-11-19', '2026-11-21'])
  assert.deepEqual(data.leads.days, [
    { day: '2026-11-19', total: 0, by_source: {}, by_status: {} },
    { day: '2026-11-20', total: 3, by_source: { Fair: 2, IVR: 1 }, by_status: { New: 2, Won: 1 } },
    { day: '2026-11-21', total: 0, by_source: {}, by_status: {} },
  ])
  assert.deepEqual([data.leads.total, data.leads.by_source], [3, { Fair: 2, IVR: 1 }])
  assert.deepEqual(
    data.calls.days.map(({ total }: { total: number }) => total),
    [0, 3, 1],
  )
  assert.deepEqual(data.calls.by_outcome, { Completed: 2, Missed: 1, Busy: 1 })
  assert.deepEqual(data.people, [
    { name: 'Bela', email: bela.email, leads: 2, calls: 2 },
    { name: 'Chand', email: chand.email, leads: 1, calls: 1 },
  ])
  assert.deepEqual([data.unassigned_leads, data.unknown_calls], [0, 1])
  // 10 minutes, 30 minutes and a day.
  assert.deepEqual(data.first_call, { median_seconds: 1800, leads: 3 })
  assert.deepEqual(data.missed_calls, { missed: 1, unreturned: 1 })
})

test('an Admin sees rejected deliveries, and webhooks without recent deliveries', async () => {
  const data = await overview(admin)
  assert.deepEqual(data.rejected_deliveries, {
    total: 1,
    newest_at: '2026-11-20T05:00:00Z',
    webhooks: [{ webhook_id: webhook.id, name: 'Portal', rejected: 1, newest_at: '2026-11-20T05:00:00Z' }],
  })
  assert.deepEqual(data.silent_webhooks, [])
  await app.owner`insert into deliveries (account_id, id, webhook_id, received_at, address, outcome)
    select account_id, gen_random_uuid(), id, timestamptz '2026-11-18T05:00:00Z' - n * interval '1 hour', '::1', 'created'
    from webhooks, generate_series(1, 100) n where id = ${webhook.id}`
  await app.owner`delete from deliveries where outcome = 'rejected'`
  const silent = { webhook_id: webhook.id, name: 'Portal', last_at: '2026-11-18T04:00:00Z' }
  assert.deepEqual((await overview(admin)).silent_webhooks, [silent])
})

test('a webhook whose storage quota was used up is listed, with its cut and its only counted deliveries', async () => {
  assert.deepEqual((await overview(admin)).cut_deliveries, [])
  const [webhook] = await app.owner`select account_id, id, name from webhooks limit 1`
  for (const [slot, cut, dropped] of [
    [0, 3, 0],
    [1, 1, 2],
  ] as const) {
    await app.owner`insert into webhook_storage (account_id, webhook_id, day, kind, slot, bytes, cut, dropped)
      values (${webhook!.account_id}, ${webhook!.id}, ${istDay(now)}, 'rejected', ${slot}, 4096, ${cut}, ${dropped})`
  }
  const named = { webhook_id: webhook!.id, name: webhook!.name, cut: 4, dropped: 2 }
  assert.deepEqual((await overview(admin)).cut_deliveries, [named])
  assert.ok(!('cut_deliveries' in (await overview(agent))))
  assert.deepEqual((await overview(stranger)).cut_deliveries, [])
})

test('Admins see how many numbers of users are to be confirmed', async () => {
  assert.equal((await overview(admin)).pending_phone_lines, 0)
  await agent.send('POST', '/web/profile/phone-lines', { line: '98200 70001' })
  assert.equal((await overview(admin)).pending_phone_lines, 1)
  assert.equal((await overview(stranger)).pending_phone_lines, 0)
})

test('a Manager and an Agent see their own figures and no webhooks; another account sees nothing', async () => {
  for (const browser of [manager, agent]) {
    const data = await overview(browser)
    assert.deepEqual([data.leads.total, data.calls.total, data.leads.by_source], [2, 3, { Fair: 2 }])
    assert.deepEqual(data.people, [
      { name: 'Bela', email: bela.email, leads: 2, calls: 1 },
      { name: 'Chand', email: chand.email, leads: 0, calls: 1 },
    ])
    assert.deepEqual([data.unassigned_leads, data.unknown_calls], [0, 1])
    assert.deepEqual(data.first_call, { median_seconds: 1200, leads: 2 })
    for (const field of ['rejected_deliveries', 'silent_webhooks', 'pending_phone_lines']) assert.ok(!(field in data))
  }
  const { leads, calls, people, first_call, missed_calls, rejected_deliveries } = await overview(stranger)
  assert.deepEqual([leads.total, calls.total, people], [0, 0, []])
  assert.deepEqual(first_call, { median_seconds: null, leads: 0 })
  assert.deepEqual(missed_calls, { missed: 0, unreturned: 0 })
  assert.equal(rejected_deliveries.total, 0)
})

test('calls stay with who called when their lead changes hands', async () => {
  const calls = async (browser: Pick<Player, 'send'>) => {
    const { people, unknown_calls } = await overview(browser)
    return [...people.map(({ name, calls }: { name: string; calls: number }) => [name, calls]), unknown_calls]
  }
  const before = await calls(admin)
  const [lead] = await app.owner`select id from leads where name = 'First'`
  const assign = (email: string) => admin.send('PATCH', `/web/leads/${lead!.id}`, { assigned_to: email })
  assert.equal((await assign(chand.email)).status, 200)
  assert.deepEqual((await calls(admin)).sort(), before.sort())
  // Figures are of the calls that a user sees: those of the leads of their team now.
  assert.deepEqual(await calls(manager), [['Bela', 0], 1])
  assert.equal((await assign(bela.email)).status, 200)
  assert.deepEqual(await calls(manager), [['Bela', 1], ['Chand', 1], 1])
})

test('the time to first call is that of all called leads of the period, however many calls came later', async () => {
  const [lead] = await app.owner`select account_id, id from leads where name = 'Third'`
  await app.owner`insert into call_logs (account_id, id, lead_id, call_type, duration_seconds, outcome, called_at, created_at)
    select ${lead!.account_id}, gen_random_uuid(), ${lead!.id}, 'Outbound', 0, 'Busy', ${now}, ${now} from generate_series(1, 10000)`
  const { first_call } = await overview(admin, '?days=3')
  await app.owner`delete from call_logs where called_at = ${now}`
  assert.deepEqual(first_call, { median_seconds: 1800, leads: 3 })
})

test('30 days are the same in the overview and in its lists; those of the API have one more', async () => {
  const at = now
  for (const [day, phone] of [
    ['2026-10-22', '9820000091'],
    ['2026-10-23', '9820000092'],
  ] as const) {
    now = new Date(`${day}T05:00:00Z`)
    assert.equal((await zoya.send('POST', '/api/v1/leads', { name: 'Edge', phone })).status, 201)
  }
  now = at
  const { from_date, leads } = await overview(stranger)
  const [list, ofApi] = await Promise.all([stranger.send('GET', '/web/leads'), zoya.send('GET', '/api/v1/leads')])
  assert.deepEqual([from_date, leads.total, list.body.pagination.total], ['2026-10-23', 1, 1])
  assert.equal(ofApi.body.pagination.total, 2)
  assert.equal((await overview(stranger, '?days=1')).from_date, '2026-11-21')
})

test('an invalid number of days answers 400', async () => {
  for (const days of ['0', '367', 'x']) {
    const { status, body } = await admin.send('GET', `/web/overview?days=${days}`)
    assert.deepEqual([status, body.error.field], [400, 'days'])
  }
})

test('a webhook is silent after five times its usual interval, and after at least a day', () => {
  const hours = (n: number) => new Date(now.getTime() - n * 3_600_000)
  for (const [last, recent, silent] of [
    [23, 1000, false],
    [25, 1000, true],
    [25, 14, false],
    [5 * 24 + 1, 14, true],
    [24 * 60, 1, false],
    [24 * 71, 1, true],
  ] as const) {
    assert.equal(isSilent({ last_at: hours(last), recent }, now), silent, `${last} h after one of ${recent}`)
  }
})

test('a webhook whose form has changed is named with how many deliveries it ignores since when', async () => {
  const { id, token } = await asActor(app.database, acme, (tx) =>
    createWebhook(tx, acme, { name: 'Form', source_label: 'Form' }),
  )
  const changed = async () => (await overview(admin)).changed_webhooks
  const send = (body: object) => fetch(`${app.url}/webhook/${token}`, { method: 'POST', body: JSON.stringify(body) })
  for (let n = 0; n < 6; n++) await send({ name: `Lead ${n}`, phone: `98330001${n}0` })
  assert.deepEqual(await changed(), [])
  now = new Date('2026-11-23T05:00:00Z')
  for (let n = 0; n < 6; n++) await send({ event: 'seen', number: n })
  await send({ name: 'Lead', phone: '9833000199' })
  assert.deepEqual(await changed(), [{ webhook_id: id, name: 'Form', day: '2026-11-23', ignored: 6, received: 7 }])
  assert.equal((await overview(manager)).changed_webhooks, undefined)
})
