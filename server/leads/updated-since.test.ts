import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, type Player, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

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
  const details = app.owner.json({})
  await app.owner`select reassign_some_leads(${acme.account_id}, ${chand.id}, ${bela.id}, '2029-12-31T23:59:59.9Z', '', ${details}, 10)`
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
    assert.deepEqual(
      [data.map(({ name }: { name: string }) => name), pagination],
      [expected, { limit: 50, offset: 0, total: expected.length, has_more: false }],
      query,
    )
  }
  const page = await listed(asha, `${since}&limit=1&offset=3`)
  assert.deepEqual([page.data[0].name, page.pagination.total], ['A', 4])
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
