import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { auditOf, timelineOf, world } from '#test/records.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { connect } from '../../platform/database/connect.ts'

/** Monday, 11:00 in India. */
const monday = new Date('2026-11-23T05:30:00Z')
let now = monday
const app = await testApp({}, () => now)
const second = connect(app.signIns)
const other = await serve(second, {}, () => now)
after(async () => {
  await other.close()
  await second.close()
  await app.close()
})
const { owner } = app
const { acme, asha, meena, bela, chand } = await people(app)
const [admin, manager, agent] = await Promise.all([asha, meena, bela].map(async (one) => (await signedIn(app, one))!))
const portal = await webhookOf(app, acme)
const rules = '/web/distribution-rules'

const toBoth = [bela, chand].map(({ id }) => ({ user_id: id, weight: 1 }))
async function addRule(rule: object): Promise<string> {
  const { status, body } = await admin!.send('POST', rules, rule)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.at(-1).id
}
const removeRules = async () => {
  const { body } = await admin!.send('GET', rules)
  for (const { id } of body.data) await admin!.send('DELETE', `${rules}/${id}`)
}

let made = 0
const phone = () => `98${70_000_000 + ++made}`
const create = async (fields: object = {}, url = app.url) => {
  const lead = { name: 'Ravi', phone: phone(), ...fields }
  const headers = { authorization: `Bearer ${asha.key.secret}` }
  const { status, body } = await ask(url, null, 'POST', '/api/v1/leads', lead, headers)
  assert.ok(status < 300, JSON.stringify(body))
  return body.data as { id: string; assigned_to: string }
}
const perOwner = (leads: { assigned_to: string }[]) =>
  Object.fromEntries(
    Object.entries({ Asha: asha, Bela: bela, Chand: chand }).map(([name, { email }]) => [
      name,
      leads.filter((one) => one.assigned_to === email).length,
    ]),
  )
const lastSummary = async (id: string) => (await timelineOf(owner, id)).at(-1)!.summary
const turnsOf = async (id: string) =>
  (await owner`select taken from distribution_turns where rule_id = ${id}`)[0]?.taken

test('a paused rule is skipped, is in the audit log, and applies again when it is resumed', async (t) => {
  t.after(removeRules)
  const first = await addRule({ name: 'First', people: [{ user_id: bela.id, weight: 1 }], pass_on_after: 10 })
  await addRule({ name: 'Second', people: [{ user_id: chand.id, weight: 1 }] })
  assert.equal((await create()).assigned_to, bela.email)
  const paused = await admin!.send('PATCH', `${rules}/${first}`, { paused: true, was: { paused: false } })
  assert.deepEqual(
    paused.body.data.map((one: { name: string; paused: boolean }) => [one.name, one.paused]),
    [
      ['First', true],
      ['Second', false],
    ],
  )
  assert.equal((await create()).assigned_to, chand.email)
  const preview = await admin!.send('POST', `${rules}/preview`, { source: 'API' })
  assert.equal(preview.body.data.because, 'The rule “Second” is the first that matches.')
  await admin!.send('PATCH', `${rules}/${first}`, { paused: false })
  assert.equal((await create()).assigned_to, bela.email)
  assert.deepEqual(
    (await auditOf(owner, first)).slice(1).map(({ action, user_id, details }) => ({ action, user_id, details })),
    [true, false].map((one) => ({ action: 'distribution_rule.changed', user_id: asha.id, details: { paused: one } })),
  )
})

test('only Admins pause a rule or set its limit', async (t) => {
  t.after(removeRules)
  const id = await addRule({ name: 'First', people: toBoth })
  const before = await world(owner)
  for (const browser of [manager!, agent!])
    for (const change of [{ paused: true }, { daily_limit: 1 }])
      assert.equal((await browser.send('PATCH', `${rules}/${id}`, change)).status, 403)
  for (const daily_limit of [0, 1000, 1.5, '5']) {
    const { status, body } = await admin!.send('PATCH', `${rules}/${id}`, { daily_limit })
    assert.deepEqual([status, body.error.field], [400, 'daily_limit'])
  }
  assert.deepEqual(await world(owner), before)
})

test('of many simultaneous leads, in two processes, no user gets more than the limit, and others get the rest', async (t) => {
  t.after(removeRules)
  const id = await addRule({ name: 'Limited', people: toBoth, daily_limit: 7 })
  // The second process hears of the rule a moment later.
  await until(async () => {
    const { assigned_to, id: leadId } = await create({}, other.url)
    await ask(app.url, null, 'DELETE', `/api/v1/leads/${leadId}`, undefined, {
      authorization: `Bearer ${asha.key.secret}`,
    })
    return assigned_to !== asha.email
  }, 'the rule applies in the second process')
  const taken = Object.values((await turnsOf(id)).leads as Record<string, number>)
  const used = taken.reduce((sum, n) => sum + n, 0)
  const leads = await Promise.all(Array.from({ length: 40 }, (_, n) => create({}, n % 2 ? app.url : other.url)))
  const counts = perOwner(leads)
  assert.deepEqual([counts.Bela! + counts.Chand! + used, counts.Asha], [14, 40 - (14 - used)])
  assert.deepEqual(await turnsOf(id), { day: '2026-11-23', leads: { [bela.id]: 7, [chand.id]: 7 } })
})

test('the timeline and the preview say who has reached the limit, then the next rule and the fallback owner apply', async (t) => {
  t.after(removeRules)
  await addRule({ name: 'First', people: toBoth, daily_limit: 1 })
  await addRule({ name: 'Second', people: [{ user_id: meena.id, weight: 1 }], daily_limit: 1 })
  const preview = async () => (await admin!.send('POST', `${rules}/preview`, { source: 'API' })).body.data
  assert.equal((await create()).assigned_to, bela.email)
  const toChand = 'Bela has reached the limit of 1 lead today.'
  assert.equal((await preview()).because, `The rule “First” is the first that matches. ${toChand}`)
  const second = await create()
  assert.equal(second.assigned_to, chand.email)
  assert.ok((await lastSummary(second.id)).endsWith(`Assigned to Chand by the rule “First”. ${toChand}`))
  const none = 'No user of the rule “First” is available. Bela and Chand have reached the limit of 1 lead today.'
  assert.equal((await preview()).because, `The rule “Second” applies. ${none}`)
  const third = await create()
  assert.equal(third.assigned_to, meena.email)
  assert.ok((await lastSummary(third.id)).endsWith(`Assigned to Meena by the rule “Second”. ${none}`))

  const all = 'All users of the matching rules have reached their limits today.'
  assert.equal((await preview()).because, `${all.slice(0, -1)}: the owner is the user of the API key that sends it.`)
  const fourth = await create()
  assert.equal(fourth.assigned_to, asha.email)
  assert.ok((await lastSummary(fourth.id)).endsWith(`Assigned to Asha. ${all}`))
  const { body } = await portal.send({ name: 'Of no one', phone: phone() })
  assert.ok((await lastSummary(body.data.id)).endsWith(`Unassigned. ${all}`))

  await admin!.send('PATCH', '/web/account', { fallback_owner: bela.id })
  t.after(() => admin!.send('PATCH', '/web/account', { fallback_owner: null }))
  const fifth = await create()
  assert.equal(fifth.assigned_to, bela.email)
  assert.ok((await lastSummary(fifth.id)).endsWith(`Assigned to Bela, the fallback owner. ${none}`))
  assert.equal((await preview()).next.email, bela.email)
})

test('merges and rejected leads use up no limit, and the next day starts again', async (t) => {
  t.after(removeRules)
  t.after(() => {
    now = monday
  })
  const id = await addRule({ name: 'Limited', people: [{ user_id: bela.id, weight: 1 }], daily_limit: 2 })
  const first = await create({ phone: '98 7600 0001' })
  for (let n = 0; n < 3; n++) assert.equal((await create({ phone: '98 7600 0001' })).id, first.id)
  const before = await turnsOf(id)
  assert.deepEqual(before, { day: '2026-11-23', leads: { [bela.id]: 1 } })
  assert.equal((await asha.send('POST', '/api/v1/leads', { name: 'No contact' })).status, 400)
  assert.deepEqual(await turnsOf(id), before)
  assert.deepEqual(perOwner([await create(), await create()]), { Asha: 1, Bela: 1, Chand: 0 })
  // Midnight in India.
  now = new Date('2026-11-23T18:29:00Z')
  assert.equal((await create()).assigned_to, asha.email)
  now = new Date('2026-11-23T18:31:00Z')
  assert.equal((await create()).assigned_to, bela.email)
  assert.deepEqual(await turnsOf(id), { day: '2026-11-24', leads: { [bela.id]: 1 } })
})

test('an import respects the limit within one batch, and its merges give back what they took', async (t) => {
  t.after(removeRules)
  const id = await addRule({ name: 'Limited', people: toBoth, daily_limit: 3 })
  const rows = Array.from({ length: 12 }, (_, n) => `Row ${n},${phone()}`)
  const upload = async (some: string[]) => {
    const body = ['Name,Phone', ...some].join('\r\n')
    const { status } = await admin!.send('POST', '/web/leads/import?dry_run=false', body, {
      'content-type': 'text/csv',
    })
    assert.equal(status, 200)
  }
  const owners = async () => {
    const counted = await owner`select assigned_to, count(*)::int as n from leads where name like 'Row %' group by 1`
    return Object.fromEntries(counted.map((one) => [one.assigned_to, one.n]))
  }
  await upload(rows.slice(0, 2))
  await upload(rows.slice(0, 2))
  assert.deepEqual((await turnsOf(id)).leads, { [bela.id]: 1, [chand.id]: 1 })
  await upload(rows.slice(2))
  assert.deepEqual(await owners(), { [bela.id]: 3, [chand.id]: 3, [asha.id]: 6 })
})
