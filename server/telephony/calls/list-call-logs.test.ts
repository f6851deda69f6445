import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { world } from '#test/records.ts'

/** 21 November, 10:30 in India. */
const today = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => today)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)

interface Listed {
  id: string
  lead_id: string
  call_type: string
  called_at: string
}
const everyCall: Listed[] = []
const leads: { id: string; of: Player }[] = []

const instants = [
  '2026-11-21T05:00:00Z',
  '2026-11-20T18:30:00Z',
  '2026-11-20T18:29:59Z',
  '2026-11-20T18:29:59Z',
  '2026-10-21T18:30:00Z',
  '2026-10-21T18:29:59Z',
  '2026-11-21T18:29:59Z',
  '2026-11-21T18:30:00Z',
  '1947-08-14T18:30:00Z',
  '1947-08-14T18:29:59Z',
  '2030-01-01T00:00:00Z',
  '2026-11-01T12:00:00Z',
]

before(async () => {
  for (const [index, of] of [asha, meena, bela, chand, bela].entries()) {
    const lead = { name: 'Called', phone: `98900000${10 + index}` }
    leads.push({ id: (await of.send('POST', '/api/v1/leads', lead)).body.data.id, of })
  }
  for (let index = 0; index < 60; index++) {
    const call = {
      lead_id: leads[index % 5]!.id,
      call_type: index % 3 ? 'Inbound' : 'Outbound',
      duration_seconds: index,
      called_at: instants[index % instants.length],
    }
    everyCall.push((await asha.send('POST', '/api/v1/call-logs', call)).body.data)
  }
  everyCall.sort((one, other) =>
    one.called_at === other.called_at ? (one.id < other.id ? 1 : -1) : one.called_at < other.called_at ? 1 : -1,
  )
})

function visibleCalls(player: Player): Listed[] {
  const people = player === asha ? [asha, meena, bela, chand] : player === meena ? [meena, bela] : [player]
  const theirs = leads.filter(({ of }) => people.includes(of)).map(({ id }) => id)
  return everyCall.filter(({ lead_id }) => theirs.includes(lead_id))
}

const list = (player: Player, query: Record<string, string | number>) =>
  player.send('GET', `/api/v1/call-logs?${new URLSearchParams(query as Record<string, string>)}`)

async function assertLists(player: Player, query: Record<string, string>, expected: Listed[]) {
  const { status, body } = await list(player, { limit: 500, ...query })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.data, expected, JSON.stringify(query))
  assert.deepEqual(body.pagination, { limit: 500, offset: 0, total: expected.length, has_more: false })
}

const always = { from_date: '1900-01-01', to_date: '2100-01-01' }

for (const [role, player] of Object.entries({ 'an Admin': asha, 'a Manager': meena, 'an Agent': bela })) {
  test(`${role} lists the calls of the leads that ${role} sees, newest first, by lead, by type and by both`, async () => {
    const seen = visibleCalls(player)
    await assertLists(player, always, seen)
    for (const call_type of ['Inbound', 'Outbound', undefined]) {
      for (const lead_id of [
        ...leads.map(({ id }) => id),
        leads[0]!.id.toUpperCase(),
        crypto.randomUUID(),
        undefined,
      ]) {
        const query = { ...(call_type ? { call_type } : {}), ...(lead_id ? { lead_id } : {}) }
        const fits = (call: Listed) =>
          (!call_type || call.call_type === call_type) && (!lead_id || call.lead_id === lead_id.toLowerCase())
        await assertLists(player, { ...always, ...query }, seen.filter(fits))
      }
    }
  })

  test(`with every page size ${role} gets every call once, of all leads and of one`, async () => {
    for (const lead_id of [undefined, leads[2]!.id]) {
      const seen = visibleCalls(player).filter((call) => !lead_id || call.lead_id === lead_id)
      for (const limit of [1, 2, 5, seen.length - 1, seen.length]) {
        const pages: Listed[] = []
        for (let offset = 0, more = true; more; offset += limit) {
          const { body } = await list(player, { ...always, ...(lead_id ? { lead_id } : {}), limit, offset })
          pages.push(...body.data)
          more = body.pagination.has_more
          assert.deepEqual(body.pagination, { limit, offset, total: seen.length, has_more: more })
        }
        assert.deepEqual(pages, seen)
      }
    }
  })
}

test('dates are whole days in India by called_at, the last one included; the default is today and 30 days before', async () => {
  for (const [query, from, until] of [
    [{}, '2026-10-21T18:30:00Z', '2026-11-21T18:30:00Z'],
    [{ from_date: '2026-11-21' }, '2026-11-20T18:30:00Z', '2026-11-21T18:30:00Z'],
    [{ from_date: '2026-11-20', to_date: '2026-11-20' }, '2026-11-19T18:30:00Z', '2026-11-20T18:30:00Z'],
    [{ from_date: '1947-08-15', to_date: '1947-08-15' }, '1947-08-14T18:30:00Z', '1947-08-15T18:30:00Z'],
    [{ to_date: '2026-10-21' }, '2026-09-20T18:30:00Z', '2026-10-21T18:30:00Z'],
    [{ to_date: '2020-01-01' }, '2019-12-01T18:30:00Z', '2020-01-01T18:30:00Z'],
    [{ to_date: '2030-12-31' }, '2026-10-21T18:30:00Z', '2030-12-31T18:30:00Z'],
    [{ from_date: '0001-01-01', to_date: '9999-12-31' }, '0', 'a'],
    [{ from_date: '2031-01-01' }, 'a', 'a'],
  ] as [Record<string, string>, string, string][]) {
    for (const player of [asha, meena]) {
      const within = visibleCalls(player).filter(({ called_at }) => called_at >= from && called_at < until)
      await assertLists(player, query, within)
      const ofLead = within.filter(({ lead_id }) => lead_id === leads[2]!.id)
      await assertLists(player, { ...query, lead_id: leads[2]!.id }, ofLead)
    }
  }
})

test('another account sees no calls, and a lead that is not visible has none', async () => {
  await assertLists(zoya, always, [])
  for (const { id } of leads) await assertLists(zoya, { ...always, lead_id: id }, [])
  await assertLists(chand, { ...always, lead_id: leads[0]!.id }, [])
})

test('an offset beyond the end answers an empty page, and empty parameters count as not given', async () => {
  const { body } = await list(asha, { ...always, offset: 60 })
  assert.deepEqual(body, { data: [], pagination: { limit: 50, offset: 60, total: 60, has_more: false } })
  const empty = await list(asha, { ...always, lead_id: '', call_type: '', limit: '', offset: '' })
  assert.deepEqual(empty.body.pagination, { limit: 50, offset: 0, total: 60, has_more: true })
})

test('the earliest and the latest possible call are in the total and on the page', async () => {
  const edges = ['1900-01-01T00:00:00+14:00', '1900-01-01T00:00:00Z', '9899-12-31T23:59:59-12:00']
  const { id } = (await zoya.send('POST', '/api/v1/leads', { name: 'Edge', phone: '9899900000' })).body.data
  const kept: number[] = []
  for (const called_at of edges) {
    const { status } = await zoya.send('POST', '/api/v1/call-logs', {
      lead_id: id,
      call_type: 'Inbound',
      duration_seconds: 1,
      called_at,
    })
    kept.push(status)
  }
  const { body } = await list(zoya, { from_date: '0001-01-01', to_date: '9999-12-31' })
  assert.equal(body.data.length, kept.filter((status) => status === 201).length)
  assert.equal(body.pagination.total, body.data.length)
})

test('a malformed parameter answers 400 and names the field, and nothing changes', async () => {
  const before = await world(app.owner)
  for (const [query, field] of [
    ['lead_id=x', 'lead_id'],
    ['lead_id=00000000', 'lead_id'],
    ['call_type=inbound', 'call_type'],
    ['limit=501', 'limit'],
    ['limit=0', 'limit'],
    ['offset=-1', 'offset'],
    ['from_date=2026-02-30', 'from_date'],
    ['to_date=21-11-2026', 'to_date'],
    ['from_date=2026-11-21&to_date=2026-11-20', 'from_date'],
  ] as const) {
    const { status, body } = await asha.send('GET', `/api/v1/call-logs?${query}`)
    assert.deepEqual([status, body.error?.code, body.error?.field], [400, 'INVALID_PARAM', field], query)
  }
  assert.deepEqual(await world(app.owner), before)
})
