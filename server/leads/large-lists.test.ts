import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { fillAccount } from '../demo/fill.ts'

/** So many that lists are scanned in order, and searches use the indexes of prefixes. */
const leads = 12_000
const app = await testApp()
after(app.close)
const { acme, asha, meena } = await people(app)
const [admin, manager] = await Promise.all([asha, meena].map((person) => signedIn(app, person)))

before(async () => {
  await fillAccount(app.connection, app.database, acme, { leads, days: 20, now: new Date(), onProgress: () => {} })
  await app.owner`update leads set updated_at = created_at + interval '1 day' * (length(name) % 7)`
  await app.owner`vacuum analyze leads`
})

const ask = async (browser: typeof admin, query: string) => (await browser!.send('GET', `/web/leads?${query}`)).body

const orders = {
  newest: 'created_at desc, id desc',
  updated: 'updated_at desc, id desc',
  name: `lower(name) collate "C", id`,
}

for (const [sort, order] of Object.entries(orders)) {
  test(`sorted by ${sort}, pages come in order, each lead once`, async () => {
    const expected = await app.owner.unsafe(`select id from leads order by ${order}`)
    for (const offset of [0, 480, 9990]) {
      const { data, pagination } = await ask(admin, `sort=${sort}&limit=100&offset=${offset}`)
      assert.deepEqual(pagination, { limit: 100, offset, total: leads, total_capped: false, has_more: true })
      const ids = data.map(({ id }: { id: string }) => id)
      assert.deepEqual(
        ids,
        expected.slice(offset, offset + 100).map(({ id }) => id),
      )
    }
  })
}

test('a Manager’s sorted list contains only the team’s leads', async () => {
  const team = await app.owner`select leads.id from leads join users on users.id = assigned_to
    where team = 'north' order by lower(leads.name) collate "C", leads.id`
  const { data, pagination } = await ask(manager, 'sort=name&limit=200')
  assert.equal(pagination.total, team.length)
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    team.slice(0, 200).map(({ id }) => id),
  )
})

test('a search by the beginning of a first or last name is exact in every order', async () => {
  const [{ last }] = (await app.owner`select split_part(name, ' ', 2) as last from leads where name like '% %'
    group by 1 order by count(*) limit 1`) as unknown as [{ last: string }]
  for (const [sort, order] of Object.entries(orders)) {
    const expected = await app.owner.unsafe(
      `select id from leads where lower(name) like $1 or lower(name) like $2 or email_key like $1 order by ${order}`,
      [`${last.toLowerCase()}%`, `% ${last.toLowerCase()}%`],
    )
    const { data, pagination } = await ask(admin, `search=${last}&sort=${sort}&limit=500`)
    assert.equal(pagination.total, expected.length)
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      expected.slice(0, 500).map(({ id }) => id),
    )
  }
})

test('a search with too many matches answers a page in order, and its total is capped', async () => {
  const { data, pagination } = await ask(admin, 'search=%2B91&sort=updated&limit=50')
  assert.deepEqual([pagination.total, pagination.total_capped, pagination.has_more], [5000, true, true])
  const expected =
    await app.owner`select id from leads where phone_key like '+91%' order by updated_at desc, id desc limit 50`
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    expected.map(({ id }) => id),
  )
})

test('an offset beyond the limit answers 400', async () => {
  for (const query of ['sort=name&offset=10001', 'search=%2B91&offset=2001']) {
    const { error } = await ask(admin, query)
    assert.deepEqual([error.code, error.field], ['INVALID_PARAM', 'offset'])
  }
  assert.equal((await ask(admin, 'offset=11990')).data.length, 10)
})

test('an export of many pieces contains every lead once', async () => {
  const { body } = await admin!.send('GET', '/web/leads.csv?from_date=1900-01-01')
  const ids = [...body.matchAll(/,([\da-f-]{36})\r\n/g)].map(([, id]) => id)
  assert.equal(ids.length, leads)
  assert.equal(new Set(ids).size, leads)
})
