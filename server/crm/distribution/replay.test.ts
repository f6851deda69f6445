import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

/** Monday, 11:00 in India. */
const app = await testApp({}, () => new Date('2026-11-23T05:30:00Z'))
after(app.close)
const { owner } = app
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = await Promise.all(
  [asha, meena, bela, zoya].map(async (one) => (await signedIn(app, one))!),
)
const portal = await webhookOf(app, acme)
const rules = '/web/distribution-rules'
const path = `${rules}/replay`
const to = (...users: { id: string }[]) => users.map(({ id }) => ({ user_id: id, weight: 1 }))

let ruleId = ''
test('a rule is tried with the last leads: what each user gets before and after, and which leads go elsewhere', async () => {
  const { body } = await admin!.send('POST', rules, { name: 'Pune', cities: ['Pune'], people: to(bela) })
  ruleId = body.data[0].id
  for (const [n, city] of ['Pune', 'Pune', 'Pune', 'Pune', 'Goa', 'Goa'].entries())
    await portal.send({ name: `Lead ${n}`, phone: `98710 0000${n}`, city })
  // Rules do not affect what an Agent enters.
  await agent!.send('POST', '/web/leads', { name: 'Own', phone: '98710 00009' })
  const before = await world(owner)
  const edited = { name: 'Pune', cities: ['Pune'], people: to(bela, chand), daily_limit: 1 }
  const changed = await admin!.send('POST', path, { id: ruleId, ...edited })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const { users, examples, ...counts } = changed.body.data
  assert.deepEqual(
    users.map(({ name, before, after }: { name: string; before: number; after: number }) => [name, before, after]),
    [
      ['Bela', 4, 1],
      ['Chand', 0, 1],
    ],
  )
  assert.deepEqual(counts, {
    leads: 6,
    not_affected: 1,
    by: {
      this_rule: { before: 4, after: 2 },
      other_rules: { before: 0, after: 0 },
      fallback_owner: { before: 0, after: 0 },
      no_rule: { before: 2, after: 4 },
    },
    offered: { before: 0, after: 0 },
    moved: 3,
  })
  assert.deepEqual(
    examples.map((one: { before: string; after: string | null }) => [one.before, one.after]).sort(),
    [
      ['Bela', 'Chand'],
      ['Bela', null],
      ['Bela', null],
    ].sort(),
  )
  const added = await admin!.send('POST', path, { name: 'All', people: to(chand) })
  assert.deepEqual(added.body.data.by, {
    this_rule: { before: 0, after: 2 },
    other_rules: { before: 4, after: 4 },
    fallback_owner: { before: 0, after: 0 },
    no_rule: { before: 2, after: 0 },
  })
  const paused = await admin!.send('POST', path, { id: ruleId, ...edited, paused: true })
  assert.deepEqual(paused.body.data.by.no_rule, { before: 2, after: 6 })
  assert.deepEqual(await world(owner), before)
})

test('it is tried with the enquiries that created the leads', async () => {
  const enquiry = { utm_campaign: 'Diwali', 'What is your budget?': '60 lakh' }
  await portal.send({ name: 'Of Diwali', phone: '98710 00011', city: 'Goa', ...enquiry })
  await portal.send({ name: 'Other', phone: '98710 00012', city: 'Goa', ...enquiry, utm_campaign: 'Holi' })
  const tried = async (conditions: object) => {
    const { body } = await admin!.send('POST', path, { name: 'Diwali', people: to(chand), ...conditions })
    return body.data.by.this_rule.after
  }
  assert.equal(await tried({ campaigns: ['diwali'] }), 1)
  const answers = [{ question: 'What is your budget?', answers: ['60 LAKH'] }]
  assert.equal(await tried({ answers }), 2)
  assert.equal(await tried({ answers, campaigns: ['Pongal'] }), 0)
})

test('at most 200 leads are read, and ten examples are shown', async () => {
  await Promise.all(
    Array.from({ length: 210 }, (_, n) =>
      portal.send({ name: `Many ${n}`, phone: String(9_872_000_000 + n), city: 'Pune' }),
    ),
  )
  const { body } = await admin!.send('POST', path, { id: ruleId, name: 'Pune', people: to(chand) })
  assert.deepEqual([body.data.leads + body.data.not_affected, body.data.examples.length], [200, 10])
  assert.equal(body.data.moved, body.data.leads)
})

test('only Admins of the account try rules, and with users and webhooks of the account only', async () => {
  const before = await world(owner)
  const rule = { name: 'Pune', people: to(bela) }
  for (const browser of [manager!, agent!])
    assert.equal((await browser.send('POST', path, { id: ruleId, ...rule })).status, 403)
  assert.equal((await stranger!.send('POST', path, { id: ruleId, ...rule, people: to(zoya) })).status, 404)
  for (const [body, field] of [
    [{ ...rule, people: to(zoya) }, 'people'],
    [{ ...rule, daily_limit: 0 }, 'daily_limit'],
    [{ ...rule, webhook_ids: [bela.id] }, 'webhook_ids'],
  ] as const) {
    const refused = await admin!.send('POST', path, body)
    assert.deepEqual([refused.status, refused.body.error.field], [400, field])
  }
  assert.deepEqual(await world(owner), before)
})
