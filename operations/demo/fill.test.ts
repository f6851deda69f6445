import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { account, addPlayer, type Player, people } from '#test/people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls } from '#test/records.ts'
import { setActive } from '../../server/access/account/store.ts'
import { emailKey, isEmail, phoneKey } from '../../server/crm/contacts/contact.ts'
import { fitEnquiry, noEnquiry } from '../../server/crm/enquiries/enquiry.ts'
import { keptOf } from '../../server/crm/enquiries/stored-enquiry.ts'
import { callSummary, createdSummary } from '../../server/crm/timeline/summaries.ts'
import { asActor } from '../../server/platform/database/actor.ts'
import { istDay } from '../../server/platform/http/instants.ts'
import { fillAccount } from './fill.ts'
import { addTeam } from './team.ts'

const app = await testApp()
after(app.close)
const { owner, database, connection } = app
const { acme, other, asha, meena, bela, chand, zoya } = await people(app)
const gone = await addPlayer(database, app.url, acme, 'Gone', 'Agent', 'north')
await asActor(database, acme, (tx) => setActive(tx, acme, gone.id, false))

const { body: hers } = await zoya.send('POST', '/api/v1/leads', { name: 'Zoya only', phone: '9811100000' })
await zoya.send('POST', '/api/v1/call-logs', { lead_id: hers.data.id, call_type: 'Inbound', duration_seconds: 0 })
await asha.send('POST', '/api/v1/leads', { name: 'Here before', phone: '9811100001' })
const othersBefore = await everythingOf(other.account_id)

const now = new Date()
const days = 40
const options = { leads: 2000, days, now, batchSize: 300, firstSerial: 123_456_000 }
const steps: number[] = []
const first = await fillAccount(connection, database, acme, { ...options, onProgress: (leads) => steps.push(leads) })

test('it writes the given number of leads and a third as many calls, and reports progress', async () => {
  assert.equal(first.leads, 2000)
  assert.ok(first.calls > 500 && first.calls < 850, `${first.calls} calls`)
  assert.equal((await leadsOf(acme.account_id)).length, 2001)
  assert.equal(steps.at(-1), 2000)
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  )
})

test('all times are within the given days and in order', async () => {
  const firstMoment = new Date(`${istDay(new Date(now.getTime() - (days - 1) * 86_400_000))}T00:00:00+05:30`)
  const made = (await leadsOf(acme.account_id)).filter((lead) => lead.name !== 'Here before')
  // Today may have just started.
  assert.ok(new Set(made.map((lead) => istDay(lead.created_at))).size >= days - 1)
  for (const lead of made) {
    assert.ok(lead.created_at >= firstMoment && lead.created_at <= lead.updated_at && lead.updated_at <= now)
  }
  for (const call of await callsOf(acme.account_id)) {
    const lead = made.find(({ id }) => id === call.lead_id)!
    assert.ok(lead.created_at <= call.called_at && call.called_at <= call.created_at && call.created_at <= now)
    assert.equal(call.duration_seconds > 0, call.outcome === 'Completed' || call.outcome === 'Voicemail')
  }
})

test('contact keys equal those of the service', async () => {
  for (const lead of await leadsOf(acme.account_id)) {
    assert.equal(lead.phone_key, lead.phone && phoneKey(lead.phone, 'IN'))
    if (lead.phone) assert.match(lead.phone_key, /^\+91\d{10}$/)
    assert.equal(lead.email_key, lead.email && emailKey(lead.email))
    if (lead.email) assert.ok(isEmail(lead.email) && /\.example\.(com|org|net)$/.test(lead.email), lead.email)
  }
})

test('leads keep what their first enquiry names, and answer its questions', async () => {
  const made = (await leadsOf(acme.account_id)).filter((lead) => lead.name !== 'Here before')
  const enquiries = await owner`select * from enquiries where account_id = ${acme.account_id}`
  const firstOf = new Map(enquiries.map((one) => [one.lead_id, one]))
  assert.equal(firstOf.size, enquiries.length, 'each has one')
  const named = { product: 0, campaign: 0, ad: 0, form: 0 }
  for (const lead of made) {
    const enquiry = firstOf.get(lead.id)
    if (!enquiry) {
      assert.ok(['Referral', 'IVR'].includes(lead.source) && lead.campaign === null, lead.source)
      continue
    }
    const { product, campaign, ad, form } = enquiry
    assert.deepEqual([product, campaign, ad, form], [lead.product, lead.campaign, lead.ad, lead.form])
    assert.deepEqual(keptOf(enquiry.origin), { product, campaign, ad, form })
    assert.deepEqual(
      [enquiry.at, enquiry.source, enquiry.is_repeat, enquiry.assigned_to],
      [lead.created_at, lead.source, false, lead.assigned_to],
    )
    const { origin, answers } = fitEnquiry({ ...noEnquiry, origin: enquiry.origin, answers: enquiry.answers })
    assert.deepEqual([origin, answers], [enquiry.origin, enquiry.answers])
    assert.ok(answers.length >= 1 && answers.length <= 4)
    assert.ok(enquiry.platform === null || existsSync(`server/intake/payload/senders/${enquiry.platform}`))
    for (const part of ['product', 'campaign', 'ad', 'form'] as const) if (lead[part] !== null) named[part]++
  }
  assert.ok(Object.values(named).every((leads) => leads > 100))
})

test('leads are assigned to active users of the account, and some are unassigned', async () => {
  const assignees = new Set((await leadsOf(acme.account_id)).map((lead) => lead.assigned_to))
  assert.deepEqual(assignees, new Set([asha.id, meena.id, bela.id, chand.id, null]))
  const astray =
    await owner`select from call_logs join leads on leads.account_id = call_logs.account_id and leads.id = lead_id
    where call_logs.assigned_to is distinct from leads.assigned_to`
  assert.equal(astray.length, 0)
})

test('in an account with only an Admin, most are the Admin’s', async () => {
  const solo = await account(database, 'Solo')
  const sole = await addPlayer(database, app.url, solo, 'Sole', 'Admin', null)
  await fillAccount(connection, database, solo, { leads: 200, days: 1, now })
  const theirs = (await leadsOf(solo.account_id)).filter((lead) => lead.assigned_to === sole.id)
  assert.ok(theirs.length > 110 && theirs.length < 200, `${theirs.length} of 200`)
})

test('each lead and each call has the timeline entry that the service would write', async () => {
  const entries = await owner`select * from timeline_entries where account_id = ${acme.account_id} order by id`
  const names = new Map([asha, meena, bela, chand].map((player) => [player.id, nameOf(player)]))
  const calls = await callsOf(acme.account_id)
  for (const lead of (await leadsOf(acme.account_id)).filter(({ name }) => name !== 'Here before')) {
    const own = entries.filter((entry) => entry.lead_id === lead.id)
    const assignee = lead.assigned_to && names.get(lead.assigned_to)!
    const created = {
      kind: 'created',
      summary: createdSummary('the demo command', assignee, null),
      at: lead.created_at,
    }
    const called = calls.filter((call) => call.lead_id === lead.id)
    assert.deepEqual(
      own.map(({ kind, summary, at, details }) => ({ kind, summary, at, details })).sort(byText),
      [
        { ...created, details: { via: 'command', via_id: null } },
        ...called.map((call) => ({
          kind: 'call_logged',
          summary: callSummary(call as never),
          at: call.created_at,
          details: { via: 'command', via_id: null, call_log_id: call.id },
        })),
      ].sort(byText),
    )
    assert.ok(own.every((entry) => entry.assigned_to === lead.assigned_to))
  }
})

test('a second run adds other people than the first', async () => {
  const second = await fillAccount(connection, database, acme, options)
  assert.equal(second.leads, 2000)
  const leads = await leadsOf(acme.account_id)
  assert.equal(leads.length, 4001)
  assert.equal((await callsOf(acme.account_id)).length, first.calls + second.calls)
  const audit =
    await owner`select details, via from audit_log where account_id = ${acme.account_id} and action = 'demo.filled' order by id`
  assert.deepEqual(
    audit.map(({ details }) => details),
    [first, second].map((filled) => ({ ...filled, days })),
  )
})

test('the counts are exact, and no change is left to move', async () => {
  await assertCountsHold(owner)
  const left =
    await owner`select account_id, day from lead_count_changes union all select account_id, day from call_count_changes`
  assert.deepEqual(
    left.filter(({ account_id }) => account_id === acme.account_id),
    [],
  )
})

test('paging returns each lead exactly once', async () => {
  const window = `from_date=${istDay(new Date(now.getTime() - days * 86_400_000))}`
  for (const player of [asha, bela]) {
    const mine = (row: { assigned_to: string | null }) => player === asha || row.assigned_to === player.id
    const leads = (await leadsOf(acme.account_id)).filter((lead) => mine(lead as never))
    assert.deepEqual(await idsListed(player, `/api/v1/leads?${window}`, leads.length), idsOf(leads))
    const calls = (await callsOf(acme.account_id)).filter((call) => mine(call as never))
    assert.deepEqual(await idsListed(player, `/api/v1/call-logs?${window}`, calls.length), idsOf(calls))
  }
})

test('a team follows up its leads: only open leads are called again, and only lost leads have a reason', async () => {
  const team = await account(database, 'Team')
  const admin = await addPlayer(database, app.url, team, 'Tara', 'Admin', null)
  const sized = { name: 'Team & Söhne', leads: 800, days: 60, now }
  const users = await addTeam(database, team, sized)
  assert.deepEqual(
    users.map(({ email, role }) => [email, role]),
    [
      ['neha.kulkarni@team-s-hne.example.com', 'Manager'],
      ...['rohit.patil', 'sneha.deshmukh', 'imran.shaikh', 'pooja.mehta'].map((name) => [
        `${name}@team-s-hne.example.com`,
        'Agent',
      ]),
    ],
  )
  const { calls } = await fillAccount(connection, database, team, { ...sized, followsUp: true })
  const ofTeam = await addTeam(database, team, sized)
  assert.deepEqual(ofTeam, [], 'an account with a team stays as it is')
  const leads = await leadsOf(team.account_id)
  assert.equal(leads.length, 800)
  assert.equal((await callsOf(team.account_id)).length, calls)
  const repeats = await owner`select * from enquiries where account_id = ${team.account_id} and is_repeat`
  for (const lead of leads) {
    const isOpen = lead.status !== 'Won' && lead.status !== 'Lost'
    assert.ok(lead.call_again_at === null || (isOpen && lead.call_again_at > lead.last_call_at))
    assert.equal(lead.closed_at === null, isOpen)
    assert.ok(lead.lost_reason === null || lead.status === 'Lost')
    assert.ok(lead.assigned_to !== null || lead.status === 'New')
    assert.ok(lead.status !== 'Won' || lead.deal_value !== null)
    const repeat = repeats.find(({ lead_id }) => lead_id === lead.id)
    assert.deepEqual(repeat?.at ?? null, lead.enquired_again_at)
    if (repeat) {
      assert.ok(lead.created_at < repeat.at && repeat.at <= now)
      assert.ok(lead.notes.endsWith(repeat.message))
      assert.ok(repeat.campaign === null || lead.campaign !== null)
    }
  }
  for (const call of await callsOf(team.account_id)) {
    const lead = leads.find(({ id }) => id === call.lead_id)!
    assert.ok(lead.created_at <= call.called_at && call.called_at <= call.created_at && call.created_at <= now)
  }
  const some = { planned: 'call_again_at', enquired: 'enquired_again_at', lost: 'lost_reason', called: 'first_call_at' }
  for (const column of Object.values(some))
    assert.ok(
      leads.some((lead) => lead[column] !== null),
      column,
    )
  const owners = new Set(leads.map((lead) => lead.assigned_to))
  assert.ok(users.length + 2 === owners.size && owners.has(admin.id), 'all users and unassigned')
  for (const table of ['lead_contacts', 'lead_conflicts', 'enquiries', 'origin_costs', 'webhooks', 'quick_replies']) {
    assert.ok((await owner`select from ${owner(table)} where account_id = ${team.account_id}`).length > 1, table)
  }
  await assertCountsHold(owner)
  await assertLeadsKnowTheirCalls(owner)
})

test('other accounts do not change', async () => {
  assert.deepEqual(await everythingOf(other.account_id), othersBefore)
})

async function leadsOf(accountId: string) {
  return owner`select * from leads where account_id = ${accountId}`
}

async function callsOf(accountId: string) {
  return owner`select * from call_logs where account_id = ${accountId}`
}

async function idsListed(player: Player, path: string, total: number): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0, more = true; more; offset += 100) {
    const { status, body } = await player.send('GET', `${path}&limit=100&offset=${offset}`)
    assert.equal(status, 200)
    assert.equal(body.pagination.total, total)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    more = body.pagination.has_more
  }
  return ids.sort()
}

async function everythingOf(accountId: string) {
  const tables = ['leads', 'call_logs', 'timeline_entries', 'lead_counts', 'call_counts', 'audit_log']
  return Promise.all(
    tables.map(
      (table) => owner`select t::text as row from ${owner(table)} t where account_id = ${accountId} order by 1`,
    ),
  )
}

const idsOf = (rows: readonly Record<string, string>[]) => rows.map(({ id }) => id!).sort()
const nameOf = ({ email }: Player) => email[0]!.toUpperCase() + email.slice(1, email.indexOf('@'))
const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
