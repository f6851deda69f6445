import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { readSheets } from '#test/read-sheets.ts'

const app = await testApp({}, () => new Date('2026-11-21T05:00:00Z'))
after(app.close)
const { asha, meena, bela, chand } = await people(app)
type Browser = Pick<Player, 'send'>
const [admin, manager, agent] = (await Promise.all([asha, meena, bela].map((person) => signedIn(app, person)))) as [
  Browser,
  Browser,
  Browser,
]

interface Listed {
  id: string
  notes: string
  duration_seconds: number
  called_at: string
  call_type: string
}
const all: (Listed & { of: Player })[] = []

before(async () => {
  for (const [index, of] of [bela, chand].entries()) {
    const lead = { name: 'Called', phone: `982000001${index}`, assigned_to: of.email }
    const lead_id = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
    for (let n = 0; n < 12; n++) {
      const duration_seconds = [0, 59, 60, 61, 120, 3600][n % 6]!
      const called_at = `2026-11-${10 + ((n * 7) % 10)}T0${n % 3}:00:00Z`
      const call = { lead_id, call_type: n % 2 ? 'Inbound' : 'Outbound', duration_seconds, called_at }
      all.push({ ...(await asha.send('POST', '/api/v1/call-logs', call)).body.data, of })
    }
  }
})

const newest = (one: Listed, other: Listed) =>
  one.called_at === other.called_at ? (one.id < other.id ? 1 : -1) : one.called_at < other.called_at ? 1 : -1
const orders = {
  newest,
  oldest: (one: Listed, other: Listed) => -newest(one, other),
  longest: (one: Listed, other: Listed) => other.duration_seconds - one.duration_seconds || newest(one, other),
} as const

for (const [role, browser, sees] of [
  ['an Admin', admin, [bela, chand]],
  ['a Manager', manager, [bela]],
  ['an Agent', agent, [bela]],
] as const)
  for (const [sort, order] of Object.entries(orders))
    test(`${role} gets the ${sort} calls first, page by page, also with filters`, async () => {
      for (const [query, fits] of [
        ['', () => true],
        ['min_minutes=1', (call: Listed) => call.duration_seconds >= 60],
        [
          'min_minutes=2&call_type=Outbound',
          (call: Listed) => call.duration_seconds >= 120 && call.call_type === 'Outbound',
        ],
        ['from_date=2026-11-14&to_date=2026-11-16', (call: Listed) => /^2026-11-1[456]/.test(call.called_at)],
      ] as const) {
        const expected = all.filter((call) => (sees as readonly Player[]).includes(call.of) && fits(call)).sort(order)
        const pages: string[] = []
        for (let offset = 0, more = true; more; offset += 5) {
          const { status, body } = await browser.send(
            'GET',
            `/web/calls?sort=${sort}&limit=5&offset=${offset}&${query}`,
          )
          assert.equal(status, 200, JSON.stringify(body))
          assert.equal(body.pagination.total, expected.length)
          pages.push(...body.data.map(({ id }: Listed) => id))
          more = body.pagination.has_more
        }
        assert.deepEqual(
          pages,
          expected.map(({ id }) => id),
          query,
        )
      }
    })

test('the least duration also limits the totals and the export', async () => {
  await app.owner`update accounts set lowest_role_to_export = 'Agent'`
  const long = all.filter(({ duration_seconds }) => duration_seconds >= 120)
  const { data } = (await admin.send('GET', '/web/calls/totals?min_minutes=2')).body
  assert.equal(data.calls, long.length)
  const csv: string = (await admin.send('GET', '/web/calls.csv?min_minutes=2')).body
  assert.equal(csv.trim().split('\r\n').length, long.length + 1)
})

test('files have the calls in the order of the list, also over batches', async () => {
  const lead = { name: 'Often called', phone: '9820000019' }
  const lead_id = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
  await app.owner`insert into call_logs (account_id, id, lead_id, call_type, duration_seconds, outcome, called_at, created_at)
    select account_id, gen_random_uuid(), id, 'Outbound', n * 7919 % 1201, 'Completed', at - n * 104729 % 1301 * interval '1 second', at
    from leads, generate_series(1, 1100) n, (select timestamptz '2026-11-20T05:00:00Z' as at) times where id = ${lead_id}`
  const calls = await app.owner<Listed[]>`
    select id, duration_seconds, called_at::text from call_logs where lead_id = ${lead_id}`
  for (const [sort, order] of Object.entries(orders)) {
    const durations = calls.toSorted(order).map(({ duration_seconds }) => duration_seconds)
    const query = `lead_id=${lead_id}&sort=${sort}`
    const csv: string = (await admin.send('GET', `/web/calls.csv?${query}`)).body
    const [, ...lines] = csv.trim().split('\r\n')
    assert.deepEqual(
      lines.map((line) => Number(line.split(',')[5])),
      durations,
      sort,
    )
    const { Calls = [] } = await readSheets((await admin.send('GET', `/web/calls.xlsx?${query}`)).body)
    assert.deepEqual(
      Calls.slice(1).map(({ F }) => Number(F!.value)),
      durations,
      sort,
    )
  }
  assert.equal((await admin.send('GET', '/web/calls.csv?sort=shortest')).status, 400)
})

test('an invalid sort or duration answers 400 and names the field', async () => {
  for (const [field, values] of Object.entries({
    sort: ['shortest', 'NEWEST'],
    min_minutes: ['0', '-1', '1.5', '1441', 'x'],
  }))
    for (const value of values) {
      const { status, body } = await admin.send('GET', `/web/calls?${field}=${value}`)
      assert.deepEqual([status, body.error.field], [400, field], value)
    }
})
