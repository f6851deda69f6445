import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, auditOf, lockLead, timelineOf, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { connect } from '../../platform/database/connect.ts'
import { passOnDue } from '../pass-on/pass-on.ts'
import { passOnUnclaimed } from './pass-on-unclaimed.ts'

/** Monday, 11:00 in India. */
const start = new Date('2026-11-23T05:30:00Z')
let now = start
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const app = await testApp({}, () => now)
const { owner, database } = app
const second = connect(app.signIns)
after(async () => {
  await second.close()
  await app.close()
})
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, colleague, stranger] = await Promise.all(
  [asha, meena, bela, chand, zoya].map(async (one) => (await signedIn(app, one))!),
)
const webhook = await webhookOf(app, acme, { default_assignee: meena.id })
const rules = '/web/distribution-rules'
const to = (...users: { id: string }[]) => users.map(({ id }) => ({ user_id: id, weight: 1 }))
const run = (one = database) => passOnUnclaimed(one, () => now)

let ruleId = ''
before(async () => {
  const rule = { name: 'Pool', people: to(bela, chand), method: 'first_to_claim', pass_on_after: 10 }
  const { status, body } = await admin!.send('POST', rules, rule)
  assert.equal(status, 201, JSON.stringify(body))
  ruleId = body.data[0].id
  assert.equal(body.data[0].method, 'first_to_claim')
})

let made = 0
async function lead(fields: object = {}): Promise<string> {
  const { body } = await webhook.send({ name: 'Ravi', phone: `98640${String(++made).padStart(5, '0')}`, ...fields })
  return body.data.id
}
const ownerOf = async (id: string) => (await owner`select assigned_to from leads where id = ${id}`)[0]!.assigned_to
const summaries = async (id: string) => (await timelineOf(owner, id)).map(({ summary }) => summary as string)
const offers = async (browser = agent!) => (await browser.send('GET', '/web/offers')).body.data as { lead_id: string }[]
const isOffered = async (id: string, browser = agent!) => (await offers(browser)).some(({ lead_id }) => lead_id === id)
const claim = (id: string, browser = agent!) => browser.send('POST', `/web/offers/${id}/claim`, {})

test('a new lead of the rule has no owner, and its users see it without contacts and nowhere else', async () => {
  const id = await lead({
    name: 'Ravi 98640 99999',
    city: 'Pune',
    message: 'Two rooms. Call +91 98640-99999 or ravi@example.com',
    email: 'ravi@example.com',
    project: 'Skyline',
    'Call me here': 'my wife has 98640 99998',
  })
  assert.equal(await ownerOf(id), null)
  assert.match(
    (await summaries(id))[0]!,
    /Offered to 2 users by the rule “Pool”: the first to claim it is its owner\.$/,
  )
  for (const browser of [agent!, colleague!]) {
    const [offer, ...more] = await offers(browser)
    assert.deepEqual(
      [offer, more],
      [
        {
          lead_id: id,
          name: 'Ravi',
          product: 'Skyline',
          source: 'Portal',
          city: 'Pune',
          offered_at: '2026-11-23T05:30:00Z',
          due_at: '2026-11-23T05:40:00Z',
          others: 1,
        },
        [],
      ],
    )
    assert.equal((await browser.send('GET', `/web/leads/${id}`)).status, 404)
    assert.equal((await browser.send('GET', '/web/leads?search=Ravi')).body.pagination.total, 0)
    assert.deepEqual((await browser.send('GET', '/web/call-queue')).body.data.leads, [])
    assert.equal((await browser.send('PATCH', `/web/leads/${id}`, { status: 'Won' })).status, 404)
  }
  assert.equal((await bela.send('GET', '/api/v1/leads')).body.pagination.total, 0)
  for (const browser of [admin!, manager!, stranger!]) assert.deepEqual(await offers(browser), [])
})

test('a field of an offer that may hold a contact is left out, however the contact is written', async () => {
  for (const hidden of ['98 11—22 33 44', '9\u200b8640\u200b77777', 'sita＠example.org', '९८६४०७७७७६']) {
    const id = await lead({
      name: `Ravi Kumar ${hidden}`,
      city: `Pune ${hidden}`,
      project: `Skyline ${hidden}`,
      message: hidden,
    })
    const offer = (await offers()).find(({ lead_id }) => lead_id === id)
    assert.deepEqual(
      { ...offer, offered_at: null, due_at: null },
      {
        lead_id: id,
        name: 'Ravi K.',
        product: null,
        source: 'Portal',
        city: null,
        offered_at: null,
        due_at: null,
        others: 1,
      },
    )
    await claim(id)
  }
})

test('of simultaneous claims exactly one gets the lead, and the others are answered who was first', async () => {
  const id = await lead()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => claim(id, n % 2 ? agent! : colleague!)))
  const won = answers.findIndex(({ status }) => status === 200)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  const [winner, name] = won % 2 ? [bela, 'Bela'] : [chand, 'Chand']
  for (const { status, body } of answers)
    if (status === 409) assert.equal(body.error.message, `${name} has claimed this lead.`)
  assert.equal(await ownerOf(id), winner.id)
  const all = await summaries(id)
  assert.deepEqual([all.length, all.at(-1)], [2, `${name} claimed this lead.`])
  assert.deepEqual(
    (await auditOf(owner, id)).slice(1).map(({ action, user_id, via, details }) => [action, user_id, via, details]),
    [['lead.changed', winner.id, 'web', { fields: ['assigned_to'] }]],
  )
  for (const browser of [agent!, colleague!]) assert.equal(await isOffered(id, browser), false)
  const own = won % 2 ? agent! : colleague!
  assert.equal((await own.send('GET', `/web/leads/${id}`)).body.data.phone.startsWith('98640'), true)
  await admin!.send('PATCH', '/web/account', { names_owner: false })
  const late = await claim(id, won % 2 ? colleague! : agent!)
  assert.deepEqual([late.status, late.body.error.message], [409, 'A colleague has claimed this lead.'])
  await admin!.send('PATCH', '/web/account', { names_owner: true })
  await assertCountsHold(owner)
})

test('nobody claims a lead that is not offered to them, and nothing changes', async () => {
  const id = await lead()
  const other = (
    await asha.send('POST', '/api/v1/leads', { name: 'Own', phone: '98650 00001', assigned_to: bela.email })
  ).body.data.id
  const before = await world(owner)
  for (const browser of [admin!, manager!, stranger!]) assert.equal((await claim(id, browser)).status, 404)
  assert.equal((await claim(other)).status, 404)
  assert.equal((await claim('00000000-0000-4000-8000-000000000000')).status, 404)
  assert.equal((await claim('none')).status, 400)
  assert.deepEqual(await world(owner), before)
})

test('an owner that is set meanwhile ends the offer, also if the lead is unassigned again', async () => {
  const id = await lead()
  await admin!.send('PATCH', `/web/leads/${id}`, { assigned_to: chand.email })
  assert.equal(await isOffered(id), false)
  const late = await claim(id)
  assert.deepEqual([late.status, late.body.error.message], [409, 'This lead is no longer offered.'])
  await admin!.send('PATCH', `/web/leads/${id}`, { assigned_to: null })
  assert.deepEqual([await isOffered(id), (await claim(id)).status, await ownerOf(id)], [false, 409, null])
  later(20)
  await run()
  assert.equal(await ownerOf(id), null)
  const deleted = await lead()
  await admin!.send('DELETE', `/web/leads/${deleted}`)
  assert.deepEqual([await isOffered(deleted), (await claim(deleted)).status], [false, 404])
})

test('an unclaimed lead passes on to the next rule, once, and then by that rule', async () => {
  const { body } = await admin!.send('POST', rules, { name: 'Next', people: to(meena, chand), pass_on_after: 5 })
  const nextId = body.data[1].id
  await owner`update lead_offers set due_at = null`
  const id = await lead()
  later(9)
  await run()
  assert.equal(await ownerOf(id), null)
  later(1)
  const free = await lockLead(owner, id)
  await run()
  assert.equal(await ownerOf(id), null)
  await free()
  await Promise.all([run(), run(second)])
  const first = await ownerOf(id)
  assert.ok([meena.id, chand.id].includes(first))
  const name = first === meena.id ? 'Meena' : 'Chand'
  assert.deepEqual((await summaries(id)).slice(1), [
    `Not claimed within 10 minutes. Assigned to ${name} by the rule “Next”.`,
  ])
  const notices = await owner`select user_id from notices where lead_id = ${id} and kind <> 'offered'`
  assert.deepEqual(
    notices.map(({ user_id }) => user_id),
    [first],
  )
  assert.equal((await claim(id)).body.error.message, 'This lead is no longer offered.')
  later(5)
  await passOnDue(database, () => now)
  assert.notEqual(await ownerOf(id), first)

  await admin!.send('PATCH', `${rules}/${nextId}`, { method: 'first_to_claim' })
  const again = await lead()
  later(10)
  await run()
  assert.deepEqual(
    [await isOffered(again), await isOffered(again, colleague!), await isOffered(again, manager!)],
    [false, true, true],
  )
  assert.match(
    (await summaries(again)).at(-1)!,
    /^Not claimed within 10 minutes\. Offered to 2 users by the rule “Next”/,
  )
  assert.equal((await claim(again, manager!)).status, 200)
  await admin!.send('DELETE', `${rules}/${nextId}`)
})

test('the next rule compares what the enquiry of an unclaimed lead names and answered', async () => {
  const answers = [{ question: 'What is your budget?', answers: ['60 lakh'] }]
  const rule = { name: 'Diwali', campaigns: ['Diwali'], answers, people: to(chand) }
  const added = await admin!.send('POST', rules, rule)
  const asked = { utm_campaign: 'Diwali', 'What is your budget?': '60 Lakh' }
  const [matching, other] = [await lead(asked), await lead({ ...asked, utm_campaign: 'Holi' })]
  later(11)
  await run()
  assert.deepEqual([await ownerOf(matching), await ownerOf(other)], [chand.id, meena.id])
  await admin!.send('DELETE', `${rules}/${added.body.data.find(({ name }: { name: string }) => name === 'Diwali').id}`)
})

test('without a further rule it goes to the fallback owner, else to the default of its webhook, else to no one', async () => {
  await owner`update lead_offers set due_at = null`
  await admin!.send('PATCH', '/web/account', { fallback_owner: asha.id })
  const first = await lead()
  later(10)
  await run()
  assert.deepEqual(
    [await ownerOf(first), (await summaries(first)).at(-1)],
    [asha.id, 'Not claimed within 10 minutes. Assigned to Asha.'],
  )
  await admin!.send('PATCH', '/web/account', { fallback_owner: null })
  const next = await lead()
  later(10)
  await run()
  assert.equal(await ownerOf(next), meena.id)
  const last = await lead()
  await owner`update lead_offers set otherwise = null where lead_id = ${last}`
  later(10)
  await run()
  const none = 'Not claimed within 10 minutes. No other rule assigns it: it stays unassigned.'
  assert.deepEqual([await ownerOf(last), (await summaries(last)).at(-1), await isOffered(last)], [null, none, false])
})

test('the time counts in the working hours of the account', async (t) => {
  t.after(() => {
    now = start
  })
  now = new Date('2026-11-23T13:25:00Z')
  const id = await lead()
  now = new Date('2026-11-23T16:00:00Z')
  await run()
  assert.deepEqual([await ownerOf(id), await isOffered(id)], [null, true])
  now = new Date('2026-11-24T03:36:00Z')
  await run()
  assert.notEqual(await ownerOf(id), null)
})

test('claims count for the daily limit, and who has reached it is offered nothing more by the rule', async () => {
  await owner`update lead_offers set due_at = null`
  await admin!.send('PATCH', `${rules}/${ruleId}`, { daily_limit: 1 })
  const [one, two] = [await lead(), await lead()]
  const answers = await Promise.all([claim(one), claim(two)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const refused = answers.find(({ status }) => status === 409)!
  assert.equal(refused.body.error.message, 'You have reached the limit of 1 lead today.')
  assert.deepEqual([(await offers()).length, (await offers(colleague!)).length], [0, 1])
  // Who is not first does not use up the limit.
  const [{ lead_id: left }] = (await offers(colleague!)) as [{ lead_id: string }]
  assert.equal((await claim(left, colleague!)).status, 200)
  const [row] = await owner`select taken from distribution_turns where rule_id = ${ruleId}`
  assert.deepEqual(row!.taken.leads, { [bela.id]: 1, [chand.id]: 1 })
  await admin!.send('PATCH', `${rules}/${ruleId}`, { daily_limit: null })
})

test('a paused rule offers nothing new; leads with another status and from files are shared by round robin', async () => {
  const offered = await lead()
  await admin!.send('PATCH', `${rules}/${ruleId}`, { paused: true })
  assert.equal(await ownerOf(await lead()), meena.id)
  assert.equal((await claim(offered)).status, 200)
  await admin!.send('PATCH', `${rules}/${ruleId}`, { paused: false })
  const won = { name: 'Won', phone: '98650 00009', status: 'Won' }
  assert.equal((await asha.send('POST', '/api/v1/leads', won)).body.data.assigned_to !== null, true)
  const body = 'Name,Phone\r\nFile,98650 00010\r\nFile,98650 00011'
  await admin!.send('POST', '/web/leads/import?dry_run=false', body, { 'content-type': 'text/csv' })
  const rows = await owner`select distinct assigned_to from leads where name = 'File'`
  assert.deepEqual(rows.map(({ assigned_to }) => assigned_to).sort(), [bela.id, chand.id].sort())
})

test('users are notified of offers until one claims, and the list of new leads names them without contacts', async (t) => {
  t.after(() => {
    now = start
  })
  // Users are not notified of what is older.
  now = new Date()
  await owner`delete from notices`
  const newest = (await agent!.send('GET', '/web/notices')).body.data.newest
  const id = await lead({ name: 'Sita 98 64—0 88888', project: 'Skyline ravi＠example.com', message: 'Call me' })
  const came = async (browser = agent!) => (await browser.send('GET', `/web/notices?after=${newest}`)).body.data.notices
  const [notice] = await came()
  assert.deepEqual([notice.name, notice.kind, notice.lead_id], ['Sita', 'offered', id])
  const { product, message, answers } = notice.enquiry
  assert.deepEqual([product, message, answers], [null, null, []])
  await claim(id)
  assert.deepEqual([await came(), await came(colleague!)], [[], []])
})

test('a rule of first to claim needs a time, and the preview and the replay know it', async () => {
  const before = await world(owner)
  const rule = { name: 'Pool', people: to(bela), method: 'first_to_claim' }
  for (const [method, path, body] of [
    ['POST', rules, rule],
    ['POST', `${rules}/replay`, rule],
    ['PATCH', `${rules}/${ruleId}`, { pass_on_after: null }],
  ] as const) {
    const { status, body: answer } = await admin!.send(method, path, body)
    assert.deepEqual([status, answer.error.field], [400, 'pass_on_after'])
  }
  const { data } = (await admin!.send('POST', `${rules}/preview`, { source: 'API' })).body
  assert.deepEqual(
    [data.next, data.offered_to.map(({ name }: { name: string }) => name), data.because],
    [null, ['Bela', 'Chand'], 'The rule “Pool” is the first that matches.'],
  )
  const replay = (await admin!.send('POST', `${rules}/replay`, { id: ruleId, name: 'Pool', people: to(bela) })).body
    .data
  assert.deepEqual([replay.offered.before, replay.offered.after], [replay.leads, 0])
  assert.deepEqual([replay.examples[0].before, replay.examples[0].after], ['First to claim', 'Bela'])
  assert.deepEqual(await world(owner), before)
})
