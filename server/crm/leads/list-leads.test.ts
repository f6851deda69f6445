import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { world } from '#test/records.ts'
import { leadPriorities, leadStatuses } from './contract.ts'

/** 21 November, 10:30 in India. */
const today = new Date('2026-11-21T05:00:00Z')
let now = today
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)

interface Listed {
  id: string
  name: string
  status: string
  source: string
  priority: string
  assigned_to: string
  created_at: string
}
const everyLead: Listed[] = []

/** Newest first, ties by id, as the contract has it. */
const newestFirst = (one: Listed, other: Listed) =>
  one.created_at === other.created_at ? (one.id < other.id ? 1 : -1) : one.created_at < other.created_at ? 1 : -1

const instants = [
  '2026-11-21T05:00:00Z',
  '2026-11-20T18:30:00Z',
  '2026-11-20T18:29:59Z',
  '2026-11-20T18:29:59Z',
  '2026-11-01T00:00:00Z',
  '2026-11-01T00:00:00Z',
  '2026-11-01T00:00:00Z',
  '2026-10-21T18:30:00Z',
  '2026-10-21T18:29:59Z',
  '2026-10-21T18:29:58Z',
  '2026-10-20T18:30:00Z',
  '2026-10-20T18:29:59Z',
  '2026-02-28T18:30:00Z',
  '2026-02-28T18:29:59Z',
  '2020-02-29T12:00:00Z',
  '2026-11-21T04:59:59Z',
]

before(async () => {
  const owners = [asha, meena, bela, chand]
  for (let index = 0; index < 64; index++) {
    now = new Date(instants[index % instants.length]!)
    const lead = {
      name: `Lead ${index}`,
      phone: `98${40_000_000 + index}`,
      source: ['Website', 'Fair', 'a & b=c%'][index % 3],
      status: leadStatuses[index % 6],
      priority: leadPriorities[(index >> 1) % 3],
      assigned_to: owners[(index >> 2) % 4]!.email,
    }
    everyLead.push((await asha.send('POST', '/api/v1/leads', lead)).body.data)
  }
  now = today
  await zoya.send('POST', '/api/v1/leads', { name: 'Elsewhere', phone: '9840000000' })
  everyLead.sort(newestFirst)
})

const visibleLeads = (player: Player): Listed[] => {
  const emails = player === asha ? null : player === meena ? [meena.email, bela.email] : [player.email]
  return everyLead.filter((lead) => !emails || emails.includes(lead.assigned_to))
}

const list = (player: Player, query: Record<string, string | number>) =>
  player.send('GET', `/api/v1/leads?${new URLSearchParams(query as Record<string, string>)}`)

async function assertLists(player: Player, query: Record<string, string | number>, expected: Listed[]) {
  const { status, body } = await list(player, { limit: 500, ...query })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.data, expected, JSON.stringify(query))
  assert.deepEqual(body.pagination, { limit: 500, offset: 0, total: expected.length, has_more: false })
}

const always = { from_date: '2020-01-01' }
const players = { 'an Admin': asha, 'a Manager': meena, 'an Agent': bela, 'another Agent': chand }

for (const [role, player] of Object.entries(players)) {
  test(`${role} lists the leads that ${role} may see, newest first, then by id, with each filter and with all`, async () => {
    const seen = visibleLeads(player)
    assert.ok(seen.length > 10)
    await assertLists(player, always, seen)
    for (const status of [...leadStatuses, undefined]) {
      for (const source of ['Website', 'a & b=c%', 'website', undefined]) {
        for (const priority of ['High', undefined]) {
          for (const assigned_to of [bela.email.toUpperCase(), chand.email, undefined]) {
            const query = { status, source, priority, assigned_to }
            const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value)) as Record<
              string,
              string
            >
            await assertLists(
              player,
              { ...always, ...given },
              seen.filter((lead) =>
                Object.entries(given).every(([field, value]) =>
                  field === 'assigned_to' || field === 'source'
                    ? lead[field]?.toLowerCase() === value.toLowerCase()
                    : lead[field as keyof Listed] === value,
                ),
              ),
            )
          }
        }
      }
    }
  })

  test(`with every page size ${role} gets every lead once, and has_more is right`, async () => {
    const seen = visibleLeads(player)
    for (const limit of [1, 2, 3, 7, 16, seen.length - 1, seen.length, seen.length + 1]) {
      const pages: Listed[] = []
      for (let offset = 0, more = true; more; offset += limit) {
        const { body } = await list(player, { ...always, limit, offset })
        pages.push(...body.data)
        const { total, has_more } = body.pagination
        assert.deepEqual(body.pagination, { limit, offset, total, has_more })
        assert.equal(total, seen.length)
        assert.equal(body.data.length, Math.min(limit, total - offset))
        more = has_more
      }
      assert.deepEqual(pages, seen)
    }
  })
}

test('both dates are whole days in India, and the last one is included', async () => {
  const between = (from: string, until: string) =>
    everyLead.filter(({ created_at }) => created_at >= from && created_at < until)
  for (const [from_date, to_date, from, until] of [
    ['2026-11-21', '2026-11-21', '2026-11-20T18:30:00Z', '2026-11-21T18:30:00Z'],
    ['2026-11-20', '2026-11-20', '2026-11-19T18:30:00Z', '2026-11-20T18:30:00Z'],
    ['2026-11-01', '2026-11-20', '2026-10-31T18:30:00Z', '2026-11-20T18:30:00Z'],
    ['2026-10-22', '2026-10-22', '2026-10-21T18:30:00Z', '2026-10-22T18:30:00Z'],
    ['2026-03-01', '2026-03-01', '2026-02-28T18:30:00Z', '2026-03-01T18:30:00Z'],
    ['2020-02-29', '2020-02-29', '2020-02-28T18:30:00Z', '2020-02-29T18:30:00Z'],
    ['0001-01-01', '9999-12-31', '0', 'a'],
    ['2027-01-01', '2027-12-31', 'a', 'a'],
  ] as const) {
    for (const player of [asha, meena]) {
      const mine = visibleLeads(player)
      await assertLists(
        player,
        { from_date, to_date },
        between(from, until).filter((lead) => mine.includes(lead)),
      )
    }
  }
})

test('without dates the list covers today and the thirty days before, in India', async () => {
  const since = (from: string) => everyLead.filter(({ created_at }) => created_at >= from)
  await assertLists(asha, {}, since('2026-10-21T18:30:00Z'))
  await assertLists(
    asha,
    { to_date: '2026-11-20' },
    since('2026-10-21T18:30:00Z').filter((lead) => lead.created_at < '2026-11-20T18:30:00Z'),
  )
  await assertLists(asha, { from_date: '2026-02-28' }, since('2026-02-27T18:30:00Z'))
  now = new Date('2026-11-21T18:29:59.999Z')
  await assertLists(asha, {}, since('2026-10-21T18:30:00Z'))
  now = new Date('2026-11-21T18:30:00Z')
  await assertLists(asha, {}, since('2026-10-22T18:30:00Z'))
  now = new Date('2026-12-21T05:00:00Z')
  await assertLists(asha, {}, since('2026-11-20T18:30:00Z'))
  now = today
})

test('a from_date after today answers an empty list', async () => {
  await assertLists(asha, { from_date: '2027-01-01' }, [])
})

test('a to_date alone, more than 30 days ago, lists that day and the 30 days before', async () => {
  const between = (from: string, until: string) =>
    everyLead.filter(({ created_at }) => created_at >= from && created_at < until)
  await assertLists(asha, { to_date: '2026-10-21' }, between('2026-09-20T18:30:00Z', '2026-10-21T18:30:00Z'))
  await assertLists(asha, { to_date: '2026-03-30' }, between('2026-02-27T18:30:00Z', '2026-03-30T18:30:00Z'))
  await assertLists(asha, { to_date: '2026-03-31' }, between('2026-02-28T18:30:00Z', '2026-03-31T18:30:00Z'))
  for (const to_date of ['2020-01-01', '1900-01-05', '0001-01-01']) await assertLists(asha, { to_date }, [])
})

test('an offset at or beyond the end answers an empty page', async () => {
  for (const offset of [64, 65, 1_000_000, 2_147_483_647]) {
    const { body } = await list(asha, { ...always, offset })
    assert.deepEqual(body, { data: [], pagination: { limit: 50, offset, total: 64, has_more: false } })
  }
})

test('the default page is the first fifty, and empty parameters count as not given', async () => {
  const empty = 'status=&source=&priority=&assigned_to=&limit=&offset=&to_date=&unknown=1'
  const { body } = await asha.send('GET', `/api/v1/leads?from_date=2020-01-01&${empty}`)
  assert.deepEqual(body.pagination, { limit: 50, offset: 0, total: 64, has_more: true })
  assert.deepEqual(body.data, everyLead.slice(0, 50))
})

test('an assignee who is unknown, not visible or of another account has an empty list', async () => {
  for (const [player, email] of [
    [asha, 'nobody@x.in'],
    [asha, 'no email at all'],
    [asha, zoya.email],
    [meena, chand.email],
    [bela, meena.email],
    [zoya, asha.email],
  ] as const) {
    await assertLists(player, { ...always, assigned_to: email }, [])
  }
})

test('a malformed parameter answers 400 and names the field, and nothing changes', async () => {
  const before = await world(app.owner)
  for (const [query, field] of [
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1e2x', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=x', 'offset'],
    ['offset=99999999999', 'offset'],
    ['status=new', 'status'],
    ['status=New&status=Won', 'status'],
    ['priority=high', 'priority'],
    ['source=a%00b', 'source'],
    [`source=${'s'.repeat(201)}`, 'source'],
    ['from_date=2026-02-29', 'from_date'],
    ['from_date=2026-2-1', 'from_date'],
    ['from_date=2026-11-21T00:00:00Z', 'from_date'],
    ['from_date=yesterday', 'from_date'],
    ['from_date=0000-01-01', 'from_date'],
    ['to_date=2026-13-01', 'to_date'],
    ['to_date=2026-11-31', 'to_date'],
    ['to_date=+002026-11-30', 'to_date'],
    ['from_date=2026-11-21&to_date=2026-11-20', 'from_date'],
  ] as const) {
    const { status, body } = await asha.send('GET', `/api/v1/leads?${query}`)
    assert.deepEqual([status, body.error?.code, body.error?.field], [400, 'INVALID_PARAM', field], query)
    assert.match(body.error.message, new RegExp(`^${field} .{5,150}\\.$`))
  }
  assert.deepEqual(await world(app.owner), before)
})
