import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, timelineOf, world } from '#test/records.ts'
import { workbookOfXml } from '#test/workbook.ts'

const app = await testApp()
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent] = await Promise.all([asha, meena, bela].map((person) => signedIn(app, person)))

const send = (browser: typeof admin, file: string | Uint8Array, query = '') =>
  browser!.send('POST', `/web/leads/import${query}`, file, { 'content-type': 'text/csv' })

interface News {
  type: string
  line: number
  reason: string
  created: number
  merged: number
  rejected: number
  message: string
}

async function imported(browser: typeof admin, file: string | Uint8Array, query = ''): Promise<News[]> {
  const { status, headers, body } = await send(browser, file, query)
  assert.equal(status, 200, JSON.stringify(body))
  assert.match(headers.get('content-type')!, /^application\/x-ndjson/)
  return String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const lead = async (phone: string) => {
  const [row] =
    await app.owner`select leads.*, users.email as owner from leads left join users on users.id = assigned_to
    where phone_key = ${phone}`
  return row
}

const file = `Customer Name;Mobile No.;E-mail;City;Remarks;Ref;Status;Owner
Asha Rao;98200 00001;asha@example.com;Pune;"3 BHK; ""corner""
second floor";H-1;qualified;${'BELA'}
Vikram Shah;9820000002;;Nagpur;;H-2;Sold;unknown@example.com
No Contact;;;Pune;call me;H-3;;
Bad Phone;12;broken@;Pune;;H-4;;
Asha R.;+91 98200 00001;asha.r@example.com;Mumbai;Called again;H-5;;
`.replace('BELA', bela.email)

test('a dry run returns the columns, the first rows and the rejected rows, and changes nothing', async () => {
  const before = await world(app.owner)
  const { status, body } = await send(admin, file, '?dry_run=true')
  assert.equal(status, 200, JSON.stringify(body))
  const { data } = body
  const fields = Object.fromEntries(data.columns.map(({ name, field }: Record<string, string>) => [name, field]))
  assert.deepEqual(fields, {
    'Customer Name': 'name',
    'Mobile No.': 'phone',
    'E-mail': 'email',
    City: 'city',
    Remarks: 'notes',
    Ref: 'answer',
    Status: 'status',
    Owner: 'assigned_to',
  })
  assert.deepEqual([data.rows, data.created, data.merged, data.rejected], [5, 2, 1, 2])
  assert.equal(data.first_rows[0].line, 2)
  assert.equal(data.first_rows[0].cells[1], '98200 00001')
  assert.deepEqual(data.first_rows[0].lead, {
    name: 'Asha Rao',
    phone: '98200 00001',
    email: 'asha@example.com',
    city: 'Pune',
    status: 'Qualified',
    notes: '3 BHK; "corner"\nsecond floor',
    assigned_to: bela.email,
  })
  assert.deepEqual(
    data.rejected_rows.map(({ line }: News) => line),
    [5, 6],
  )
  assert.match(data.rejected_rows[0].reason, /no phone and no email/)
  assert.match(data.rejected_rows[1].reason, /“(12|broken@)” is not a valid/)
  assert.deepEqual(await world(app.owner), before)
})

test('only the first 200 rejected rows are listed, and none of them counts as one with warnings', async () => {
  const rows = Array.from({ length: 205 }, (_, index) => `Nobody ${index},12`)
  const { body } = await send(admin, ['Name,Phone', ...rows, ''].join('\n'), '?dry_run=true')
  const { data } = body
  assert.deepEqual([data.rows, data.rejected, data.rejected_rows.length, data.warned], [205, 205, 200, 0])
  assert.deepEqual(data.warnings, [])
})

test('an import makes each person one lead and names each rejected row', async () => {
  const news = await imported(admin, file)
  assert.deepEqual(news.at(-1), { type: 'done', read: 5, created: 2, merged: 1, rejected: 2, calls: 0 })
  assert.deepEqual(
    news.filter(({ type }) => type === 'rejected').map(({ line }) => line),
    [5, 6],
  )
  const first = (await lead('+919820000001'))!
  assert.deepEqual(
    [first.name, first.city, first.email, first.status, first.owner, first.source],
    ['Asha Rao', 'Pune', 'asha@example.com', 'Qualified', bela.email, 'CSV import'],
  )
  assert.match(first.notes, /Called again/)
  const entries = await timelineOf(app.owner, first.id)
  assert.match(entries[0]!.summary, /^Created through an import by Asha\./)
  assert.match(entries[1]!.summary, /Not taken: .*city/)
  const second = (await lead('+919820000002'))!
  assert.deepEqual([second.status, second.owner], ['New', asha.email])
  await assertCountsHold(app.owner)
  assert.equal((await app.owner`select from audit_log where action = 'leads.imported'`).length, 1)
})

test('importing the same file again creates no lead', async () => {
  const [{ n }] = (await app.owner`select count(*)::int as n from leads`) as unknown as [{ n: number }]
  assert.deepEqual((await imported(admin, file)).at(-1), {
    type: 'done',
    read: 5,
    created: 0,
    merged: 3,
    rejected: 2,
    calls: 0,
  })
  assert.equal((await app.owner`select from leads`).length, n)
  const { data } = (await send(manager, file, '?dry_run=true')).body
  assert.deepEqual([data.created, data.merged, data.rejected], [0, 3, 2])
})

test('columns mapped by hand and a given source are used', async () => {
  const columns = encodeURIComponent(JSON.stringify({ a: 'name', b: 'phone', c: 'company' }))
  const news = await imported(manager, 'a,b,c\nMeera,9820000010,Acme\n', `?columns=${columns}&source=Fair%202026`)
  assert.equal(news.at(-1)!.created, 1)
  const row = (await lead('+919820000010'))!
  assert.deepEqual([row.name, row.company, row.source, row.owner], ['Meera', 'Acme', 'Fair 2026', meena.email])
})

test('a Manager neither assigns leads to users outside the team nor changes leads outside it', async () => {
  await asha.send('POST', '/api/v1/leads', { name: 'Hidden', phone: '9820000020', assigned_to: chand.email })
  const news = await imported(
    manager,
    `name,phone,city,assigned_to\nX,9820000020,Delhi,\nY,9820000021,,${chand.email}\n`,
  )
  assert.equal(news.at(-1)!.merged, 1)
  const hidden = (await lead('+919820000020'))!
  assert.deepEqual([hidden.name, hidden.city], ['Hidden', null])
  assert.equal((await lead('+919820000021'))!.owner, meena.email)
})

test('an exported file can be imported, formulas included', async () => {
  await asha.send('POST', '/api/v1/leads', {
    name: '=cmd()',
    phone: '+91 98200 00030',
    email: '+x@example.com',
    tags: ['a', 'b c'],
    deal_value: 1234.5,
    notes: 'one,\n"two"',
    company: '-',
    priority: 'High',
  })
  const { body: text } = await admin!.send('GET', '/web/leads.csv?search=%3Dcmd')
  const other = await signedIn(app, zoya)
  const news = await imported(other, text)
  assert.equal(news.at(-1)!.created, 1)
  const [row] = await app.owner`select * from leads where account_id = ${zoya.actor.account_id}`
  assert.deepEqual(
    [row!.name, row!.phone, row!.email, row!.tags, row!.deal_value, row!.notes, row!.company, row!.priority],
    ['=cmd()', '+91 98200 00030', '+x@example.com', ['a', 'b c'], '1234.50', 'one,\n"two"', '-', 'High'],
  )
})

test('leads that are exported and imported again keep when they were created, and their tags', async () => {
  const tags = ['a, b', 'c; d', 'say "hi"', '"', 'plain']
  const cell = `"a, b"; "c; d"; "say ""hi"""; """"; plain`.replaceAll('"', '""')
  const dates = '2024-03-01 00:15:30,2024-03-01 05:30:01'
  await imported(admin, `Name,Phone,Tags,Created (IST),Updated (IST)\nRound trip,9820000060,"${cell}",${dates}\n`)
  const { body: text } = await admin!.send('GET', '/web/leads.csv?search=Round%20trip')
  const other = await signedIn(app, zoya)
  assert.equal((await imported(other, text)).at(-1)!.created, 1)
  const rows = await app.owner`select tags, created_at from leads where name = 'Round trip'`
  assert.equal(rows.length, 2)
  for (const row of rows) {
    assert.deepEqual([row.tags, row.created_at.toISOString()], [tags, '2024-02-29T18:45:30.000Z'])
  }
})

test('times are in the zone that the name of their column states', async () => {
  for (const [at, [name, cell, instant]] of [
    ['Created (IST)', '2025-01-02 10:00:00', '2025-01-02T04:30:00.000Z'],
    ['Created At (UTC)', '02/01/2025 10:00 AM', '2025-01-02T10:00:00.000Z'],
    ['created_at_utc', '2025-01-02 10:00', '2025-01-02T10:00:00.000Z'],
    ['Created Time (GMT+05:45)', '2025-01-02 10:00', '2025-01-02T04:15:00.000Z'],
    ['Lead date (UTC)', '2025-01-02T10:00:00+05:30', '2025-01-02T04:30:00.000Z'],
    ['Created (IST)', '2025-01-02', '2025-01-01T18:30:00.000Z'],
  ].entries()) {
    await imported(admin, `Name,Phone,${name}\nA,982000009${at},${cell}\n`)
    assert.equal((await lead(`+91982000009${at}`))!.created_at.toISOString(), instant, `${name}: ${cell}`)
  }
})

test('a budget that is no amount is kept as an answer', async () => {
  const budgets = ['50-60 lakh', '50L to 60L', 'below 20k', '₹1,25,000']
  const rows = budgets.map((budget, n) => `A,${9_820_000_070 + n},"${budget}",x\n`)
  const { data } = (await send(admin, `Name,Phone,Budget,Notes\n${rows.join('')}`, '?dry_run=true')).body
  const leads = data.first_rows.map(({ lead }: { lead: Record<string, unknown> }) => [lead.deal_value, lead.notes])
  assert.deepEqual(leads, [...budgets.slice(0, 3).map(() => [undefined, 'x']), [125_000, 'x']])
  const [group] = data.warnings
  assert.deepEqual(
    [group.kind, group.rows, group.examples[0]],
    ['deal_value', 3, { line: 2, text: '“50-60 lakh” is not an amount; it is kept as an answer' }],
  )
})

test('a stage of calling back is an open status', async () => {
  const stages = ['Call back', 'Callback scheduled', 'Call Later', 'call-back requested']
  const rows = stages.map((stage, n) => `A,${9_820_000_080 + n},${stage}\n`)
  const { data } = (await send(admin, `Name,Phone,Stage\n${rows.join('')}`, '?dry_run=true')).body
  assert.deepEqual(
    data.first_rows.map(({ lead }: { lead: Record<string, unknown> }) => [lead.status, lead.notes]),
    stages.map(() => ['Contacted', undefined]),
  )
})

test('an export in Hindi comes back whole', async () => {
  await imported(
    admin,
    `Name,Phone,Email,Company,City,Source,Status,Priority,Tags,Deal value,Notes,Owner,Other contacts,Created,Product,Do not call,Floor
हिंदी वापसी,9820000061,h@example.com,राव,पुणे,मेला,Won,High,vip,125000,शाम को,${bela.email},022 2673 1234,2024-03-01 00:15:30,3 BHK,DND,2
हिंदी दूसरी,9820000062,,,,,Lost,Low,,,,,,,,,\n`,
  )
  const speak = (language: string) => admin!.send('PUT', '/web/me/language', { language })
  await speak('hi')
  const { body: text } = await admin!.send('GET', `/web/leads.csv?search=${encodeURIComponent('हिंदी')}`)
  await speak('en')
  assert.match(text, /^\ufeff?नाम,फ़ोन,ईमेल,कंपनी,शहर,स्रोत,स्थिति,प्राथमिकता,टैग,सौदे की रकम,नोट्स,ज़िम्मेदार,अन्य संपर्क,/)
  assert.match(text, /सौदा हुआ,ज़्यादा,vip/)
  const other = await signedIn(app, zoya)
  const { data } = (await send(other, text, '?dry_run=true')).body
  assert.deepEqual(
    data.columns.filter(({ field }: { field: string }) => field === 'ignore' || field === 'answer'),
    [
      { name: 'Id', field: 'ignore', reason: 'Written by programs, not by the person' },
      ...[
        ...['आख़िरी कॉल (IST)', 'आख़िरी कॉल का नतीजा', 'कॉल की कोशिशें', 'फिर पूछताछ की (IST)'],
        ...['बंद हुई (IST)', 'सौदे की संभावित तारीख़'],
      ].map((name) => ({ name, field: 'ignore', reason: 'Column name matches' })),
    ],
  )
  await imported(other, text)
  const [columns, enquiry] = [
    'name, phone, email, company, city, source, status, priority, tags, deal_value, notes, created_at, product',
    'answers, consent, origin',
  ].map((names) => app.owner.unsafe(names))
  const stored = (player: typeof asha) => app.owner`
    select ${columns!}, (select array_agg(value) from lead_contacts where lead_id = leads.id) as contacts,
      (select jsonb_agg(to_jsonb(one)) from (select ${enquiry!} from enquiries where lead_id = leads.id) as one) as enquiries
    from leads where account_id = ${player.actor.account_id} and name like 'हिंदी%' order by name`
  const [first, second] = [await stored(asha), await stored(zoya)]
  assert.equal(first.length, 2)
  // The other account does not have the owners.
  const owner = { question: 'ज़िम्मेदार', answer: asha.email }
  const enquired = { origin: {}, consent: null, answers: [owner] }
  const [{ answers, ...more }] = first[1]!.enquiries
  assert.deepEqual(
    [...second],
    [
      { ...first[0], enquiries: [enquired] },
      { ...first[1], enquiries: [{ ...more, answers: [{ ...owner, answer: bela.email }, ...answers] }] },
    ],
  )
})

test('every encoding that Excel saves is read', async () => {
  const text = 'Name\tPhone\r\nZoë\t9820000040\r\n'
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  assert.equal((await imported(admin, wide)).at(-1)!.created, 1)
  assert.equal((await lead('+919820000040'))!.name, 'Zoë')
  assert.equal((await imported(admin, Buffer.from('Name,Phone\nRen\xe9,9820000041', 'latin1'))).at(-1)!.created, 1)
  assert.equal((await lead('+919820000041'))!.name, 'René')
})

test('an import by an Agent or of an invalid file is rejected', async () => {
  const before = await world(app.owner)
  const rejected = [
    [agent, file, '', 403, undefined],
    [agent, file, '?dry_run=true', 403, undefined],
    [admin, '', '', 400, undefined],
    [admin, 'Name,Phone\n', '', 400, undefined],
    [admin, file, '?columns=x', 400, 'columns'],
    [admin, file, '?columns=%7B%22Nowhere%22%3A%22name%22%7D', 400, 'columns'],
    [admin, file, '?columns=%7B%22City%22%3A%22id%22%7D', 400, 'columns'],
    [admin, file, '?dry_run=perhaps', 400, 'dry_run'],
    [manager, 'x'.repeat(20 * 1024 * 1024 + 1), '', 413, undefined],
  ] as const
  for (const [browser, text, query, status, field] of rejected) {
    const answer = await send(browser, text, query)
    assert.deepEqual([answer.status, answer.body.error.field], [status, field], JSON.stringify(answer.body))
  }
  assert.deepEqual(await world(app.owner), before)
})

test('columns can be many, and have the names of object properties', async () => {
  const names = ['Constructor', '__proto__', 'toString', 'hasOwnProperty', 'Phone']
  const { status, body } = await send(admin, `${names.join()}\na,b,c,d,98220 00001\n`, '?dry_run=true')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.data.created, body.data.columns.map(({ name }: { name: string }) => name)], [1, names])
  const columns = encodeURIComponent('{"__proto__":"company","toString":"city","Phone":"phone"}')
  const { body: byHand } = await send(
    admin,
    `${names.join()}\na,b,c,d,98220 00001\n`,
    `?dry_run=true&columns=${columns}`,
  )
  assert.deepEqual([byHand.data.first_rows[0].lead.company, byHand.data.first_rows[0].lead.city], ['b', 'c'])
})

test('a file that cannot be read is rejected with its line, and nothing is imported', async () => {
  const before = await world(app.owner)
  for (const [sent, message] of [
    [`Name,Phone\n${','.repeat(1_000_000)}`, /^Line 2 has 1,000,001 cells/],
    [`Name,Phone\nAsha,"98220 00002\n`, /^A quote that opens on line 2/],
    ['\r'.repeat(2_000_000), /^The file holds no leads/],
    [`${'x,'.repeat(300)}\n1`, /at most 200 columns/],
  ] as const) {
    const { status, body } = await send(admin, sent)
    assert.equal(status, 400)
    assert.match(body.error.message, message)
  }
  assert.deepEqual(await world(app.owner), before)
})

test('an account can have two files read at the same time', async () => {
  const many = `Name,Phone\n${Array.from({ length: 5000 }, (_, n) => `A,${9_830_000_000 + n}\n`).join('')}`
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(admin, many, '?dry_run=true')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 503, 503])
  const [{ status }] = await Promise.all([send(admin, many, '?dry_run=true')])
  assert.equal(status, 200)
})

test('an Admin keeps times and calls, and a Manager does not', async () => {
  const text = 'Name,Phone,Created On,Call time,Call duration\nOld,9820000050,31/12/2024,01/01/2025 10:00,60\n'
  const { data } = (await send(manager, text, '?dry_run=true')).body
  assert.deepEqual(
    data.columns.map(({ field }: { field: string }) => field),
    ['name', 'phone', 'ignore', 'ignore', 'ignore'],
  )
  const before = await world(app.owner)
  const columns = encodeURIComponent(JSON.stringify({ Phone: 'phone', 'Created On': 'created_at' }))
  assert.equal((await send(manager, text, `?columns=${columns}`)).status, 403)
  assert.deepEqual(await world(app.owner), before)
  const done = (await imported(admin, text)).at(-1)!
  assert.deepEqual(done, { type: 'done', read: 1, created: 1, merged: 0, rejected: 0, calls: 1 })
  assert.equal((await lead('+919820000050'))!.created_at.toISOString(), '2024-12-30T18:30:00.000Z')
  await assertCountsHold(app.owner)
})

test('a phone that lost digits is named, and merges into nobody', async () => {
  const lost = ['9.82E+09', '9,82E+09', '9.1982E+11', '98******10', '98xxxxxx10', '98200 000..', '########']
  const rows = lost.flatMap((phone, at) => [
    `Person ${at},"${phone}",lost${at}@example.com`,
    `Nobody ${at},"${phone}",`,
  ])
  const text = ['Name,Phone,Email', ...rows, ''].join('\n')
  const { data } = (await send(admin, text, '?dry_run=true')).body
  assert.deepEqual([data.created, data.merged, data.rejected, data.warned], [7, 0, 7, 7])
  assert.equal(data.warnings[0].examples[0].text, '“9.82E+09” has lost digits; it is kept in the notes')
  assert.equal(data.rejected_rows[0].reason, '“9.82E+09” has lost digits, and it has no other contact.')
  assert.deepEqual(data.shared_contacts, [])
  const news = await imported(admin, text)
  const { created, merged, rejected } = news.at(-1)!
  assert.deepEqual([created, merged, rejected], [7, 0, 7])
  assert.equal(news.filter(({ type }) => type === 'warned').length, 7)
  const stored = await app.owner`select phone, notes from leads where email like 'lost%' order by email`
  assert.deepEqual(
    stored.map((one) => ({ ...one })),
    lost.map((phone) => ({ phone: null, notes: `Phone as sent: ${phone}` })),
  )
})

test('a preview and the result name the contacts that rows with different names share', async () => {
  const sheet = (rows: string[]) => `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`
  const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
  const text = (value: string) => `<c t="str"><v>${value}</v></c>`
  const number = (value: string) => `<c><v>${value}</v></c>`
  const workbook = workbookOfXml(
    sheet([
      row(text('Name'), text('Phone'), text('Email')),
      // Rounded by a spreadsheet, and in its notation: 30 people.
      ...Array.from({ length: 30 }, (_, at) =>
        row(text(`Buyer ${at}`), number('9.83E9'), text(`buyer${at}@example.com`)),
      ),
      // With all of their digits.
      row(text('Whole'), number('9.830000001E9'), text('info@example.com')),
      row(text('Other'), number('9.19830000002E11'), text('INFO@example.com')),
      // One person twice, and one without a name.
      row(text('Asha  Rao'), number('9830000003'), text('')),
      row(text('asha rao'), number('919830000003'), text('')),
      row(text(''), text('+91 98300 00003'), text('')),
    ]),
  )
  const expected = [
    { contact: '+919830000000', rows: 30, lines: [2, 3, 4, 5, 6] },
    { contact: 'info@example.com', rows: 2, lines: [32, 33] },
  ]
  const { data } = (await send(admin, workbook, '?dry_run=true')).body
  assert.deepEqual(data.shared_contacts, expected)
  const news = await imported(admin, workbook)
  const shared = news.filter(({ type }) => type === 'shared').map(({ type: _, ...one }) => one)
  assert.deepEqual(shared, expected)
  assert.equal(news.at(-1)!.type, 'done')
})

const leadsOf = async (browser: typeof admin, id: string, query = '') => {
  const { status, body } = await browser!.send('GET', `/web/leads?import=${id}${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('the list has all leads of an import, of all time, created and merged, as far as the user sees them', async () => {
  await asha.send('POST', '/api/v1/leads', { name: 'Known', phone: '9820000110', assigned_to: bela.email })
  const rows = [
    ['Old', '9820000111', '2019-03-01', chand.email],
    ['New', '9820000112', '', bela.email],
    ['Known', '9820000110', '', ''],
    ['Old again', '9820000111', '', ''],
  ]
  const text = ['Name,Phone,Created on,Owner', ...rows.map((row) => row.join()), ''].join('\n')
  const [started] = await imported(admin, text, '?file=all.csv')
  const { id } = started as unknown as { id: string }
  const names = (page: Awaited<ReturnType<typeof leadsOf>>) =>
    page.data.map(({ name }: { name: string }) => name).sort()
  const all = await leadsOf(admin, id)
  assert.deepEqual([names(all), all.pagination.total], [['Known', 'New', 'Old'], 3])
  assert.deepEqual(names(await leadsOf(admin, id, '&sort=name&status=New&limit=2')), ['Known', 'New'])
  assert.deepEqual(names(await leadsOf(admin, id, '&from_date=2019-01-01&to_date=2019-12-31')), ['Old'])
  assert.deepEqual(names(await leadsOf(manager, id)), ['Known', 'New'])
  assert.deepEqual(names(await leadsOf(await signedIn(app, zoya), id)), [])
  const exported = String((await admin!.send('GET', `/web/leads.csv?import=${id}`)).body)
  assert.equal(exported.trim().split('\r\n').length, 4)
  assert.equal((await admin!.send('GET', '/web/leads?import=x')).status, 400)
  const imports = async (browser: typeof admin) => (await browser!.send('GET', '/web/leads/choices')).body.data.imports
  assert.deepEqual((await imports(admin))[0].file, 'all.csv')
  assert.ok((await imports(manager)).every((one: { id: string }) => one.id !== id))
  assert.deepEqual(await imports(agent), [])
})

test('tags are added to the leads of all rows, and the owner gets those whose row names none', async () => {
  await asha.send('POST', '/api/v1/leads', {
    name: 'Kept',
    phone: '9820000120',
    assigned_to: bela.email,
    tags: ['Old'],
  })
  const rows = `Kept,9820000120,,\nOwn,9820000121,${meena.email},Fair\nNone,9820000122,,`
  const query = `?owner=${chand.email}&tags=Expo&tags=fair`
  await imported(admin, `Name,Phone,Owner,Tags\n${rows}\n`, query)
  const leads = await Promise.all(['0', '1', '2'].map((n) => lead(`+91982000012${n}`)))
  assert.deepEqual(
    leads.map((one) => [one!.owner, one!.tags]),
    [
      [bela.email, ['Old', 'Expo', 'fair']],
      [meena.email, ['Fair', 'Expo']],
      [chand.email, ['Expo', 'fair']],
    ],
  )
  const before = await world(app.owner)
  for (const [browser, wrong, field] of [
    [manager, `owner=${chand.email}`, 'owner'],
    [admin, 'owner=nobody@example.com', 'owner'],
    [admin, `tags=${'x'.repeat(101)}`, 'tags'],
    [admin, Array.from({ length: 51 }, (_, n) => `tags=${n}`).join('&'), 'tags'],
  ] as const) {
    const answer = await send(browser, `Name,Phone\nA,9820000123\n`, `?${wrong}`)
    assert.deepEqual([answer.status, answer.body.error.field], [400, field])
  }
  assert.deepEqual(await world(app.owner), before)
})

test('a column that the user maps otherwise leaves the reasons of the others', async () => {
  const text = 'Customer name,Mobile no.,Town,Tower\nAsha,9820000130,Pune,T-1\n'
  const reasons = async (query: string) => {
    const { data } = (await send(admin, text, `?dry_run=true${query}`)).body
    return data.columns.map(({ reason }: { reason: string }) => reason)
  }
  const automatic = await reasons('')
  const columns = { 'Customer name': 'name', 'Mobile no.': 'phone', Town: 'company' }
  const changed = await reasons(`&others=answer&columns=${encodeURIComponent(JSON.stringify(columns))}`)
  assert.deepEqual(changed, [automatic[0], automatic[1], 'Mapped manually', automatic[3]])
})
