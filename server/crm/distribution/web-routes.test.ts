import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { auditOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../platform/database/actor.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, other, asha, meena, bela, chand, zoya } = await people(app)
const admin = await signedIn(app, asha)
const portal = await webhookOf(app, acme, { default_assignee: chand.id })
const foreign = await webhookOf(app, other)
const rules = '/web/distribution-rules'

const kept = async () => JSON.stringify(await owner`select * from distribution_rules order by id`)
const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)
const idOf = ({ data }: { data: { id: string; name: string }[] }, wanted: string) =>
  data.find(({ name }) => name === wanted)!.id

test('rules are added at a position, moved, changed and removed, and apply to the next lead', async () => {
  const fair = {
    name: 'Fair',
    sources: ['Fair'],
    people: [
      { user_id: bela.id, weight: 2 },
      { user_id: chand.id, weight: 1 },
    ],
  }
  const first = await admin!.send('POST', rules, fair)
  assert.equal(first.status, 201, JSON.stringify(first.body))
  const all = { name: 'All', people: [{ user_id: meena.id, weight: 1 }] }
  assert.deepEqual(names((await admin!.send('POST', rules, { ...all, position: 1 })).body), ['All', 'Fair'])
  const assigned = async (phone: string) =>
    (await asha.send('POST', '/api/v1/leads', { name: 'L', phone, source: 'Fair' })).body.data.assigned_to
  assert.equal(await assigned('9860000001'), meena.email)
  const moved = (await admin!.send('PUT', `${rules}/${idOf(first.body, 'Fair')}/position`, { position: 1 })).body
  assert.deepEqual(names(moved), ['Fair', 'All'])
  assert.deepEqual(
    [moved.data[0].position, moved.data[0].people[0]],
    [1, { user_id: bela.id, name: 'Bela', email: bela.email, active: true, weight: 2 }],
  )
  assert.equal(await assigned('9860000002'), bela.email)
  const id = idOf(first.body, 'Fair')
  const changed = (await admin!.send('PATCH', `${rules}/${id}`, { name: 'Fairs', cities: ['Pune'] })).body
  assert.deepEqual(
    [changed.data[0].name, changed.data[0].sources, changed.data[0].cities],
    ['Fairs', ['Fair'], ['Pune']],
  )
  assert.equal(await assigned('9860000003'), meena.email)
  assert.deepEqual((await admin!.send('DELETE', `${rules}/${id}`)).body.data, { id, deleted: true })
  assert.deepEqual(names((await admin!.send('GET', rules)).body), ['All'])
  const log = await auditOf(owner, id)
  assert.deepEqual(
    log.map(({ action }) => action.split('.')[1]),
    ['created', 'moved', 'changed', 'removed'],
  )
  assert.deepEqual(log.at(-1)!.details, { name: 'Fairs' })
})

test('a change of a rule that somebody else changed meanwhile answers 409', async () => {
  const people = [{ user_id: bela.id, weight: 1 }]
  const made = (await admin!.send('POST', rules, { name: 'Shared', sources: ['Fair'], people })).body
  const id = idOf(made, 'Shared')
  await admin!.send('PATCH', `${rules}/${id}`, { people: [{ user_id: chand.id, weight: 3 }], was: { people } })
  const before = await kept()
  const late = await admin!.send('PATCH', `${rules}/${id}`, {
    people: [...people, { user_id: meena.id, weight: 1 }],
    was: { people },
  })
  assert.deepEqual([late.status, late.body.error.field], [400, 'people'])
  assert.equal(await kept(), before)
  await admin!.send('PATCH', `${rules}/${id}`, { sources: ['Expo'], was: { sources: ['Fair'] } })
  const [rule] = (await admin!.send('GET', rules)).body.data.filter((one: { id: string }) => one.id === id)
  assert.deepEqual([rule.sources, rule.people[0].weight], [['Expo'], 3])
  await admin!.send('DELETE', `${rules}/${id}`)
})

test('a preview names the next owner and the reason, and uses no round robin position', async () => {
  const preview = async (lead: object) => (await admin!.send('POST', `${rules}/preview`, lead)).body.data
  const shared = {
    name: 'Shared',
    tags: ['vip'],
    people: [
      { user_id: bela.id, weight: 1 },
      { user_id: chand.id, weight: 1 },
    ],
  }
  await admin!.send('POST', rules, { ...shared, position: 1 })
  for (let times = 0; times < 2; times++) {
    const { next, because, rule } = await preview({ source: 'API', tags: ['VIP'] })
    assert.deepEqual([next.email, rule.position], [bela.email, 1])
    assert.equal(because, 'The rule “Shared” is the first that matches, and Bela is next in its round robin.')
  }
  await asha.send('POST', '/api/v1/leads', { name: 'V', phone: '9860000010', tags: ['vip'] })
  assert.equal((await preview({ source: 'API', tags: ['vip'] })).next.email, chand.email)
  assert.equal((await preview({ source: 'API' })).rule.name, 'All')
  await admin!.send('DELETE', `${rules}/${idOf((await admin!.send('GET', rules)).body, 'All')}`)
  const fallback = await preview({ source: 'API', webhook_id: portal.id })
  assert.deepEqual([fallback.rule, fallback.next.email], [null, chand.email])
  assert.match(fallback.because, /default of the webhook/)
  assert.match((await preview({ source: 'API' })).because, /the owner is the user of the API key that sends it/)
})

test('rules match what the enquiry names and what the person answered, as the preview does', async () => {
  const budget = { question: 'What is your budget?', answers: ['60 lakh', '80 lakh'] }
  const wanted = { campaigns: ['Diwali'], answers: [budget] }
  const made = await admin!.send('POST', rules, {
    name: 'Diwali',
    position: 1,
    people: [{ user_id: chand.id, weight: 1 }],
    ...wanted,
  })
  assert.deepEqual(made.body.data[0].answers, [budget])
  const send = async (phone: string, more: object) => {
    await portal.send({ name: 'D', phone, ...more })
    const [lead] = await owner`select assigned_to from leads where phone_key = ${`+91${phone}`}`
    return lead!.assigned_to
  }
  const noRule = await owner`update webhooks set default_assignee = ${meena.id} where id = ${portal.id}`
  assert.equal(noRule.count, 1)
  const asked = { utm_campaign: 'DIWALI', 'What is your budget?': '80 Lakh' }
  assert.equal(await send('9860000021', asked), chand.id)
  assert.notEqual(await send('9860000022', { ...asked, utm_campaign: 'Holi' }), chand.id)
  assert.notEqual(await send('9860000023', { ...asked, 'What is your budget?': '20 lakh' }), chand.id)
  const preview = async (lead: object) =>
    (await admin!.send('POST', `${rules}/preview`, { source: 'API', ...lead })).body.data.rule?.name
  const answers = [{ question: budget.question, answer: '80 lakh' }]
  assert.equal(await preview({ campaign: 'diwali', answers }), 'Diwali')
  assert.notEqual(await preview({ campaign: 'diwali' }), 'Diwali')
  const questions = (await admin!.send('GET', `${rules}/questions`)).body.data
  assert.deepEqual(questions, [{ question: budget.question, answers: ['80 Lakh', '20 lakh'] }])
  const id = idOf(made.body, 'Diwali')
  await admin!.send('PATCH', `${rules}/${id}`, { answers: [], forms: ['Visit'], was: { answers: [budget], forms: [] } })
  const [rule] = (await admin!.send('GET', rules)).body.data
  assert.deepEqual([rule.answers, rule.campaigns, rule.forms], [[], ['Diwali'], ['Visit']])
  for (const answers of [[{ question: '', answers: ['x'] }], [{ question: 'Budget', answers: [] }]])
    assert.equal((await admin!.send('PATCH', `${rules}/${id}`, { answers })).status, 400)
  await owner`delete from leads where name = 'D'`
  await admin!.send('DELETE', `${rules}/${id}`)
})

test('recent assignments are listed with their rule, also if it was removed', async () => {
  const { data } = (await admin!.send('GET', `${rules}/assignments`)).body
  assert.deepEqual(
    data.map((one: { lead_name: string; rule_name: string | null }) => [one.lead_name, one.rule_name]),
    [
      ['V', 'Shared'],
      ['L', null],
      ['L', null],
      ['L', null],
    ],
  )
  assert.deepEqual([data[0].assigned_to, data[0].summary.includes('by the rule “Shared”')], [bela.email, true])
})

test('recent assignments are read from an index', async () => {
  const plan = await asActor(app.database, acme, async (tx) => {
    await tx`set local enable_seqscan = off`
    return tx`explain select lead_id from timeline_entries where account_id = ${acme.account_id} and details ? 'rule_id'
      order by at desc limit 50`
  })
  assert.match(JSON.stringify(plan), /timeline_by_rule/)
})

test('users and webhooks of other accounts, no users and invalid weights answer 400', async () => {
  const before = await kept()
  const to = [{ user_id: bela.id, weight: 1 }]
  for (const [rule, field] of [
    [{ people: [{ user_id: zoya.id, weight: 1 }] }, 'people'],
    [{ people: [] }, 'people'],
    [{ people: [{ user_id: bela.id, weight: 0 }] }, 'people'],
    [{ people: [...to, { user_id: bela.id, weight: 2 }] }, 'people'],
    [{ people: to, webhook_ids: [foreign.id] }, 'webhook_ids'],
    [{ people: to, position: 0 }, 'position'],
  ] as const) {
    const refused = await admin!.send('POST', rules, { name: 'R', ...rule })
    assert.deepEqual([refused.status, refused.body.error.field], [400, field])
  }
  assert.equal(await kept(), before)
})

test('the conditions of a rule have at most 50,000 characters together', async () => {
  const browser = await signedIn(app, asha)
  const long = (n: number) => Array.from({ length: 200 }, (_, at) => `${n} ${at} ${'x'.repeat(80)}`)
  const body = { name: 'Long', people: [{ user_id: asha.id, weight: 1 }], sources: long(1), cities: long(2) }
  const { status, body: added } = await browser.send('POST', '/web/distribution-rules', body)
  assert.equal(status, 201, JSON.stringify(added))
  const rules = (await browser.send('GET', '/web/distribution-rules')).body.data
  const { id } = rules.find(({ name }: { name: string }) => name === 'Long')
  const more = await browser.send('PATCH', `/web/distribution-rules/${id}`, { tags: long(3) })
  const message = 'The conditions and users of a rule have at most 50000 characters. Divide them among several rules.'
  assert.deepEqual([more.status, more.body.error.message], [400, message])
  assert.deepEqual((await browser.send('GET', '/web/distribution-rules')).body.data, rules)
  const third = { ...body, tags: long(3) }
  assert.equal((await browser.send('POST', '/web/distribution-rules', third)).body.error.message, message)
})
