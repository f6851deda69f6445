import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { readSheets } from '#test/read-sheets.ts'
import { world } from '#test/records.ts'

const now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
type Browser = Pick<Player, 'send'>
const [admin, manager, agent, otherAgent, stranger] = (await Promise.all(
  [asha, meena, bela, chand, zoya].map((person) => signedIn(app, person)),
)) as [Browser, Browser, Browser, Browser, Browser]

const leads: Record<string, string> = {}
const calls: Record<string, string> = {}
const recording = 'https://recordings.example.com/a b?call=1&x=é'

before(async () => {
  const lead = async (name: string, phone: string, assigned_to: string, source: string) => {
    const sent = { name, phone, assigned_to, source }
    leads[name] = (await asha.send('POST', '/api/v1/leads', sent)).body.data.id
  }
  await lead('Ravi Kumar', '9820000001', bela.email, 'Fair')
  await lead('Sunita', '9820000002', chand.email, 'IVR')
  const log = async (
    label: string,
    name: string,
    caller: { id: string } | null,
    [call_type, duration_seconds, outcome, at]: [string, number, string, string],
    more: { agent?: string; recording_url?: string } = {},
  ) => {
    const body = {
      lead_id: leads[name],
      call_type,
      duration_seconds,
      outcome,
      called_at: `2026-11-20T${at}Z`,
      notes: label,
    }
    const { id } = (await asha.send('POST', '/api/v1/call-logs', body)).body.data
    calls[label] = id
    await app.owner`update call_logs set called_by = ${caller?.id ?? null}, agent = ${more.agent ?? null},
      recording_url = ${more.recording_url ?? null} where id = ${id}`
  }
  await log('by Bela', 'Ravi Kumar', bela, ['Outbound', 90, 'Completed', '06:00:00'], { recording_url: recording })
  await log('by Chand', 'Ravi Kumar', chand, ['Outbound', 0, 'No Answer', '07:00:00'])
  await log('missed', 'Ravi Kumar', null, ['Inbound', 0, 'Missed', '08:00:00'])
  await log('=by nobody', 'Sunita', null, ['Inbound', 30, 'Completed', '09:00:00'], { agent: '+Desk 2' })
  await log('voicemail', 'Sunita', chand, ['Outbound', 20, 'Voicemail', '10:00:00'], {
    recording_url: 'javascript:alert(1)',
  })
})

async function labels(browser: Browser, query: string): Promise<string[]> {
  const { status, body } = await browser.send('GET', `/web/calls?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.pagination.total, body.pagination.total_capped], [body.data.length, false])
  return body.data.map(({ notes }: { notes: string }) => notes)
}

test('a call has who called, the agent, and whether there is a recording', async () => {
  const shown = ({ notes, called_by, called_by_name, agent, has_recording, ...call }: Record<string, unknown>) => {
    assert.ok(!('recording_url' in call))
    return [notes, called_by, called_by_name, agent, has_recording]
  }
  const ofRavi = [
    ['missed', null, null, null, false],
    ['by Chand', chand.email, 'Chand', null, false],
    ['by Bela', bela.email, 'Bela', null, true],
  ]
  const ofSunita = [
    ['voicemail', chand.email, 'Chand', null, false],
    ['=by nobody', null, null, '+Desk 2', false],
  ]
  assert.deepEqual((await admin.send('GET', '/web/calls')).body.data.map(shown), [...ofSunita, ...ofRavi])
  for (const [name, expected] of [
    ['Ravi Kumar', ofRavi],
    ['Sunita', ofSunita],
  ] as const) {
    const { body } = await admin.send('GET', `/web/leads/${leads[name]}`)
    assert.deepEqual(body.data.calls.calls.map(shown), expected)
  }
  const { body } = await asha.send('GET', '/api/v1/call-logs')
  const fields = ['id', 'lead_id', 'call_type', 'duration_seconds', 'outcome', 'notes', 'called_at', 'created_at']
  for (const call of body.data) assert.deepEqual(Object.keys(call), fields)
})

test('calls are filtered by who called, by source and by a search of the lead', async () => {
  for (const [query, expected] of [
    [`called_by=${chand.email}`, ['voicemail', 'by Chand']],
    [`called_by=${bela.email.toUpperCase()}`, ['by Bela']],
    [`called_by=${zoya.email}`, []],
    ['called_by=unknown', ['=by nobody', 'missed']],
    [`called_by=unknown&assigned_to=${bela.email}`, ['missed']],
    ['source=IVR', ['voicemail', '=by nobody']],
    ['source=Nowhere', []],
    ['search=kum', ['missed', 'by Chand', 'by Bela']],
    ['search=ravi kumar&outcome=Missed', ['missed']],
    ['search=0002', ['voicemail', '=by nobody']],
    [`search=98200&called_by=${chand.email}`, ['voicemail', 'by Chand']],
    [`search=98200&assigned_to=${chand.email}&source=IVR`, ['voicemail', '=by nobody']],
    ['search=98200&assigned_to=nobody', []],
    ['search=kum&to_date=2026-11-19', []],
    ['search=zzz', []],
  ] as const)
    assert.deepEqual(await labels(admin, query), expected, query)
})

test('totals have the same filters', async () => {
  const totals = async (browser: Browser, query = '') => {
    const { status, body } = await browser.send('GET', `/web/calls/totals?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    const { calls, connected, talk_seconds, missed, unreturned, capped } = body.data
    assert.equal(capped, false)
    return [calls, connected, talk_seconds, missed, unreturned]
  }
  assert.deepEqual(await totals(admin), [5, 2, 120, 1, 1])
  assert.deepEqual(await totals(admin, 'to_date=2026-11-19'), [0, 0, 0, 0, 0])
  assert.deepEqual(await totals(admin, `called_by=${chand.email}`), [2, 0, 0, 0, 0])
  assert.deepEqual(await totals(admin, 'called_by=unknown'), [2, 1, 30, 1, 1])
  assert.deepEqual(await totals(admin, `assigned_to=${bela.email}&outcome=Completed`), [1, 1, 90, 0, 0])
  assert.deepEqual(await totals(admin, 'search=sunita&call_type=Outbound'), [1, 0, 0, 0, 0])
  assert.deepEqual(await totals(admin, 'unreturned=true'), [1, 0, 0, 1, 1])
  for (const browser of [manager, agent]) assert.deepEqual(await totals(browser), [3, 1, 90, 1, 1])
  assert.deepEqual(await totals(manager, `called_by=${chand.email}`), [1, 0, 0, 0, 0])
  assert.deepEqual(await totals(otherAgent, 'source=IVR'), [2, 1, 30, 0, 0])
  assert.deepEqual(await totals(stranger), [0, 0, 0, 0, 0])
  assert.deepEqual(await totals(stranger, 'search=98200'), [0, 0, 0, 0, 0])
})

test('each role finds the calls of the leads it sees, of all who called', async () => {
  for (const browser of [manager, agent]) {
    assert.deepEqual(await labels(browser, `called_by=${chand.email}`), ['by Chand'])
    assert.deepEqual(await labels(browser, 'search=98200'), ['missed', 'by Chand', 'by Bela'])
    assert.deepEqual(await labels(browser, 'source=IVR'), [])
  }
  for (const query of ['called_by=unknown', 'search=98200', 'source=Fair', `called_by=${chand.email}`])
    assert.deepEqual(await labels(stranger, query), [])
})

test('an invalid filter answers 400 and names the field', async () => {
  const long = 'x'.repeat(255)
  for (const path of ['/web/calls', '/web/calls/totals', '/web/calls.csv'])
    for (const field of ['called_by', 'source', 'search']) {
      const { status, body } = await admin.send('GET', `${path}?${field}=${long}`)
      assert.deepEqual([status, body.error.field], [400, field])
    }
})

test('an export contains the filtered calls that the user sees, with formulas turned into text', async () => {
  const linesOf = async (browser: Browser, query = '') => {
    const { status, headers, body } = await browser.send('GET', `/web/calls.csv${query}`)
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^text\/csv/)
    assert.equal(headers.get('content-disposition'), 'attachment; filename="calls-2026-11-21.csv"')
    return body.trim().split('\r\n')
  }
  const header =
    'Time (IST),Lead,Phone,Type,Outcome,Duration (seconds),Called by,Agent,Notes,Source,Owner,Review,Remark'
  const ofRavi = [
    `2026-11-20 13:30:00,Ravi Kumar,9820000001,Inbound,Missed,0,,,missed,Fair,${bela.email},,`,
    `2026-11-20 12:30:00,Ravi Kumar,9820000001,Outbound,No Answer,0,${chand.email},,by Chand,Fair,${bela.email},,`,
    `2026-11-20 11:30:00,Ravi Kumar,9820000001,Outbound,Completed,90,${bela.email},,by Bela,Fair,${bela.email},,`,
  ]
  assert.deepEqual(await linesOf(admin), [
    header,
    `2026-11-20 15:30:00,Sunita,9820000002,Outbound,Voicemail,20,${chand.email},,voicemail,IVR,${chand.email},,`,
    `2026-11-20 14:30:00,Sunita,9820000002,Inbound,Completed,30,,'+Desk 2,'=by nobody,IVR,${chand.email},,`,
    ...ofRavi,
  ])
  assert.deepEqual(await linesOf(manager), [header, ...ofRavi])
  assert.deepEqual(await linesOf(admin, `?called_by=${chand.email}&search=ravi`), [header, ofRavi[1]])
  const details =
    await app.owner`select details from audit_log where action = 'call_log.exported' order by id desc limit 1`
  assert.deepEqual(details[0]!.details, {
    from: '1899-12-31',
    to: '9998-12-31',
    callers: [chand.id],
    searched: true,
  })
  const before = await world(app.owner)
  for (const format of ['csv', 'xlsx']) {
    const answer = await agent.send('GET', `/web/calls.${format}`)
    assert.deepEqual([answer.status, answer.body.error.code], [403, 'PERMISSION_DENIED'])
  }
  assert.deepEqual(await world(app.owner), before)
})

test('a workbook has the same calls, with times and durations as numbers', async () => {
  const { headers, body } = await manager.send('GET', `/web/calls.xlsx?called_by=${bela.email}`)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="calls-2026-11-21.xlsx"')
  const { Calls = [] } = await readSheets(body)
  const cells = Object.values(Calls[1]!).map(({ type, value }) => [type, value])
  assert.deepEqual(cells.slice(1), [
    ['inlineStr', 'Ravi Kumar'],
    ['inlineStr', '9820000001'],
    ['inlineStr', 'Outbound'],
    ['inlineStr', 'Completed'],
    ['n', '90'],
    ['inlineStr', bela.email],
    ['inlineStr', 'by Bela'],
    ['inlineStr', 'Fair'],
    ['inlineStr', bela.email],
  ])
  // 20 November 2026, 11:30.
  assert.equal(cells[0]![0], 'n')
  assert.ok(Math.abs(Number(cells[0]![1]) - (46_346 + 11.5 / 24)) < 1e-6)
  assert.equal(Calls.length, 2)
})

test('a recording opens by a redirect for users who see the call', async () => {
  const path = `/web/calls/${calls['by Bela']}/recording`
  for (const browser of [admin, manager, agent]) {
    const { status, headers } = await browser.send('GET', path)
    assert.deepEqual([status, headers.get('location')], [302, 'https://recordings.example.com/a%20b?call=1&x=%C3%A9'])
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  const before = await world(app.owner)
  const rejected = [
    ...[otherAgent, stranger].map((browser) => [browser, path] as const),
    ...['by Chand', 'voicemail'].map((label) => [admin, `/web/calls/${calls[label]}/recording`] as const),
    [admin, '/web/calls/00000000-0000-4000-8000-000000000000/recording'] as const,
  ]
  for (const [browser, rejectedPath] of rejected) {
    const { status, headers, body } = await browser.send('GET', rejectedPath)
    assert.deepEqual([status, body.error.code, headers.get('location')], [404, 'NOT_FOUND', null])
  }
  assert.deepEqual(await world(app.owner), before)
})
