import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { assertCountsHold, timelineOf, world } from '#test/records.ts'

const now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
// Visibility decides here, not the role.
await app.owner`update accounts set lowest_role_to_delete = 'Agent', lowest_role_to_export = 'Agent'`
const [admin, manager, agent, stranger] = (await Promise.all(
  [asha, meena, bela, zoya].map((person) => signedIn(app, person)),
)) as [Pick<Player, 'send'>, Pick<Player, 'send'>, Pick<Player, 'send'>, Pick<Player, 'send'>]

const calls: Record<string, string> = {}

before(async () => {
  const lead = async (player: Player, phone: string, assigned_to: string) =>
    (await player.send('POST', '/api/v1/leads', { name: `Lead ${phone}`, phone, assigned_to })).body.data.id
  const belas = await lead(asha, '9820000001', bela.email)
  const chands = await lead(asha, '9820000002', chand.email)
  const log = async (
    label: string,
    lead_id: string,
    call_type: string,
    duration_seconds: number,
    outcome: string,
    at: string,
  ) => {
    const body = { lead_id, call_type, duration_seconds, outcome, called_at: `${at}Z`, notes: label }
    calls[label] = (await asha.send('POST', '/api/v1/call-logs', body)).body.data.id
  }
  await log('missed, then returned', belas, 'Inbound', 0, 'Missed', '2026-11-20T05:00:00')
  await log('return', belas, 'Outbound', 90, 'Completed', '2026-11-20T06:00:00')
  await log('missed again', belas, 'Inbound', 0, 'Missed', '2026-11-20T07:00:00')
  await log('no answer', chands, 'Outbound', 0, 'No Answer', '2026-11-19T07:00:00')
  await log('missed of Chand', chands, 'Inbound', 0, 'Completed', '2026-11-19T08:00:00')
  await log('old', chands, 'Outbound', 30, 'Busy', '2026-09-01T08:00:00')
})

async function labels(browser: Pick<Player, 'send'>, query: string): Promise<string[]> {
  const { status, body } = await browser.send('GET', `/web/calls?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.pagination.total, body.data.length)
  return body.data.map((call: { notes: string }) => call.notes)
}

test('calls are listed newest first, with their lead, with every filter', async () => {
  const all = ['missed again', 'return', 'missed, then returned', 'missed of Chand', 'no answer']
  assert.deepEqual(await labels(admin, ''), all)
  assert.deepEqual(await labels(admin, 'from_date=2026-01-01'), [...all, 'old'])
  assert.deepEqual(await labels(admin, 'to_date=2026-11-19'), ['missed of Chand', 'no answer'])
  assert.deepEqual(await labels(admin, 'call_type=Outbound'), ['return', 'no answer'])
  assert.deepEqual(await labels(admin, 'outcome=Missed'), ['missed again', 'missed, then returned'])
  assert.deepEqual(await labels(admin, `assigned_to=${chand.email}`), ['missed of Chand', 'no answer'])
  assert.deepEqual(await labels(admin, 'assigned_to=nobody@example.com'), [])
  assert.deepEqual(await labels(admin, 'missed=true&call_type=Inbound'), [
    'missed again',
    'missed, then returned',
    'missed of Chand',
  ])
  assert.deepEqual(await labels(admin, 'unreturned=true'), ['missed again', 'missed of Chand'])
  const listed: { notes: string; unreturned: boolean }[] = (await admin.send('GET', '/web/calls')).body.data
  const marked = listed.filter(({ unreturned }) => unreturned).map(({ notes }) => notes)
  assert.deepEqual(marked, ['missed again', 'missed of Chand'])
  const { data, pagination } = (await admin.send('GET', '/web/calls?limit=1&offset=1')).body
  assert.deepEqual(pagination, { limit: 1, offset: 1, total: 5, total_capped: false, has_more: true })
  assert.deepEqual(
    [data[0].lead_name, data[0].lead_phone, data[0].assigned_to, data[0].called_at],
    ['Lead 9820000001', '9820000001', bela.email, '2026-11-20T06:00:00Z'],
  )
})

test('each role sees the calls of the leads it sees', async () => {
  const hers = ['missed again', 'return', 'missed, then returned']
  assert.deepEqual(await labels(agent, ''), hers)
  assert.deepEqual(await labels(manager, ''), hers)
  assert.deepEqual(await labels(agent, `assigned_to=${chand.email}`), [])
  assert.deepEqual(await labels(agent, 'unreturned=true'), ['missed again'])
  assert.deepEqual(await labels(stranger, ''), [])
})

test('a missed call is to call back until somebody has spoken with the lead, or called three times', async () => {
  const { id: lead_id } = (await zoya.send('POST', '/api/v1/leads', { name: 'Lead', phone: '9820000003' })).body.data
  const log = (call_type: string, duration_seconds: number, outcome: string, minute: number) =>
    zoya.send('POST', '/api/v1/call-logs', {
      lead_id,
      call_type,
      duration_seconds,
      outcome,
      called_at: `2026-11-20T05:${String(minute).padStart(2, '0')}:00Z`,
      notes: `${minute}`,
    })
  const callbacks = () => labels(stranger, 'unreturned=true')
  await log('Inbound', 0, 'Missed', 10)
  assert.deepEqual(await callbacks(), ['10'])
  await log('Outbound', 0, 'No Answer', 11)
  await log('Outbound', 25, 'Voicemail', 12)
  await log('Inbound', 0, 'Missed', 13)
  assert.deepEqual(await callbacks(), ['13', '10'])
  await log('Outbound', 0, 'Busy', 14)
  assert.deepEqual(await callbacks(), ['13'])
  await log('Inbound', 40, 'Completed', 15)
  assert.deepEqual(await callbacks(), [])
})

test('an invalid filter answers 400 and names the field', async () => {
  for (const field of ['outcome', 'call_type', 'missed', 'unreturned', 'from_date', 'lead_id']) {
    const { status, body } = await admin.send('GET', `/web/calls?${field}=x`)
    assert.deepEqual([status, body.error.field], [400, field])
  }
})

test('a call can be deleted only by a user who sees it', async () => {
  const path = `/web/calls/${calls['missed of Chand']}`
  for (const browser of [agent, manager, stranger]) {
    const before = await world(app.owner)
    assert.equal((await browser.send('DELETE', path)).status, 404)
    assert.deepEqual(await world(app.owner), before)
  }
  const { status, body } = await admin.send('DELETE', path)
  assert.deepEqual([status, body.data.deleted], [200, true])
  await assertCountsHold(app.owner)
  assert.deepEqual(await labels(admin, 'unreturned=true'), ['missed again'])
})

test('a call is logged on the page of its lead', async () => {
  const [{ lead_id }] = (await admin.send('GET', `/web/calls?assigned_to=${bela.email}`)).body.data
  const { status, body } = await agent.send('POST', `/web/leads/${lead_id}/calls`, {
    call_type: 'Outbound',
    duration_seconds: 5,
  })
  assert.deepEqual([status, body.data.lead_id, body.data.outcome], [201, lead_id, 'Completed'])
  assert.equal((await timelineOf(app.owner, lead_id)).at(-1)!.kind, 'call_logged')
  const before = await world(app.owner)
  const refused = await agent.send('POST', `/web/leads/${lead_id}/calls`, {
    call_type: 'Sideways',
    duration_seconds: 5,
  })
  assert.deepEqual([refused.status, refused.body.error.field], [400, 'call_type'])
  assert.deepEqual(await world(app.owner), before)
  await assertCountsHold(app.owner)
})

test('an Admin filters for calls of unassigned leads', async () => {
  assert.deepEqual(await labels(admin, 'assigned_to=nobody'), [])
  const [{ lead_id }] = (await admin.send('GET', `/web/calls?assigned_to=${chand.email}`)).body.data
  await admin.send('PATCH', `/web/leads/${lead_id}`, { assigned_to: null })
  assert.deepEqual(await labels(admin, 'assigned_to=nobody'), ['no answer'])
  assert.deepEqual(await labels(admin, 'assigned_to=nobody&outcome=Missed'), [])
  for (const browser of [agent, manager, stranger]) assert.deepEqual(await labels(browser, 'assigned_to=nobody'), [])
})
