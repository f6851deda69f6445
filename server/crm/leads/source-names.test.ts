import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { migrationTexts } from '../../platform/database/migrate.ts'
import { splitStatements } from '../../platform/database/statements.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, bela } = await people(app)
const web = await signedIn(app, asha)

let last = 9_840_000_000
const create = async (source: string | undefined, by = asha) => {
  const { status, body } = await by.send('POST', '/api/v1/leads', { name: 'Ravi', phone: String(++last), source })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}
const total = async (path: string) => (await web.send('GET', path)).body.pagination.total

for (const [first, ...others] of [
  ['Expo 2026', 'EXPO 2026', 'expo 2026', 'Expo\u00a02026', 'Expo  2026', 'Ex\u200bpo 2026', 'Expo २०२६'],
  ['JustDial', 'Justdial', 'JUSTDIAL', 'justdial', '\ufeffJustDial'],
  ['café', 'Café', 'Cafe\u0301', 'cafe'],
  ['दिल्ली मेला', 'दिल्ली\u00a0मेला'],
  ['Rao–Iyer', 'rao-iyer'],
] as [string, ...string[]][])
  test(`${others.map((other) => JSON.stringify(other)).join(', ')} are ${first}`, async () => {
    assert.equal((await create(first)).source, first)
    for (const other of others) assert.equal((await create(other)).source, first)
    for (const one of [first, ...others]) {
      assert.equal(await total(`/web/leads?source=${encodeURIComponent(one)}`), others.length + 1, one)
      const { body } = await asha.send('GET', `/api/v1/leads?source=${encodeURIComponent(one)}`)
      assert.equal(body.pagination.total, others.length + 1, one)
    }
    const { body } = await web.send('GET', '/web/leads/choices')
    assert.equal(body.data.sources.filter((source: string) => source === first).length, 1)
  })

test('a webhook names a source first, whatever its deliveries, files and users write', async () => {
  const webhook = await webhookOf(app, acme, { source_label: 'IndiaMART' })
  const phones: string[] = []
  const next = () => {
    phones.push(String(++last))
    return phones.at(-1)!
  }
  await webhook.send({ name: 'A', phone: next(), notes: 'Call me' })
  await webhook.send({ name: 'B', phone: next(), notes: 'Call me', source: 'INDIAMART' })
  await asha.send('POST', '/api/v1/leads', { name: 'C', phone: next(), notes: 'Call me', source: 'indiamart' })
  await bela.send('POST', '/api/v1/leads', { name: 'D', phone: next(), source: 'Indiamart' })
  const file = `Name,Phone,Source\nE,${next()},Indiamart\nF,${next()},indiaMART\nG,${next()},Other Portal\nH,${next()},OTHER portal\n`
  await web.send('POST', '/web/leads/import', file, { 'content-type': 'text/csv' })
  const rows = await owner`select source, phone from leads where phone = any (${phones}) order by phone`
  assert.deepEqual(
    rows.map(({ source }) => source),
    [...Array(6).fill('IndiaMART'), 'Other Portal', 'Other Portal'],
  )
  const [{ id }] = (await owner`select id from leads where phone = ${phones[7]!}`) as unknown as [{ id: string }]
  assert.equal((await web.send('PATCH', `/web/leads/${id}`, { source: 'INDIAMART' })).body.data.source, 'IndiaMART')
  assert.deepEqual(
    [
      ...(await owner`select distinct source from enquiries where lead_id in (select id from leads where phone = any (${phones}))`),
    ],
    [{ source: 'IndiaMART' }],
  )
  await assertCountsHold(owner)
})

test('of many spellings at once, all leads get one', async () => {
  const made = await Promise.all(
    ['Drop-in', 'DROP-IN', 'drop-in', 'Drop-In', 'dROP-in', 'Drop‑in', 'DROP–IN', 'drop-IN'].map((source) =>
      create(source),
    ),
  )
  assert.equal(new Set(made.map(({ source }) => source)).size, 1)
})

test('reports have one row', async () => {
  const { body } = await web.send('GET', '/web/reports/origins?source=drop-in')
  assert.deepEqual(
    body.data.rows.map(({ figures }: { figures: { leads: number } }) => figures.leads),
    [8],
  )
})

test('the upgrade joins sources that differ', async () => {
  const { account_id } = acme
  await create('Fair')
  await webhookOf(app, acme, { source_label: 'Fair' })
  const ids = [(await create('Other')).id, (await create('Other')).id]
  await owner`delete from lead_sources where account_id = ${account_id}`
  await owner`update leads set source = 'FAIR' where account_id = ${account_id} and id = any (${ids}::uuid[])`
  await owner`update lead_count_changes set source = 'FAIR' where account_id = ${account_id} and source = 'Other'`
  await owner`update lead_counts set source = 'FAIR' where account_id = ${account_id} and source = 'Other'`
  await owner`insert into origin_costs (account_id, kind, name, month, cost)
    values (${account_id}, 'source', 'Fair', '2026-11-01', 100), (${account_id}, 'source', 'FAIR', '2026-11-01', 50)`
  const statements = splitStatements(migrationTexts.get('0098_search_keys.sql')!)
  for (const statement of statements)
    if (/^(insert|update|delete)/m.test(statement.replace(/^--.*\n/gm, ''))) await owner.unsafe(statement)
  assert.deepEqual(
    [...(await owner`select distinct source from leads where lower(source) = 'fair'`)],
    [{ source: 'Fair' }],
  )
  assert.equal(await total('/web/leads?source=fAiR'), 3)
  assert.deepEqual(
    [...(await owner`select name, cost::int from origin_costs where account_id = ${account_id}`)],
    [{ name: 'Fair', cost: 150 }],
  )
  await assertCountsHold(owner)
})
