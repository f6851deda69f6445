import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { readSheets } from '#test/read-sheets.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, bela, zoya } = await people(app)
const [admin, stranger] = await Promise.all([asha, zoya].map((one) => signedIn(app, one)))
const portal = await webhookOf(app, acme, { name: 'Portal' })

// biome-ignore lint/suspicious/noExplicitAny: an entry is whatever the service says
type Entry = any
const read = async (query = '') => {
  const { status, body } = await admin!.send('GET', `/web/audit${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { data: Entry[]; next: string | null }
}

test('entries are listed newest first, with names and without the data of leads', async () => {
  await bela.send('POST', '/api/v1/leads', { name: 'Secret Person', phone: '9870000001' })
  await portal.send({ name: 'Hidden Person', phone: '9870000002' })
  await admin!.send('PATCH', `/web/users/${bela.id}`, { team: 'west' })
  const { data } = await read()
  const [changed, delivered, made] = data
  assert.deepEqual([changed.action, changed.user.name, changed.via], ['user.changed', 'Asha', 'web'])
  assert.deepEqual([changed.subject_name, changed.details], ['Bela', { team: 'west' }])
  assert.deepEqual([delivered.action, delivered.via_name, delivered.user], ['lead.created', 'Portal', null])
  assert.deepEqual([made.via_name, made.user.name, made.subject_name], ['Bela’s key'.replace('’', "'"), 'Bela', null])
  assert.doesNotMatch(JSON.stringify(data), /Secret Person|Hidden Person|98700/)
})

test('entries are filtered by topic, action, user and day', async () => {
  const actions = async (query: string) => [...new Set((await read(query)).data.map(({ action }) => action))]
  assert.deepEqual(await actions('?action=lead'), ['lead.created'])
  assert.deepEqual(await actions('?action=user.changed'), ['user.changed'])
  assert.deepEqual((await actions('?action=user')).sort(), ['user.changed', 'user.created'])
  assert.deepEqual(await actions('?action=use'), [])
  assert.equal((await actions('?incoming=false')).includes('lead.created'), false)
  assert.equal((await actions('?incoming=false')).includes('user.changed'), true)
  assert.deepEqual(await actions(`?user_id=${bela.id}`), ['lead.created'])
  await owner`update audit_log set at = '2020-01-01T18:30:00Z' where action = 'webhook.created'`
  assert.deepEqual(await actions('?from_date=2020-01-02&to_date=2020-01-02'), ['webhook.created'])
  assert.deepEqual(await actions('?to_date=2020-01-01'), [])
  const rejected = await admin!.send('GET', '/web/audit?from_date=2020-01-02&to_date=2020-01-01')
  assert.deepEqual([rejected.status, rejected.body.error.field], [400, 'from_date'])
})

test('paging returns each entry once, also several of one second', async () => {
  await owner`insert into audit_log (account_id, at, via, action) select ${acme.account_id}, '2021-05-05', 'command', 'demo.filled'
    from generate_series(1, 25)`
  const seen: string[] = []
  for (let before = ''; ; ) {
    const { data, next } = await read(`?action=demo&limit=10${before}`)
    seen.push(...data.map(({ id }) => id))
    if (next === null) break
    before = `&before=${next}`
  }
  assert.deepEqual([seen.length, new Set(seen).size], [25, 25])
})

test('an import is one entry, and its entries are listed by themselves', async () => {
  const newest = (await read('?limit=1')).data[0].id
  const rows = Array.from({ length: 30 }, (_, at) => `Lead ${at},98810000${String(at).padStart(2, '0')},`)
  const headers = { 'content-type': 'text/csv' }
  const file = ['Name,Phone,City', ...rows, `${rows[0]}Pune`].join('\n')
  const imported = await admin!.send('POST', '/web/leads/import', file, headers)
  assert.equal(imported.status, 200)
  const [entry, ...older] = (await read('?limit=2')).data
  assert.deepEqual([entry.action, entry.details], ['leads.imported', { rows: 31 }])
  assert.equal(older[0].id, newest)
  const parts = []
  for (let before = ''; ; ) {
    const { data, next } = await read(`?import_id=${entry.import_id}&limit=20${before}`)
    parts.push(...data.map(({ action }: Entry) => action))
    if (next === null) break
    before = `&before=${next}`
  }
  assert.deepEqual(parts.sort(), [...Array(30).fill('lead.created'), 'lead.merged', 'leads.imported'])
  assert.deepEqual((await read(`?import_id=${acme.account_id}`)).data, [])
  const { body } = await stranger!.send('GET', `/web/audit?import_id=${entry.import_id}`)
  assert.deepEqual(body.data, [])
})

test('the log of another account is not visible', async () => {
  const { body } = await stranger!.send('GET', '/web/audit')
  assert.deepEqual([...new Set(body.data.map(({ action }: Entry) => action))].sort(), [
    'account.created',
    'api_key.created',
    'user.created',
  ])
  assert.equal(JSON.stringify(body).includes(bela.id), false)
})

test('an export has the filtered entries in both formats, with times as numbers in a workbook', async () => {
  const query = '?action=user.changed'
  const { body: csv } = await admin!.send('GET', `/web/audit.csv${query}`)
  const [header, ...lines] = csv.trim().split('\r\n')
  assert.match(header, /^\ufeff?Time \(IST\),User,Email,By,Name of key or webhook,Action,Subject,Id,Details$/)
  const { headers, body } = await admin!.send('GET', `/web/audit.xlsx${query}`)
  assert.match(headers.get('content-disposition')!, /^attachment; filename="audit-log-[\d-]+\.xlsx"$/)
  const [, ...rows] = (await readSheets(body))['Audit log']!
  assert.equal(rows.length, lines.length)
  assert.ok(rows.length > 0)
  const [{ A, B, F, I } = {}] = rows
  assert.deepEqual([A!.type, B!.value, F!.value], ['n', 'Asha', 'user.changed'])
  assert.deepEqual(JSON.parse(I!.value), { team: 'west' })
  const exports = await owner`select details from audit_log where action = 'audit_log.exported'`
  assert.deepEqual(
    exports.map(({ details }) => details),
    [{ action: 'user.changed' }, { action: 'user.changed' }],
  )
})
