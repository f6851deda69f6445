import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { auditOf, world } from '#test/records.ts'
import { asActor } from '../../platform/database/actor.ts'
import { everyText } from '../leads/fields.ts'
import { findDuplicates, removeOldPairs } from './background.ts'
import { chooseFields } from './choose-fields.ts'
import { maxPossibleDuplicates } from './contract.ts'
import { separateFields } from './join-fields.ts'
import { areNearPhones, likeness } from './likeness.ts'

const app = await testApp()
after(app.close)
const { owner, database } = app
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = await Promise.all(
  [asha, meena, bela, zoya].map(async (person) => (await signedIn(app, person))!),
)

const create = async (lead: object): Promise<string> => {
  const { status, body } = await asha.send('POST', '/api/v1/leads', { assigned_to: bela.email, ...lead })
  assert.equal(status, 201)
  return body.data.id
}
/** As the hourly job does, an hour later. */
const search = () =>
  asActor(database, acme, (tx) => findDuplicates(tx, acme.account_id, new Date(Date.now() + 3_600_000), 500))
const listed = async (browser = admin!) => (await browser.send('GET', '/web/duplicates')).body

for (const [one, other, reason] of [
  [['Ravi Kumar', 'Pune', null], ['ravi  KUMAR.', 'pune ', null], 'name_and_city'],
  [['Ravi Kumar', 'Pune', null], ['Ravi Kumar', 'Goa', null], null],
  [['Ravi Kumar', null, null], ['Ravi Kumar', null, null], null],
  [['Zoé', 'Pune', null], ['Zoe', 'Pune', null], null],
  [['José Díaz', 'Pune', null], ['Jose Diaz', 'Pune', null], 'name_and_city'],
  [['रवि कुमार', 'पुणे', null], ['रवि कुमार', 'पुणे', null], 'name_and_city'],
  [['रवि कुमार', 'पुणे', null], ['रव कुमार', 'पुणे', null], null],
  [['Ravi Kumar', null, '+919810000001'], ['Ravi Kumar', null, '+919810000010'], 'near_phone'],
  [['Ravi Kumar', null, '+919810000001'], ['Ravi Kumar', null, '+919810000029'], null],
] as const)
  test(`${one.join()} and ${other.join()}: ${reason}`, () => {
    const person = ([name, city, phone_key]: readonly [string, string | null, string | null]) => ({
      name,
      city,
      phone_key,
    })
    assert.equal(likeness(person(one), person(other)), reason)
    assert.equal(likeness(person(other), person(one)), reason)
  })

test('phones are near if one digit differs or two beside each other are swapped', () => {
  for (const [other, isNear] of [
    ['12345', false],
    ['12349', true],
    ['21345', true],
    ['32145', false],
    ['1234', false],
    ['99345', false],
  ] as const)
    assert.equal(areNearPhones('12345', other), isNear, other)
})

const lead = {
  name: 'Ravi',
  phone: '1',
  email: null,
  ...everyText(() => null),
  city: 'Pune',
  source: 'Web',
  status: 'Lost',
  priority: 'Low',
  tags: ['a'],
  deal_value: null,
  notes: 'First',
  assigned_to: 'x',
  created_at: new Date(2),
  updated_at: new Date(2),
  call_again_at: null,
} as const
test('by default a merge takes what the kept lead has not, the further status, the first source and the next call', () => {
  const chosen = (kept: object, other: object) =>
    chooseFields({ ...lead, tags: [], ...kept }, { ...lead, tags: [], ...other })
  assert.deepEqual(chosen({}, {}), [])
  assert.deepEqual(chosen({}, { email: 'a@b.in', company: 'C', deal_value: 1, city: null }), [
    'email',
    'company',
    'deal_value',
  ])
  assert.deepEqual(chosen({}, { status: 'New', priority: 'High' }), ['status', 'priority'])
  assert.deepEqual(chosen({ status: 'Won' }, { status: 'Proposal' }), [])
  assert.deepEqual(chosen({}, { name: 'Newer', updated_at: new Date(3), phone: '2', assigned_to: 'y' }), ['name'])
  assert.deepEqual(chosen({}, { name: '1', updated_at: new Date(3) }), [])
  assert.deepEqual(chosen({ name: '1' }, {}), ['name'])
  assert.deepEqual(chosen({ phone: '9999999999' }, {}), ['phone'])
  assert.deepEqual(chosen({}, { source: 'Expo', created_at: new Date(1) }), ['source'])
  assert.deepEqual(chosen({ assigned_to: null }, {}), ['assigned_to'])
  assert.deepEqual(chosen({ call_again_at: new Date(9) }, { call_again_at: new Date(8) }), ['call_again_at'])
})

test('undoing a merge restores what it wrote, and leaves what was changed since', () => {
  const before = { ...lead, tags: ['a'] }
  const after = { ...before, city: 'Goa', status: 'Won', tags: ['a', 'b'], notes: 'First\n\nSecond' } as const
  const now = { ...after, tags: ['b', 'c', 'a'], city: 'Surat', notes: 'First\n\nSecond\n\nThird' }
  const undone = separateFields({ before, after: { ...after, tags: [...after.tags] }, now }, () => false)
  assert.deepEqual(
    [undone.city, undone.status, undone.tags, undone.notes],
    ['Surat', 'Lost', ['c', 'a'], 'First\n\nThird'],
  )
  const edited = separateFields({ before, after: { ...after, tags: [] }, now: { ...now, notes: 'Edited' } }, () => true)
  assert.deepEqual([edited.notes, edited.phone], ['Edited', '1'])
})

test('leads of the same name and city, and with nearly the same phone, are suggested once, and not those of a common name', async () => {
  const [a, b] = [
    await create({ name: 'Anita Shah', phone: '98200 00001', city: 'Pune' }),
    await create({ name: 'anita shah', phone: '98200 99999', city: 'PUNE' }),
  ]
  const c = await create({ name: 'Vikram Rao', phone: '98200 00002' })
  const d = await create({ name: 'Vikram Rao', phone: '98200 00020', assigned_to: chand.email })
  for (let n = 0; n < 30; n++)
    await create({ name: 'Amit', phone: `98201 000${String(n).padStart(2, '0')}`, city: 'Delhi' })
  assert.ok((await search()) > 0)
  assert.equal(await search(), 0)
  const found = (body: { data: { leads: { id: string }[]; reason: string }[] }) =>
    body.data.map(({ leads, reason }) => [reason, leads.map(({ id }) => id).sort()]).sort()
  assert.deepEqual(found(await listed()), [
    ['name_and_city', [a, b].sort()],
    ['near_phone', [c, d].sort()],
  ])
  // A Manager sees pairs of which they see both leads, an Agent none.
  assert.deepEqual(found(await listed(manager!)), [['name_and_city', [a, b].sort()]])
  assert.equal((await agent!.send('GET', '/web/duplicates')).status, 403)
  assert.deepEqual((await listed(stranger!)).data, [])
  const ofLead = async (id: string, browser = admin!) => browser.send('GET', `/web/leads/${id}/duplicates`)
  assert.deepEqual((await ofLead(c)).body.data.possible[0].lead.id, d)
  assert.deepEqual((await ofLead(c, manager!)).body.data.possible, [])
  assert.equal((await ofLead(d, manager!)).status, 404)
  assert.equal((await ofLead(c, stranger!)).status, 404)

  const dismiss = (browser: typeof admin, lead_id: string, other_id: string) =>
    browser!.send('POST', '/web/duplicates/dismissals', { pairs: [{ lead_id, other_id }] })
  const unchanged = await world(owner)
  assert.equal((await dismiss(manager, c, d)).status, 404)
  assert.equal((await dismiss(agent, a, b)).status, 403)
  assert.equal((await dismiss(stranger, a, b)).status, 404)
  assert.deepEqual(await world(owner), unchanged)
  assert.equal((await dismiss(manager, b, a)).status, 201)
  assert.deepEqual(found(await listed(manager!)), [])
  assert.equal((await auditOf(owner, b)).at(-1)!.action, 'lead.duplicate_dismissed')
  // Permanently: also when a lead changes, or a submission names both.
  await admin!.send('PATCH', `/web/leads/${a}`, { company: 'New' })
  await search()
  assert.deepEqual(found(await listed(manager!)), [])
})

test('many pairs are dismissed at once, all or none, and the count is of those that a user sees', async () => {
  const pairOf = async (name: string, owner: string) => {
    const [lead_id, other_id] = [
      await create({
        name,
        city: 'Surat',
        phone: `98300 ${10_000 + Math.floor(Math.random() * 80_000)}`,
        assigned_to: owner,
      }),
      await create({ name, city: 'Surat', email: `${name.replaceAll(' ', '')}@example.com`, assigned_to: owner }),
    ]
    return { lead_id, other_id }
  }
  const before = (await admin!.send('GET', '/web/duplicates/count')).body.data.count
  const pairs = [await pairOf('Kiran Desai', bela.email), await pairOf('Leela Nair', bela.email)]
  const hidden = await pairOf('Mohan Lal', chand.email)
  for (const { lead_id, other_id } of [...pairs, hidden])
    await owner`insert into lead_conflicts (account_id, lead_id, other_lead_id, found_at)
      values (${acme.account_id}, ${[lead_id, other_id].sort()[0]!}, ${[lead_id, other_id].sort()[1]!}, now())`
  const count = async (browser = admin!) => (await browser.send('GET', '/web/duplicates/count')).body.data
  assert.deepEqual(await count(), { count: before + 3, capped: false })
  assert.deepEqual(await count(manager!), { count: 2, capped: false })
  assert.deepEqual(await count(stranger!), { count: 0, capped: false })
  assert.equal((await agent!.send('GET', '/web/duplicates/count')).status, 403)

  const dismiss = (browser: typeof admin, body: object) => browser!.send('POST', '/web/duplicates/dismissals', body)
  const unchanged = await world(owner)
  for (const [browser, body, status, field] of [
    [manager, { pairs: [...pairs, hidden] }, 404, 'pairs.2.lead_id'],
    [stranger, { pairs }, 404, 'pairs.0.lead_id'],
    [agent, { pairs }, 403, undefined],
    [manager, { pairs: [] }, 400, 'pairs'],
    [manager, { pairs: Array(101).fill(pairs[0]) }, 400, 'pairs'],
    [manager, { pairs: [{ lead_id: pairs[0]!.lead_id }] }, 400, 'pairs'],
  ] as const) {
    const answer = await dismiss(browser, body)
    assert.deepEqual([answer.status, answer.body.error.field], [status, field])
  }
  assert.deepEqual(await world(owner), unchanged)

  const reversed = { lead_id: pairs[0]!.other_id.toUpperCase(), other_id: pairs[0]!.lead_id }
  assert.equal((await dismiss(manager, { pairs: [reversed, pairs[1]!, pairs[1]!] })).status, 201)
  assert.deepEqual(await count(manager!), { count: 0, capped: false })
  assert.deepEqual(await count(), { count: before + 1, capped: false })
  for (const { lead_id, other_id } of [reversed, pairs[1]!]) {
    const entries = (await auditOf(owner, lead_id.toLowerCase())).filter(
      ({ action }) => action === 'lead.duplicate_dismissed',
    )
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ other_lead: other_id }],
    )
  }
})

test('an account keeps a limited number of possible duplicates, the latest ones', async () => {
  const a = await create({ name: 'One', phone: '98200 00101' })
  await owner`insert into leads (account_id, id, name, phone_key, source, status, priority, created_at, updated_at)
    select ${acme.account_id}, gen_random_uuid(), 'Many', 'x' || n, 'API', 'New', 'Low', now(), now()
    from generate_series(1, ${maxPossibleDuplicates + 50}) n`
  await owner`insert into lead_conflicts (account_id, lead_id, other_lead_id, found_at)
    select account_id, least(id, ${a}::uuid), greatest(id, ${a}::uuid), now() from leads where name = 'Many'`
  const remove = () => asActor(database, acme, (tx) => removeOldPairs(tx, acme.account_id, 500))
  assert.ok((await remove()) > 0)
  assert.equal(await remove(), 0)
  assert.equal((await listed()).pagination.total, maxPossibleDuplicates)
  assert.deepEqual((await admin!.send('GET', '/web/duplicates/count')).body.data, { count: 99, capped: true })
})
