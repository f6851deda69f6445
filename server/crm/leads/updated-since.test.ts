import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, type Player, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../platform/database/actor.ts'
import { reassignSome } from './reassign-some.ts'

let now = new Date('2026-11-21T05:00:00.700Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const web = await signedIn(app, asha)

const save = async (player: Player, lead: object) =>
  (await player.send('POST', '/api/v1/leads', { name: 'Ravi', ...lead })).body.data
const listed = async (player: Player, query: string) => {
  const { status, body } = await player.send('GET', `/api/v1/leads?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const names = async (player: Player, query: string) =>
  (await listed(player, query)).data.map(({ name }: { name: string }) => name)

test('each change moves updated_at by at least a second, also several within one second', async () => {
  const lead = await save(asha, { phone: '9810000001' })
  assert.equal(lead.updated_at, '2026-11-21T05:00:00Z')
  const times = []
  for (const status of ['Contacted', 'Qualified'])
    times.push((await save(asha, { phone: '9810000001', status })).updated_at)
  // A merge that changes nothing moves it too.
  times.push((await save(asha, { phone: '9810000001' })).updated_at)
  const changed = await web.send('PATCH', `/web/leads/${lead.id}`, { status: 'New' })
  times.push(changed.body.data.updated_at)
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'Ravi', phone: '9810000001', city: 'Pune' })
  const [after] = (await listed(asha, 'limit=1')).data
  times.push(after.updated_at)
  assert.deepEqual(
    times,
    [1, 2, 3, 4, 5].map((second) => `2026-11-21T05:00:0${second}Z`),
  )
})

test('leads that are reassigned in the second of their last change change a second later', async () => {
  const lead = await save(chand, { phone: '9810000002' })
  await app.owner`update leads set updated_at = '2030-01-01T00:00:00Z' where id = ${lead.id}`
  const at = new Date('2029-12-31T23:59:59.9Z')
  await asActor(app.database, acme, (tx) =>
    reassignSome(tx, acme, {
      from: chand.id,
      to: [{ id: bela.id, summary: '' }],
      moved: 0,
      withClosed: true,
      at,
      details: {},
      limit: 10,
    }),
  )
  const { data } = await listed(bela, 'updated_since=2029-01-01T00:00:00Z')
  assert.deepEqual(
    data.map(({ id, updated_at }: { id: string; updated_at: string }) => [id, updated_at]),
    [[lead.id, '2030-01-01T00:00:01Z']],
  )
  await asha.send('DELETE', `/api/v1/leads/${lead.id}`)
})

test('a replayed delivery and an imported lead changed now, not when they were received or changed elsewhere', async () => {
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send({ name: 'Ravi', phone: '12' })
  const [delivery] =
    await app.owner`select id from deliveries where webhook_id = ${webhook.id} and outcome = 'rejected'`
  assert.ok(delivery, JSON.stringify(body))
  await app.owner`update deliveries set body = ${Buffer.from('{"name":"Late","phone":"9810000003"}')}, received_at = '2020-01-01T00:00:00Z'
    where id = ${delivery.id}`
  const replayed = await web.send('POST', `/web/deliveries/${delivery.id}/replay`, {})
  assert.equal(replayed.status, 200, JSON.stringify(replayed.body))
  const file = 'Name,Phone,Created,Last updated\nOld,9810000004,2020-01-01 10:00,2020-02-01 10:00\n'
  const imported = await web.send('POST', '/web/leads/import?name=old.csv', file, { 'content-type': 'text/csv' })
  assert.equal(imported.status, 200, JSON.stringify(imported.body))
  const since = '2020-03-01T00:00:00Z'
  const all = await names(asha, `updated_since=${since}`)
  assert.deepEqual(all.slice(1).sort(), ['Late', 'Old'])
  const [entry] = await app.owner`select details from timeline_entries, leads
    where leads.account_id = timeline_entries.account_id and lead_id = leads.id and name = 'Old'`
  assert.equal(entry!.details.updated_at, '2020-02-01T04:30:00Z')
})

test('leads since a time come in the order of their changes, with filters, an exact total and for those who see them', async () => {
  now = new Date('2026-12-01T05:00:00Z')
  for (const [name, player, second] of [
    ['A', bela, 3],
    ['B', chand, 1],
    ['C', bela, 2],
    ['D', asha, 2],
  ] as const) {
    now = new Date(`2027-01-01T05:00:0${second}Z`)
    await save(player, { name, email: `${name}@x.in`, status: name === 'A' ? 'Won' : 'New' })
  }
  const sameSecond = (await listed(asha, 'limit=2')).data
  const [lower, higher] = ['C', 'D'].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
  function idOf(name: string) {
    return [...sameSecond].find((lead: { name: string }) => lead.name === name)?.id ?? ''
  }
  const since = 'updated_since=2027-01-01T05:00:01Z'
  const tables: [Player, string, string[]][] = [
    [asha, since, ['B', lower!, higher!, 'A']],
    [asha, 'updated_since=2027-01-01T05:00:02.900Z', [lower!, higher!, 'A']],
    [asha, 'updated_since=2027-01-01T10:30:03%2B05:30', ['A']],
    [asha, 'updated_since=2027-01-01T05:00:04Z', []],
    [asha, `${since}&status=Won`, ['A']],
    [asha, `${since}&assigned_to=${bela.email}`, ['C', 'A']],
    [asha, `${since}&to_date=2026-12-31`, []],
    [bela, since, ['C', 'A']],
    [meena, since, ['C', 'A']],
    [chand, since, ['B']],
    [zoya, since, []],
  ]
  for (const [player, query, expected] of tables) {
    const { data, pagination } = await listed(player, query)
    const next_cursor = '2027-01-01T04:55:02Z'
    assert.deepEqual(
      [data.map(({ name }: { name: string }) => name), pagination],
      [expected, { limit: 50, offset: 0, total: expected.length, has_more: false, next_cursor }],
      query,
    )
  }
  const page = await listed(asha, `${since}&limit=1&offset=3`)
  assert.deepEqual([page.data[0].name, page.pagination.total], ['A', 4])
})

/** Reads pages until the last one. `between` runs after each page. */
async function readAll(player: Player, query: string, cursor = '', between = async (_page: number) => {}) {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await listed(player, `${query}&limit=2&cursor=${cursor}`)
    found.push(...data.map(({ name }: { name: string }) => name))
    cursor = pagination.next_cursor
    if (!pagination.has_more) return { found, cursor }
    await between(page)
  }
}

for (const [whose, player, filter] of [
  ['an Admin', asha, ''],
  ['an Agent', bela, ''],
  ['an Admin with a filter', asha, '&priority=High'],
] as const)
  test(`the pages of ${whose} leave out no lead of a second, although leads before them change and are deleted`, async () => {
    now = new Date(`${now.getFullYear() + 1}-01-01T05:00:00Z`)
    const since = `updated_since=${now.toISOString()}${filter}`
    const leads: { id: string; name: string; email: string }[] = []
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) {
      const lead = { name: `${name} of ${whose}`, email: `${name}@${player.id}${filter && '2'}.in`, priority: 'High' }
      leads.push(await save(player, lead))
    }
    leads.sort((one, other) => (one.id < other.id ? -1 : 1))
    now = new Date(now.getTime() + 60_000)
    const { found } = await readAll(player, since, '', async (page) => {
      if (page === 1) await asha.send('DELETE', `/api/v1/leads/${leads[0]!.id}`)
      if (page === 2) await save(player, { name: leads[1]!.name, email: leads[1]!.email })
    })
    // The changed one comes again, after the others.
    assert.deepEqual(found, [...leads.map(({ name }) => name), leads[1]!.name])
  })

test('a change that is committed after later ones were read comes with the next reading', async () => {
  now = new Date('2040-01-01T05:00:00Z')
  const late = await save(asha, { name: 'Late', email: 'late@x.in' })
  const start = (await readAll(asha, 'updated_since=2040-01-01T05:00:00Z')).cursor
  const committing = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  const committed = app.owner.begin(async (tx) => {
    await tx`update leads set name = 'Late, changed', answer_start = null, updated_at = '2040-01-01T05:01:00Z' where id = ${late.id}`
    changed.resolve()
    await committing.promise
  })
  await changed.promise
  for (const [name, minute] of [
    ['Next', 2],
    ['Last', 3],
  ] as const) {
    now = new Date(`2040-01-01T05:0${minute}:00Z`)
    await save(asha, { name, email: `${name}@late.in` })
  }
  now = new Date('2040-01-01T05:03:30Z')
  // It is committed after the page that has its place.
  const { found, cursor } = await readAll(asha, '', start, async () => {
    committing.resolve()
    await committed
  })
  assert.deepEqual(found, ['Late', 'Next', 'Last'])
  assert.ok(!(await names(asha, 'updated_since=2040-01-01T05:03:00Z')).includes('Late, changed'))
  now = new Date('2040-01-01T05:08:00Z')
  const next = await readAll(asha, '', cursor)
  assert.deepEqual(next.found, ['Late, changed', 'Next', 'Last'])
  // Five minutes later, nothing is repeated.
  now = new Date('2040-01-01T05:13:01Z')
  assert.deepEqual((await readAll(asha, '', (await readAll(asha, '', next.cursor)).cursor)).found, [])
})

test('after the clock was set back, changes come with the second reading at the latest', async () => {
  now = new Date('2041-01-01T05:00:00Z')
  const { cursor } = await readAll(asha, 'updated_since=2041-01-01T04:59:00Z')
  now = new Date('2041-01-01T04:00:00Z')
  await save(asha, { name: 'Before', email: 'before@clock.in' })
  const first = await readAll(asha, '', cursor)
  const second = await readAll(asha, '', first.cursor)
  assert.deepEqual([first.found, second.found], [[], ['Before']])
})

for (const path of ['leads', 'call-logs'])
  test(`cursor of ${path} must be one that was answered`, async () => {
    const id = crypto.randomUUID()
    const time = '2026-11-21T05:00:00Z'
    for (const [given, status] of [
      [time, 200],
      [`${time}_${id}_${time}`, 200],
      ['2026-11-21T05:00:00%2B05:30', 200],
      ['', 200],
      ['1', 400],
      [`${time}_${id}`, 400],
      [`${time}__${time}`, 400],
      [`${time}_${id}_`, 400],
      [`${id}_${time}_${time}`, 400],
      [`${time}_${id}_${time}_`, 400],
      [`${time}_${id.slice(1)}_${time}`, 400],
      [`2026-02-30T05:00:00Z_${id}_${time}`, 400],
      [`${time}_${id}_1026-02-20T05:00:00Z`, 400],
      [`${time}%00`, 400],
    ] as const) {
      const { status: answered, body } = await asha.send('GET', `/api/v1/${path}?cursor=${given}`)
      assert.equal(answered, status, given)
      if (status === 400) assert.equal(body.error.field, 'cursor')
    }
  })

for (const path of ['leads', 'call-logs'])
  test(`a page of ${path} is asked for by a cursor or an offset, because with both rows would be left out`, async () => {
    const time = '2026-11-21T05:00:00Z'
    for (const [query, status] of [
      [`cursor=${time}_${crypto.randomUUID()}_${time}&offset=2`, 400],
      [`cursor=${time}_${crypto.randomUUID()}_${time}&offset=0`, 200],
      [`cursor=${time}&offset=2`, 200],
      [`updated_since=${time}&offset=2`, 200],
    ] as const) {
      const { status: answered, body } = await asha.send('GET', `/api/v1/${path}?${query}`)
      assert.equal(answered, status, query)
      if (status === 400) assert.equal(body.error.field, 'offset')
    }
  })

for (const path of ['leads', 'call-logs'])
  test(`updated_since of ${path} must be a time`, async () => {
    for (const [given, status] of [
      ['2026-11-21', 400],
      ['yesterday', 400],
      ['2026-11-21T05:00:00', 400],
      ['2026-02-30T05:00:00Z', 400],
      ['', 200],
      ['1900-01-01T00:00:00Z', 200],
      ['9899-12-31T00:00:00Z', 200],
    ] as const) {
      const { status: answered, body } = await ask(
        app.url,
        asha.key.secret,
        'GET',
        `/api/v1/${path}?updated_since=${given}`,
      )
      assert.equal(answered, status, given)
      if (status === 400) assert.equal(body.error.field, 'updated_since')
    }
  })
