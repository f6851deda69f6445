import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { readSheets, readTable } from '#test/read-sheets.ts'
import { auditOf, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

let now = new Date('2026-11-20T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = (await Promise.all(
  [asha, meena, bela, zoya].map((person) => signedIn(app, person)),
)) as [Browser, Browser, Browser, Browser]
type Browser = Awaited<ReturnType<typeof signedIn>>

/** Ids of leads by name. */
const ids: Record<string, string> = {}

before(async () => {
  const add = async (name: string, phone: string, more: object) => {
    const { body } = await asha.send('POST', '/api/v1/leads', { name, phone, ...more })
    ids[name] = body.data.id
    now = new Date(now.getTime() + 60_000)
  }
  await add('Anil', '+919820000001', {
    assigned_to: bela.email,
    deal_value: 200_000.5,
    tags: ['vip', 'a;b'],
    city: 'Pune',
  })
  await add('=Bina()', '98200 00002', { assigned_to: chand.email, deal_value: 300_000, notes: '@sum' })
  await add('Chitra', '98200 00003', { assigned_to: bela.email })
  const call = { call_type: 'Outbound', duration_seconds: 60, outcome: 'Completed', called_at: '2026-11-21T05:00:00Z' }
  assert.equal((await asha.send('POST', '/api/v1/call-logs', { lead_id: ids.Anil, ...call })).status, 201)
  now = new Date('2026-11-21T06:00:00Z')
  const change = async (name: string, body: object) =>
    assert.equal((await admin.send('PATCH', `/web/leads/${ids[name]}`, body)).status, 200)
  await change('Anil', { call_again_at: '2026-11-23T04:30:00Z', expected_close: '2026-12-15' })
  await change('Chitra', { status: 'Lost', lost_reason: 'Too expensive' })
  const webhook = await webhookOf(app, acme, { default_source: 'Housing' })
  await webhook.send({ name: 'Anil', phone: '9820000001', 'Which floor?': `High ${'up '.repeat(150)}` })
})

const file = async (browser: Browser, format: string, query = '') => {
  const { status, headers, body } = await browser.send('GET', `/web/leads.${format}${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(headers.get('content-disposition'), `attachment; filename="leads-2026-11-21.${format}"`)
  return body
}
const namesIn = async (browser: Browser, query = '') =>
  (await readTable(await file(browser, 'xlsx', query))).map(({ Name }) => Name)

const mayExport = async (lowest_role_to_export: string) =>
  assert.equal((await admin.send('PATCH', '/web/account', { lowest_role_to_export })).status, 200)
/** To the second: a time is a fraction of a day. */
const rounded = (serial: string | undefined) => serial && String(Math.round(Number(serial) * 86_400))
const serial = (day: number, hours: number) => rounded(String(day + hours / 24))

test('a workbook has all columns, with money and times as numbers and texts as texts', async () => {
  const { Leads = [] } = await readSheets(await file(admin, 'xlsx', '?search=anil'))
  const [header, anil] = Leads
  const names = Object.values(header!).map(({ value }) => value)
  assert.deepEqual(names.slice(-9), [
    'Id',
    'Call again (IST)',
    'Last call (IST)',
    'Last call outcome',
    'Call attempts',
    'Enquired again (IST)',
    'Lost reason',
    'Closed (IST)',
    'Expected closing',
  ])
  const at = (name: string) => anil![Object.keys(header!)[names.indexOf(name)]!]
  const cell = (name: string) => {
    const { type, value } = at(name) ?? {}
    return [type, name.endsWith('(IST)') ? rounded(value) : value]
  }
  for (const [name, type, value] of [
    ['Name', 'inlineStr', 'Anil'],
    ['Phone', 'inlineStr', '+919820000001'],
    ['Tags', 'inlineStr', 'vip; "a;b"'],
    ['Deal value', 'n', '200000.5'],
    ['Owner', 'inlineStr', bela.email],
    ['Call again (IST)', 'n', serial(46_349, 10)],
    ['Last call (IST)', 'n', serial(46_347, 10.5)],
    ['Last call outcome', 'inlineStr', 'Completed'],
    ['Call attempts', 'n', '1'],
    ['Enquired again (IST)', 'n', serial(46_347, 11.5)],
    ['Lost reason', undefined, undefined],
    ['Closed (IST)', undefined, undefined],
    ['Expected closing', 'n', '46371'],
  ] as const)
    assert.deepEqual(cell(name), [type, value], name)
  assert.match(at('Created (IST)')!.format, /yyyy/)
})

test('a file has the chosen columns, in their order', async () => {
  const columns = '&columns=name&columns=last_call&columns=answer:Which&columns=deal_value&columns=lost_reason'
  assert.equal(
    await file(admin, 'csv', `?sort=name${columns}`),
    '\uFEFFName,Last call (IST),Which,Deal value,Lost reason\r\n'.replace('\uFEFF', '') +
      "'=Bina(),,,300000,\r\n" +
      `Anil,2026-11-21 10:30:00,${`High ${'up '.repeat(150)}`.trim()},200000.5,\r\n` +
      'Chitra,,,,Too expensive\r\n',
  )
  assert.equal(
    await file(admin, 'csv', '?sort=name&columns=name&columns=closed&columns=expected_close'),
    "Name,Closed (IST),Expected closing\r\n'=Bina(),,\r\nAnil,,2026-12-15\r\nChitra,2026-11-21 11:30:00,\r\n",
  )
  const { Leads = [] } = await readSheets(await file(admin, 'xlsx', '?search=chitra&columns=lost_reason&columns=phone'))
  assert.deepEqual(
    Leads.map((row) => Object.values(row).map(({ value }) => value)),
    [
      ['Lost reason', 'Phone'],
      ['Too expensive', '98200 00003'],
    ],
  )
})

test('a file has the filters and the order of the list', async () => {
  assert.deepEqual(await namesIn(admin), ['Chitra', '=Bina()', 'Anil'])
  assert.deepEqual(await namesIn(admin, '?reverse=true'), ['Anil', '=Bina()', 'Chitra'])
  assert.deepEqual(await namesIn(admin, '?sort=value'), ['=Bina()', 'Anil', 'Chitra'])
  assert.deepEqual(await namesIn(admin, '?sort=value&reverse=true'), ['Chitra', 'Anil', '=Bina()'])
  assert.deepEqual(await namesIn(admin, '?sort=name&status=Lost'), ['Chitra'])
  assert.deepEqual(await namesIn(admin, '?sort=closed&status=Lost'), ['Chitra'])
  assert.deepEqual(await namesIn(admin, '?sort=name&city=Nowhere'), [])
})

test('a file has only leads that the user sees, in every order', async () => {
  await mayExport('Agent')
  for (const query of ['', '?sort=name', '?sort=updated&columns=name'])
    for (const browser of [agent, manager]) assert.deepEqual((await namesIn(browser, query)).sort(), ['Anil', 'Chitra'])
  assert.deepEqual(await namesIn(stranger, '?sort=name'), [])
  const all = { ids: Object.values(ids), sort: 'name' }
  const { body } = await agent.send('POST', '/web/leads.xlsx', all)
  assert.deepEqual(
    (await readTable(body)).map(({ Name }) => Name),
    ['Anil', 'Chitra'],
  )
})

test('chosen leads are exported with the columns and in the order of the list', async () => {
  const chosen = { ids: [ids.Chitra, ids['=Bina()']], sort: 'value', columns: ['name', 'phone'] }
  const { status, body } = await admin.send('POST', '/web/leads.xlsx', chosen)
  assert.equal(status, 200)
  assert.deepEqual(await readTable(body), [
    { Name: '=Bina()', Phone: '98200 00002' },
    { Name: 'Chitra', Phone: '98200 00003' },
  ])
  const [entry] =
    await app.owner`select details from audit_log where action = 'leads.exported' order by id desc limit 1`
  assert.equal(entry!.details.chosen, 2)
})

test('a user who may not export gets no file of either format, and nothing is recorded', async () => {
  await mayExport('Manager')
  const before = await world(app.owner)
  for (const format of ['csv', 'xlsx'])
    for (const answer of [
      await agent.send('GET', `/web/leads.${format}`),
      await agent.send('GET', `/web/leads.${format}?sort=name&columns=name`),
      await agent.send('POST', `/web/leads.${format}`, { ids: [ids.Anil] }),
    ]) {
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'PERMISSION_DENIED'])
      assert.equal(answer.headers.get('content-disposition'), null)
    }
  assert.deepEqual(await world(app.owner), before)
})

test('columns that do not exist or are too many are rejected, and nothing is recorded', async () => {
  const before = await world(app.owner)
  const questions = Array.from({ length: 6 }, (_, at) => `columns=answer:${at}`).join('&')
  for (const query of ['columns=secret', 'columns=name&columns=Name', questions, `${questions}&sort=name`]) {
    const { status, body } = await admin.send('GET', `/web/leads.xlsx?${query}`)
    assert.deepEqual([status, body.error?.field], [400, 'columns'], query)
  }
  for (const columns of [['secret'], []]) {
    const { status, body } = await admin.send('POST', '/web/leads.csv', { ids: [ids.Anil], columns })
    assert.deepEqual([status, body.error?.field], [400, 'columns'])
  }
  assert.deepEqual(await world(app.owner), before)
})

test('a workbook in Hindi has Hindi names and values', async () => {
  await admin.send('PUT', '/web/me/language', { language: 'hi' })
  const sheets = await readSheets(await file(admin, 'xlsx', '?search=anil&columns=status&columns=last_call'))
  await admin.send('PUT', '/web/me/language', { language: 'en' })
  assert.deepEqual(Object.keys(sheets), ['लीड'])
  assert.deepEqual(
    sheets.लीड!.map(({ A }) => A!.value),
    ['स्थिति', 'नई'],
  )
})

for (const format of ['csv', 'xlsx'])
  test(`an exported ${format} file comes back whole in another account`, async () => {
    const exported = await file(admin, format, '?sort=name')
    const type = format === 'csv' ? 'text/csv' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    await app.owner`delete from leads where account_id = ${zoya.actor.account_id}`
    const answer = await stranger.send('POST', `/web/leads/import?name=leads.${format}`, exported, {
      'content-type': type,
    })
    assert.equal(answer.status, 200)
    const stored = (account: string) => app.owner`
      select name, phone, tags, deal_value, notes, city, status, lost_reason, call_again_at, created_at,
        (select jsonb_agg(answers) from enquiries where lead_id = leads.id) as answers
      from leads where account_id = ${account} order by name`
    const [first, second] = [await stored(acme.account_id), await stored(zoya.actor.account_id)]
    // The other account has no such owners, which become answers.
    const withoutAnswers = (rows: typeof first) =>
      rows.map(({ answers, phone, ...others }) => ({ ...others, phone: phone.replace(/^\+91|\D/g, '') }))
    assert.deepEqual(withoutAnswers(second), withoutAnswers(first))
    assert.match(JSON.stringify(second), /Which floor/)
    assert.doesNotMatch(
      JSON.stringify(second.map(({ answers }) => answers)),
      /Last call|Call attempts|Enquired again|Closed|Expected/,
    )
    assert.equal((await auditOf(app.owner, ids.Anil!)).length > 0, true)
  })
