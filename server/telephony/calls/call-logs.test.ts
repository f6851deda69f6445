import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { assertCountsHold, auditOf, timelineOf, world } from '#test/records.ts'
import { callOutcomes } from './contract.ts'

const now = new Date('2026-11-21T05:00:00.999Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
const { owner } = app

let made = 0
async function leadOf(player: Player): Promise<string> {
  const lead = { name: 'Called', phone: `98${80_000_000 + ++made}` }
  return (await player.send('POST', '/api/v1/leads', lead)).body.data.id
}
const [ashas, belas, chands] = [await leadOf(asha), await leadOf(bela), await leadOf(chand)]

const log = (player: Player, call: unknown) => player.send('POST', '/api/v1/call-logs', call)
const missed = { lead_id: belas, call_type: 'Inbound', duration_seconds: 0 }

test('a call log is answered and listed with every field as given', async () => {
  const given = {
    lead_id: belas,
    call_type: 'Outbound',
    duration_seconds: 2_147_483_647,
    outcome: 'No Answer',
    notes: 'Try again\n\tafter five 🙏',
    called_at: '2026-11-20T18:30:00Z',
  }
  const { status, body } = await log(bela, given)
  assert.equal(status, 201)
  const { id, ...call } = body.data
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(call, { ...given, created_at: '2026-11-21T05:00:00Z' })
  const listed = await bela.send('GET', '/api/v1/call-logs')
  assert.deepEqual(listed.body.data, [{ id, ...given, created_at: '2026-11-21T05:00:00Z' }])
})

test('a call log with only the required fields is a completed call of now, without notes', async () => {
  const { body } = await log(bela, { ...missed, outcome: null, notes: '  ', called_at: '', unknown: 1, id: 'mine' })
  const { id: _, ...call } = body.data
  const moment = '2026-11-21T05:00:00Z'
  assert.deepEqual(call, { ...missed, outcome: 'Completed', notes: null, called_at: moment, created_at: moment })
})

for (const [given, kept] of [
  ['2026-11-21T10:30:00+05:30', '2026-11-21T05:00:00Z'],
  ['2026-11-20T21:00:00-08:00', '2026-11-21T05:00:00Z'],
  ['2026-11-21T05:00:00.999999999Z', '2026-11-21T05:00:00Z'],
  ['2026-11-21T05:00:00,5Z', '2026-11-21T05:00:00Z'],
  ['2026-11-21t05:00:00z', '2026-11-21T05:00:00Z'],
  ['2026-11-21T05:00Z', '2026-11-21T05:00:00Z'],
  ['2024-02-29T23:59:59+0530', '2024-02-29T18:29:59Z'],
  ['1999-12-31T23:59:59.999Z', '1999-12-31T23:59:59Z'],
  ['1947-08-15T00:00:00+05:30', '1947-08-14T18:30:00Z'],
  ['2999-01-01T00:00:00Z', '2999-01-01T00:00:00Z'],
]) {
  test(`called_at ${given} is saved as ${kept}`, async () => {
    const { status, body } = await log(asha, { ...missed, called_at: given })
    assert.deepEqual([status, body.data.called_at], [201, kept])
    await assertCountsHold(owner)
  })
}

test('a call is on its lead’s timeline and in the audit log, which has nothing of its notes', async () => {
  const lead = await leadOf(bela)
  const call = { lead_id: lead, call_type: 'Inbound', duration_seconds: 125, outcome: 'Voicemail', notes: 'Secret' }
  const { id } = (await log(meena, call)).body.data
  const entry = (await timelineOf(owner, lead)).at(-1)!
  assert.deepEqual([entry.kind, entry.assigned_to], ['call_logged', bela.id])
  assert.equal(entry.summary, "Inbound call, voicemail, 2 min 5 s. Logged through the API key “Meena's key”.")
  assert.deepEqual(entry.details, { via: 'api_key', via_id: meena.key.id, call_log_id: id })
  const by = { user_id: meena.id, via: 'api_key', via_id: meena.key.id, details: {} }
  assert.deepEqual([...(await auditOf(owner, id))], [{ action: 'call_log.created', ...by }])
  assert.equal((await meena.send('DELETE', `/api/v1/call-logs/${id}`)).status, 200)
  const gone = (await timelineOf(owner, lead)).at(-1)!
  assert.deepEqual(
    [gone.kind, gone.summary],
    ['call_deleted', "Call log deleted through the API key “Meena's key”: Inbound call, voicemail, 2 min 5 s"],
  )
  assert.deepEqual((await auditOf(owner, id)).at(-1), { action: 'call_log.deleted', ...by })
})

async function assertRejected(player: Player, body: unknown, status: number, field: string | undefined) {
  const before = await world(owner)
  const answer = await log(player, body)
  assert.deepEqual([answer.status, answer.body.error.field], [status, field], JSON.stringify([body, answer.body]))
  assert.equal(answer.body.error.code, status === 404 ? 'NOT_FOUND' : 'INVALID_PARAM')
  assert.match(answer.body.error.message, /^.{10,150}\.$/)
  assert.deepEqual(await world(owner), before)
}

test('a call for a lead that is unknown or not visible answers 404 and names lead_id', async () => {
  for (const [player, lead_id] of [
    [bela, ashas],
    [bela, chands],
    [meena, ashas],
    [meena, chands],
    [zoya, belas],
    [asha, randomUUID()],
  ] as const) {
    await assertRejected(player, { ...missed, lead_id }, 404, 'lead_id')
  }
})

test('every value at its limit is saved, and one beyond it answers 400 and names the field', async () => {
  for (const outcome of callOutcomes) assert.equal((await log(bela, { ...missed, outcome })).status, 201)
  assert.equal((await log(bela, { ...missed, notes: 'n'.repeat(20_000) })).status, 201)
  assert.equal((await log(bela, { ...missed, lead_id: belas.toUpperCase() })).status, 201)
  for (const [field, values] of Object.entries({
    lead_id: [undefined, null, '', 'x', 7, `${belas}0`, `{${belas}}`, `urn:uuid:${belas}`],
    call_type: [undefined, null, 'inbound', 'Missed', 1],
    duration_seconds: [undefined, null, '', '60', -1, 1.5, 2_147_483_648, 1e300, [60], true],
    outcome: ['completed', 'No answer', 'Unknown', 0],
    notes: ['n'.repeat(20_001), 'a\0b', 'a\u0007b', '\udc00', 5],
    called_at: [
      'yesterday',
      '2026-11-21',
      '2026-11-21T05:00:00',
      '2026-11-21 05:00:00Z',
      '1700000000',
      1700000000,
      '2026-02-29T05:00:00Z',
      '2026-11-31T05:00:00Z',
      '2026-11-21T24:00:00Z',
      '2026-11-21T05:60:00Z',
      '2026-11-21T05:00:00+25:00',
      '0000-01-01T00:00:00Z',
      '12026-11-21T05:00:00Z',
      '-002026-11-21T05:00:00Z',
    ],
  })) {
    for (const value of values) await assertRejected(bela, { ...missed, [field]: value }, 400, field)
  }
  for (const body of ['[]', 'null', '{', '']) await assertRejected(bela, body, 400, undefined)
})

test('a call log is deleted once, and its count with it', async () => {
  const { id } = (await log(bela, missed)).body.data
  const answer = await meena.send('DELETE', `/api/v1/call-logs/${id}`)
  assert.deepEqual([answer.status, answer.body], [200, { data: { id, deleted: true } }])
  await assertCountsHold(owner)
  assert.equal((await meena.send('DELETE', `/api/v1/call-logs/${id}`)).status, 404)
  assert.equal((await owner`select 1 from leads where id = ${belas}`).length, 1)
})

test('a call log that is not visible, unknown or misspelled is not deleted, and nothing changes', async () => {
  const idOf = async (lead_id: string) => (await log(asha, { ...missed, lead_id })).body.data.id
  const [ofAsha, ofBela, ofChand] = [await idOf(ashas), await idOf(belas), await idOf(chands)]
  const before = await world(owner)
  for (const [player, id, status, field] of [
    [bela, ofAsha, 404],
    [bela, ofChand, 404],
    [meena, ofChand, 404],
    [zoya, ofBela, 404],
    [asha, randomUUID(), 404],
    [asha, 'none', 400, 'id'],
  ] as const) {
    const answer = await player.send('DELETE', `/api/v1/call-logs/${id}`)
    assert.deepEqual([answer.status, answer.body.error.field], [status, field])
  }
  assert.deepEqual(await world(owner), before)
})

test('of simultaneous deletions of one call log, one succeeds', async () => {
  const { id } = (await log(bela, missed)).body.data
  const answers = await Promise.all(Array.from({ length: 10 }, () => bela.send('DELETE', `/api/v1/call-logs/${id}`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(404)])
  await assertCountsHold(owner)
})

test('calls follow their lead to its new owner, also those logged at the same time', async () => {
  const phone = '9881100000'
  const lead = { name: 'Handed round', phone }
  const { id } = (await asha.send('POST', '/api/v1/leads', lead)).body.data
  for (let round = 0; round < 5; round++) {
    const give = (player: Player) => asha.send('POST', '/api/v1/leads', { ...lead, assigned_to: player.email })
    const calls = Array.from({ length: 6 }, () => log(asha, { ...missed, lead_id: id }))
    const [first, second] = await Promise.all([give(bela), give(chand), ...calls])
    assert.deepEqual([first.status, second.status], [200, 200])
    const rows = await owner`select distinct c.assigned_to = l.assigned_to as follows from call_logs c
      join leads l on l.account_id = c.account_id and l.id = c.lead_id where l.id = ${id}`
    assert.deepEqual([...rows], [{ follows: true }])
    await assertCountsHold(owner)
  }
  const [row] = await owner`select assigned_to from leads where id = ${id}`
  for (const player of [bela, chand]) {
    const { body } = await player.send('GET', `/api/v1/call-logs?lead_id=${id}`)
    assert.equal(body.pagination.total, row!.assigned_to === player.id ? 30 : 0)
  }
})
