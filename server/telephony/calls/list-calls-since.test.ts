import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'

let now = new Date('2027-01-01T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
let lead_id: string

before(async () => {
  lead_id = (await bela.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '9810000009' })).body.data.id
})

test('calls since a time come in the order in which they were logged, of all days, and for those who see their lead', async () => {
  for (const [second, called_at] of [
    [3, '2020-01-01T05:00:00Z'],
    [1, '2027-01-01T04:00:00Z'],
    [2, '2027-06-01T04:00:00Z'],
  ] as const) {
    now = new Date(`2027-01-02T05:00:0${second}Z`)
    await asha.send('POST', '/api/v1/call-logs', {
      lead_id,
      call_type: second === 1 ? 'Inbound' : 'Outbound',
      duration_seconds: second,
      called_at,
    })
  }
  const since = 'updated_since=2027-01-02T05:00:01Z'
  const tables: [Player, string, number[]][] = [
    [asha, since, [1, 2, 3]],
    [asha, 'updated_since=2027-01-02T05:00:02Z', [2, 3]],
    [asha, `${since}&call_type=Outbound`, [2, 3]],
    [asha, `${since}&lead_id=${lead_id}`, [1, 2, 3]],
    [asha, `${since}&from_date=2027-01-01&to_date=2027-01-01`, [1]],
    [bela, since, [1, 2, 3]],
    [meena, since, [1, 2, 3]],
    [chand, since, []],
    [zoya, since, []],
  ]
  for (const [player, query, expected] of tables) {
    const { body } = await player.send('GET', `/api/v1/call-logs?${query}`)
    assert.deepEqual(
      [body.data.map((call: { duration_seconds: number }) => call.duration_seconds), body.pagination],
      [
        expected,
        { limit: 50, offset: 0, total: expected.length, has_more: false, next_cursor: '2027-01-02T04:55:02Z' },
      ],
      query,
    )
  }
})

test('more calls than are counted have a lower bound as total, and are read to the end', async () => {
  const calls = 10_600
  await app.owner`insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, called_at, created_at)
    select account_id, gen_random_uuid(), lead_id, assigned_to, 'Inbound', n, 'Completed', called_at, '2028-01-01T00:00:00Z'
    from (select * from call_logs limit 1) one, generate_series(1, ${calls}) as n`
  const page = async (query: string) => {
    const { status, body } = await asha.send(
      'GET',
      `/api/v1/call-logs?updated_since=2028-01-01T00:00:00Z&limit=500&${query}`,
    )
    return { status, ...body, ids: body.data?.map(({ id }: { id: string }) => id) }
  }
  const first = await page('offset=0')
  const { next_cursor, ...counted } = first.pagination
  assert.deepEqual(counted, { limit: 500, offset: 0, total: 10_000, total_capped: true, has_more: true })
  const pages = [first]
  for (let offset = 500; pages.at(-1)!.pagination.has_more; offset += 500) pages.push(await page(`offset=${offset}`))
  assert.deepEqual([pages.at(-1)!.pagination.total, pages.at(-1)!.pagination.total_capped], [calls, undefined])
  const byOffset = pages.flatMap(({ ids }) => ids)
  assert.equal(new Set(byOffset).size, calls)
  const byCursor = [...first.ids]
  for (let [cursor, more] = [next_cursor, true]; more; ) {
    const { ids, pagination } = await page(`cursor=${cursor}`)
    byCursor.push(...ids)
    cursor = pagination.next_cursor
    more = pagination.has_more
  }
  assert.deepEqual(byCursor, byOffset)
  const { status, error } = await page('offset=100001')
  assert.deepEqual([status, error.field], [400, 'offset'])
})
