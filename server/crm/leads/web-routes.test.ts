import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, auditOf, timelineOf, world } from '#test/records.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const cast = await people(app)
// Visibility decides here, not the role.
await app.owner`update accounts set lowest_role_to_delete = 'Agent', lowest_role_to_export = 'Agent'`
const { asha, meena, bela, chand } = cast
const [admin, manager, agent, otherAgent, stranger] = await Promise.all(
  [asha, meena, bela, chand, cast.zoya].map((person) => signedIn(app, person)),
)
type Browser = NonNullable<typeof admin>
const as = { admin: admin!, manager: manager!, agent: agent!, otherAgent: otherAgent!, stranger: stranger! }

/** Ids of leads by name. */
const ids: Record<string, string> = {}

async function add(name: string, more: object) {
  const { status, body } = await asha.send('POST', '/api/v1/leads', { name, ...more })
  assert.equal(status, 201, JSON.stringify(body))
  ids[name] = body.data.id
  return body.data
}

before(async () => {
  now = new Date('2026-06-01T05:00:00Z')
  await add('Old Rao', { phone: '+91 98200 00001', assigned_to: bela.email, source: 'Fair' })
  now = new Date('2026-11-20T05:00:00Z')
  await add('Asha Kumari Rao', { phone: '98200 00002', email: 'asha.rao@example.com', assigned_to: bela.email })
  await add('Vikram Shah', { phone: '98200 00003', assigned_to: chand.email, status: 'Won' })
  now = new Date('2026-11-21T05:00:00Z')
  await add('Étienne Weil', {
    email: 'etienne@example.fr',
    assigned_to: meena.email,
    priority: 'High',
    company: 'Weil & Fils Pune',
    city: 'Navi Mumbai',
    tags: ['Site Visit', '3BHK'],
  })
  await add('=2+3', {
    email: 'formula@example.com',
    assigned_to: chand.email,
    notes: 'one, "two"\nthree',
    deal_value: 125000,
  })
  await cast.zoya.send('POST', '/api/v1/leads', { name: 'Asha Elsewhere', phone: '9820000002' })
})

async function names(browser: Browser, query: string): Promise<string[]> {
  const { status, body } = await browser.send('GET', `/web/leads?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.pagination.total, body.data.length)
  return body.data.map((lead: { name: string }) => lead.name)
}

/** Checks that the request is rejected and changes nothing. */
async function rejected(browser: Browser, method: string, path: string, body: unknown, status: number, field?: string) {
  const before = await world(app.owner)
  const answer = await browser.send(method, path, body)
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  assert.equal(answer.body.error.field, field)
  assert.deepEqual(await world(app.owner), before)
  return answer.body.error.message as string
}

test('a search finds beginnings of words of a name, company, city or tag, of a phone in every spelling, and of an email', async () => {
  for (const [search, found] of [
    ['rao', ['Asha Kumari Rao', 'Old Rao']],
    ['RAO asha', ['Asha Kumari Rao']],
    ['kum', ['Asha Kumari Rao']],
    ['ao', []],
    ['98200 0000', ['Vikram Shah', 'Asha Kumari Rao', 'Old Rao']],
    ['+91 98200 00003', ['Vikram Shah']],
    ['098200-00003', ['Vikram Shah']],
    ['00919820000003', ['Vikram Shah']],
    ['asha.r', ['Asha Kumari Rao']],
    ['ETIENNE@', ['Étienne Weil']],
    ...[
      '0003',
      '00003',
      '200 00003',
      '820000003',
      '9820000003',
      '09820000003',
      '919820000003',
      '(+91) 98200 00003',
    ].map((digits): [string, string[]] => [digits, ['Vikram Shah']]),
    ['003', []],
    ['+0003', []],
    ['fils', ['Étienne Weil']],
    ['mumb', ['Étienne Weil']],
    ['ÉTIENNE mumbai visit', ['Étienne Weil']],
    ['3bh', ['Étienne Weil']],
    ['asha mumbai', []],
    ['%', []],
    ['_sha', []],
    ["' or 1=1", []],
  ] as [string, string[]][]) {
    const listed = await names(as.admin, `search=${encodeURIComponent(search)}`)
    assert.deepEqual(listed.sort(), found.sort(), search)
  }
})

test('a search without dates covers all leads', async () => {
  assert.deepEqual(await names(as.admin, 'search=old'), ['Old Rao'])
  assert.deepEqual(await names(as.admin, 'search=rao&from_date=2026-11-01'), ['Asha Kumari Rao'])
})

test('each role finds the leads it may see, and another account finds none', async () => {
  assert.deepEqual((await names(as.manager, 'search=asha')).sort(), ['Asha Kumari Rao'])
  assert.deepEqual(await names(as.otherAgent, 'search=asha'), [])
  assert.deepEqual(await names(as.stranger, 'search=asha'), ['Asha Elsewhere'])
  assert.deepEqual((await names(as.agent, '')).sort(), ['Asha Kumari Rao'])
  assert.deepEqual(await names(as.agent, `assigned_to=${chand.email}`), [])
  assert.deepEqual(await names(as.agent, 'sort=name&from_date=2026-01-01'), ['Asha Kumari Rao', 'Old Rao'])
})

test('lists are sorted by name, last change or creation, filtered and paged', async () => {
  const byName = ['=2+3', 'Asha Kumari Rao', 'Étienne Weil', 'Old Rao', 'Vikram Shah']
  assert.deepEqual((await names(as.admin, 'sort=name&from_date=2026-01-01')).slice(0, 4), byName.slice(0, 4))
  const page = await as.admin.send('GET', '/web/leads?sort=name&from_date=2026-01-01&limit=2&offset=2')
  assert.deepEqual(page.body.pagination, { limit: 2, offset: 2, total: 5, total_capped: false, has_more: true })
  assert.deepEqual(
    page.body.data.map(({ name }: { name: string }) => name),
    ['Étienne Weil', 'Old Rao'],
  )
  assert.deepEqual(await names(as.admin, 'sort=updated&status=Won'), ['Vikram Shah'])
  assert.deepEqual(await names(as.admin, 'sort=name&priority=High'), ['Étienne Weil'])
  assert.deepEqual(await names(as.admin, 'sort=name&assigned_to=nobody@example.com'), [])
  assert.deepEqual(await names(as.admin, 'assigned_to=nobody@example.com'), [])
  await rejected(as.admin, 'GET', '/web/leads?sort=size', undefined, 400, 'sort')
})

test('a lead has its calls and timeline, newest first; a lead that is not visible answers 404', async () => {
  const path = `/web/leads/${ids['Vikram Shah']}`
  const call = { call_type: 'Outbound', duration_seconds: 60, notes: 'Asked for a visit' }
  assert.equal((await as.otherAgent.send('POST', `${path}/calls`, call)).status, 201)
  const { body } = await as.otherAgent.send('GET', path)
  assert.equal(body.data.assigned_to, chand.email)
  assert.equal(body.data.assigned_name, 'Chand')
  assert.equal(body.data.calls.total, 1)
  assert.equal(body.data.calls.calls[0].notes, 'Asked for a visit')
  assert.deepEqual(
    body.data.timeline.entries.map(({ kind }: { kind: string }) => kind),
    ['call_logged', 'created'],
  )
  const [newest, oldest] = body.data.timeline.entries
  assert.deepEqual([body.data.timeline.total, body.data.timeline.next], [2, null])
  const { id } = body.data.calls.calls[0]
  assert.deepEqual(
    [newest.call, oldest.call],
    [{ id, called_at: body.data.calls.calls[0].called_at, notes: call.notes, notes_cut: false }, undefined],
  )
  const first = await as.otherAgent.send('GET', `${path}/timeline?limit=1`)
  assert.deepEqual(first.body.data, { total: 2, entries: [newest], next: newest.id })
  const second = await as.otherAgent.send('GET', `${path}/timeline?limit=1&before=${newest.id}`)
  assert.deepEqual(second.body.data, { total: 2, entries: [oldest], next: null })
  const whole = await as.otherAgent.send('GET', `${path}/timeline/${oldest.id}`)
  assert.deepEqual(whole.body.data, oldest)
  for (const browser of [as.agent, as.manager, as.stranger]) {
    await rejected(browser, 'GET', path, undefined, 404)
    await rejected(browser, 'GET', `${path}/timeline`, undefined, 404)
    await rejected(browser, 'GET', `${path}/timeline/${oldest.id}`, undefined, 404)
    await rejected(browser, 'POST', `${path}/notes`, { text: 'Mine' }, 404)
    await rejected(browser, 'POST', `${path}/calls`, call, 404)
    await rejected(browser, 'PATCH', path, { status: 'Lost' }, 404)
    await rejected(browser, 'DELETE', path, undefined, 404)
  }
})

test('adding creates or merges a lead by the rules of the REST API, and says which', async () => {
  const made = await as.agent.send('POST', '/web/leads', { name: 'New One', phone: '98111 11111' })
  assert.deepEqual([made.status, made.body.data.outcome, made.body.data.assigned_to], [201, 'created', bela.email])
  assert.equal(made.body.data.source, 'Manual')
  const merged = await as.agent.send('POST', '/web/leads', { name: 'New One', phone: '+919811111111', city: 'Pune' })
  assert.deepEqual([merged.status, merged.body.data.outcome, merged.body.data.city], [200, 'merged', 'Pune'])
  assert.equal(merged.body.data.id, made.body.data.id)
  const [first, second] = await timelineOf(app.owner, made.body.data.id)
  assert.match(first!.summary, /^Created through the web app by Bela\./)
  assert.match(
    second!.summary,
    /^Merged through the web app by Bela, matched by phone\. Changed phone: 98111 11111 → \+919811111111, city: none → Pune\./,
  )
  const hidden = await as.agent.send('POST', '/web/leads', { name: 'V', phone: '9820000003', city: 'Delhi' })
  assert.deepEqual([hidden.status, hidden.body.data.hidden, hidden.body.data.name], [200, true, 'V'])
  assert.equal(hidden.body.data.owner, 'Chand')
  await rejected(as.agent, 'POST', '/web/leads', { name: 'V' }, 400, 'phone')
  await rejected(as.agent, 'POST', '/web/leads', { name: 'V', phone: '98', assigned_to: bela.email }, 400, 'phone')
  const other = { name: 'V', phone: '9811111112', assigned_to: chand.email }
  await rejected(as.agent, 'POST', '/web/leads', other, 400, 'assigned_to')
})

test('a match is named if the user may see it, else only said to be hidden', async () => {
  const ask = async (browser: Browser, contact: object) =>
    (await browser.send('POST', '/web/leads/match', contact)).body.data
  const seen = await ask(as.agent, { phone: '+91 98200 00002', email: 'someone@example.com' })
  assert.deepEqual([seen.match.id, seen.match.by, seen.hidden], [ids['Asha Kumari Rao'], 'phone', false])
  assert.match(seen.message, /Asha Kumari Rao/)
  const byEmail = await ask(as.admin, { email: 'ETIENNE@example.fr' })
  assert.deepEqual([byEmail.match.name, byEmail.match.by], ['Étienne Weil', 'email'])
  const hidden = await ask(as.agent, { phone: '9820000003' })
  assert.deepEqual([hidden.match, hidden.hidden], [null, true])
  assert.equal(hidden.message, 'This customer belongs to a colleague. Send adds your note to their lead.')
  assert.equal(hidden.owner, 'Chand')
  assert.doesNotMatch(JSON.stringify(hidden), /Vikram/)
  assert.equal((await as.admin.send('PATCH', '/web/account', { names_owner: false })).status, 200)
  const unnamed = await ask(as.agent, { phone: '9820000003' })
  assert.deepEqual(unnamed, { ...hidden, owner: null })
  assert.equal((await as.admin.send('PATCH', '/web/account', { names_owner: true })).status, 200)
  await app.owner`update leads set assigned_to = null where phone_key = '+919820000003'`
  const unassigned = await ask(as.agent, { phone: '9820000003' })
  const message = 'This customer’s lead is unassigned. Send adds your note to it, and an Admin assigns it.'
  assert.deepEqual(unassigned, { ...hidden, owner: null, message })
  const sent = await as.agent.send('POST', '/web/leads', { name: 'Walk-in', phone: '9820000003' })
  assert.deepEqual([sent.body.data.hidden, sent.body.data.owner, sent.body.data.is_unassigned], [true, null, true])
  await app.owner`update leads set assigned_to = ${cast.chand.id} where phone_key = '+919820000003'`
  assert.deepEqual(await ask(as.stranger, { email: 'etienne@example.fr' }), {
    match: null,
    hidden: false,
    owner: null,
    message: null,
  })
  assert.deepEqual(await ask(as.agent, {}), { match: null, hidden: false, owner: null, message: null })
})

test('a manual change replaces, empties and assigns; counts, calls and timeline follow', async () => {
  const { id } = await add('To Change', {
    phone: '98333 33331',
    city: 'Pune',
    company: 'Old Co',
    tags: ['a', 'b'],
    assigned_to: bela.email,
  })
  await as.agent.send('POST', `/web/leads/${id}/calls`, {
    call_type: 'Inbound',
    duration_seconds: 0,
    outcome: 'Missed',
  })
  now = new Date('2026-11-21T06:00:00Z')
  const change = {
    status: 'Qualified',
    priority: 'High',
    city: 'Nagpur',
    add_tags: ['b', 'c'],
    remove_tags: ['a'],
    deal_value: 1.005,
    company: null,
    assigned_to: meena.email,
  }
  const { status, body } = await as.manager.send('PATCH', `/web/leads/${id}`, change)
  assert.equal(status, 200, JSON.stringify(body))
  const { data, previous } = body
  assert.deepEqual(previous, {
    company: 'Old Co',
    city: 'Pune',
    status: 'New',
    priority: 'Medium',
    deal_value: null,
    assigned_to: bela.email,
    tags: ['a', 'b'],
  })
  assert.deepEqual([data.status, data.priority, data.city, data.company], ['Qualified', 'High', 'Nagpur', null])
  assert.deepEqual([data.tags, data.deal_value, data.assigned_to], [['b', 'c'], 1.01, meena.email])
  assert.equal(data.updated_at, '2026-11-21T06:00:00Z')
  const entries = await timelineOf(app.owner, id)
  const entry = entries.at(-1)!
  assert.equal(entry.kind, 'changed')
  assert.match(entry.summary, /^Meena changed /)
  assert.match(entry.summary, /tags: \+c −a/)
  const owner = entry.details.changes.find(({ field }: { field: string }) => field === 'assigned_to')
  assert.deepEqual(owner, { field: 'assigned_to', before: bela.email, after: meena.email })
  assert.ok(entries.every((one) => one.assigned_to === meena.id))
  assert.equal((await auditOf(app.owner, id)).at(-1)!.action, 'lead.changed')
  await assertCountsHold(app.owner)
  await rejected(as.agent, 'GET', `/web/leads/${id}`, undefined, 404)
  // What is the same already leaves no trace.
  const still = await world(app.owner)
  const same = await as.manager.send('PATCH', `/web/leads/${id}`, { city: 'Nagpur' })
  assert.deepEqual([same.status, same.body.previous], [200, {}])
  assert.deepEqual(await world(app.owner), still)
  now = new Date('2026-11-21T05:00:00Z')
})

test('a phone or email of another lead answers 400, which names the lead if the user may see it', async () => {
  const path = `/web/leads/${ids['Asha Kumari Rao']}`
  const hidden = await rejected(as.agent, 'PATCH', path, { phone: '9820000003' }, 400, 'phone')
  assert.match(hidden, /a colleague’s lead/)
  assert.match(await rejected(as.admin, 'PATCH', path, { phone: '9820000003' }, 400, 'phone'), /“Vikram Shah”/)
  assert.match(
    await rejected(as.manager, 'PATCH', path, { email: 'Etienne@example.fr' }, 400, 'email'),
    /“Étienne Weil”/,
  )
  const moved = await as.agent.send('PATCH', path, { phone: '98200 00099', email: '' })
  assert.deepEqual([moved.body.data.phone, moved.body.data.email], ['98200 00099', null])
  assert.equal((await asha.send('POST', '/api/v1/leads', { name: 'Again', phone: '9820000002' })).status, 201)
  assert.equal(
    (await asha.send('POST', '/api/v1/leads', { name: 'Asha Kumari Rao', phone: '+919820000099' })).body.data.id,
    ids['Asha Kumari Rao'],
  )
})

test('an invalid change answers 400', async () => {
  const path = `/web/leads/${ids['Vikram Shah']}`
  await rejected(as.otherAgent, 'PATCH', path, { phone: null }, 400, 'phone')
  await rejected(as.otherAgent, 'PATCH', path, { assigned_to: null }, 400, 'assigned_to')
  await rejected(as.otherAgent, 'PATCH', path, { phone: '12' }, 400, 'phone')
  await rejected(as.otherAgent, 'PATCH', path, { notes: 12 }, 400, 'notes')
  await rejected(as.otherAgent, 'PATCH', path, { assigned_to: bela.email }, 400, 'assigned_to')
  await rejected(as.otherAgent, 'PATCH', path, { status: 'won' }, 400, 'status')
  await rejected(as.otherAgent, 'PATCH', '/web/leads/12', { status: 'Won' }, 400, 'id')
  const left = await as.admin.send('PATCH', path, { assigned_to: null })
  assert.equal(left.body.data.assigned_to, null)
  assert.equal((await as.admin.send('PATCH', path, { assigned_to: chand.email })).status, 200)
  await assertCountsHold(app.owner)
})

test('simultaneous changes and merges of one lead lose nothing', async () => {
  const { id } = await add('Busy One', { phone: '98444 44441' })
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) =>
      as.admin.send('PATCH', `/web/leads/${id}`, { add_tags: [`t${n}`], city: `C${n}` }),
    ),
    ...Array.from({ length: 6 }, (_, n) =>
      asha.send('POST', '/api/v1/leads', { name: 'Busy', phone: '9844444441', company: `F${n}` }),
    ),
  ])
  for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await timelineOf(app.owner, id)).length, 13)
  const { body } = await as.admin.send('GET', `/web/leads/${id}`)
  assert.deepEqual(body.data.tags.toSorted(), ['t0', 't1', 't2', 't3', 't4', 't5'])
  await assertCountsHold(app.owner)
})

test('an export contains the visible leads, quoted, with formulas turned into text', async () => {
  const { headers, body } = await as.otherAgent.send('GET', '/web/leads.csv')
  assert.match(headers.get('content-type')!, /^text\/csv/)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="leads-2026-11-21.csv"')
  const raw = await (await fetch(`${app.url}/web/leads.csv`)).text()
  assert.match(raw, /UNAUTHORIZED/)
  assert.match(body, /^\u{FEFF}?Name,Phone,Email,Company/u)
  assert.ok(
    body.includes(`\r\n'=2+3,,formula@example.com,,,API,New,Medium,,125000,"one, ""two""\nthree",${chand.email},`),
  )
  assert.ok(body.includes('Vikram Shah'))
  assert.doesNotMatch(body, /Asha/)
  const filtered = await as.admin.send('GET', '/web/leads.csv?search=rao')
  assert.equal(filtered.body.trim().split('\r\n').length, 3)
  assert.match(filtered.body, /\r\nOld Rao,\+91 98200 00001,/)
  assert.equal((await app.owner`select from audit_log where action = 'leads.exported'`).length, 2)
})

test('a list has call again, lost reasons and the beginning of notes only if it is asked for them', async () => {
  const { id } = await add('Long Notes', { phone: '98200 00077', notes: `First line\n${'word '.repeat(100)}` })
  await as.admin.send('PATCH', `/web/leads/${id}`, { call_again_at: '2026-12-01T04:30:00Z' })
  const lead = async (query: string) => {
    const { status, body } = await as.admin.send('GET', `/web/leads?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.find((one: { id: string }) => one.id === id)
  }
  const further = ['notes', 'call_again_at', 'lost_reason']
  for (const query of ['', 'sort=name', 'search=long']) {
    const usual = await lead(query)
    assert.deepEqual(
      further.filter((name) => name in usual),
      [],
      query,
    )
    const asked = await lead(`${query}&with=notes&with=call_again&with=lost_reason`)
    assert.deepEqual(
      [asked.notes.length, asked.notes.slice(0, 15), asked.call_again_at, asked.lost_reason],
      [200, 'First line\nword', '2026-12-01T04:30:00Z', null],
    )
  }
  const { status, body } = await as.admin.send('GET', '/web/leads?with=phone_key')
  assert.deepEqual([status, body.error.field], [400, 'with'])
  await as.admin.send('DELETE', `/web/leads/${id}`)
})

test('choices are the visible sources, tags, cities and users', async () => {
  const choices = async (browser: Browser) => (await browser.send('GET', '/web/leads/choices')).body.data
  const emails = ({ people }: { people: { email: string }[] }) => people.map(({ email }) => email)
  assert.deepEqual(emails(await choices(as.manager)), [bela.email, meena.email])
  assert.equal(emails(await choices(as.admin)).length, 4)
  assert.deepEqual((await choices(as.agent)).sources.sort(), ['API', 'Fair', 'Manual'])
  for (const [browser, tags, cities] of [
    [as.admin, ['3BHK', 'Site Visit'], ['Navi Mumbai']],
    [as.manager, ['3BHK', 'Site Visit'], ['Navi Mumbai']],
    [as.otherAgent, [], []],
    [as.stranger, [], []],
  ] as const) {
    const found = await choices(browser)
    for (const tag of tags) assert.ok(found.tags.includes(tag))
    for (const city of cities) assert.ok(found.cities.includes(city))
    if (tags.length === 0) assert.ok(!found.tags.includes('3BHK') && !found.cities.includes('Navi Mumbai'))
  }
  assert.deepEqual((await choices(as.stranger)).sources, ['API'])
})

test('a filter by last call without dates covers all leads, in list and export', async () => {
  const call = { lead_id: ids['Old Rao'], call_type: 'Outbound', duration_seconds: 60 }
  assert.equal(
    (await bela.send('POST', '/api/v1/call-logs', { ...call, called_at: '2026-08-01T05:00:00Z' })).status,
    201,
  )
  for (const lastCall of ['30_days', '90_days']) {
    assert.deepEqual(await names(as.admin, `last_call=${lastCall}`), ['Old Rao'])
    assert.deepEqual(await names(as.admin, `last_call=${lastCall}&from_date=2026-11-01`), [])
    assert.deepEqual(await names(as.otherAgent, `last_call=${lastCall}`), [])
  }
  assert.match((await as.admin.send('GET', '/web/leads.csv?last_call=90_days')).body, /Old Rao/)
  assert.ok(!(await names(as.admin, '')).includes('Old Rao'))
  // The API ignores both filters and lists the last 30 days.
  const totalOf = async (query: string) => (await asha.send('GET', `/api/v1/leads${query}`)).body.pagination.total
  assert.equal(await totalOf('?last_call=90_days&search=old'), await totalOf(''))
})

test('deleting removes the lead permanently', async () => {
  const { id } = await add('To Delete', { phone: '98555 55551', assigned_to: bela.email })
  assert.deepEqual((await as.agent.send('DELETE', `/web/leads/${id}`)).body, { data: { id, deleted: true } })
  await rejected(as.agent, 'DELETE', `/web/leads/${id}`, undefined, 404)
  await assertCountsHold(app.owner)
})

test('an Admin finds unassigned leads', async () => {
  assert.deepEqual(await names(as.admin, 'assigned_to=nobody'), [])
  const id = ids['Vikram Shah']
  await as.admin.send('PATCH', `/web/leads/${id}`, { assigned_to: null })
  for (const query of ['', '&sort=name', '&search=vik', '&status=Won']) {
    const { body } = await as.admin.send('GET', `/web/leads?assigned_to=nobody${query}`)
    assert.deepEqual([body.data.map(({ name }: { name: string }) => name), body.pagination.total], [['Vikram Shah'], 1])
  }
  assert.match((await as.admin.send('GET', '/web/leads.csv?assigned_to=nobody')).body, /Vikram Shah/)
  assert.deepEqual(await names(as.admin, 'assigned_to=nobody&status=New'), [])
  for (const other of [as.manager, as.otherAgent, as.stranger]) {
    assert.deepEqual(await names(other, 'assigned_to=nobody'), [])
  }
})
