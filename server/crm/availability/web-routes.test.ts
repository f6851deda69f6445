import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, type Player, people, signedIn } from '#test/people.ts'
import { auditOf, timelineOf, world } from '#test/records.ts'

/** Monday, 11:00 in India. */
let now = new Date('2026-11-23T05:30:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { owner } = app
const { asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent] = await Promise.all([asha, meena, bela].map((one) => signedIn(app, one)))

const absences = ({ id }: Player) => `/web/availability/${id}/absences`
const stateOf = async ({ id }: Player, browser = admin!) =>
  (await browser.send('GET', '/web/availability')).body.data.find((one: { user_id: string }) => one.user_id === id)
const idsOf = async (browser = admin!) =>
  (await browser.send('GET', '/web/availability')).body.data.map((one: { user_id: string }) => one.user_id)

test('an invited user is neither available nor outside working hours until they join, and rules choose them as before', async () => {
  const invitation = { email: 'dev@x.example', name: 'Dev', role: 'Agent', team: 'north' }
  const { user_id, link } = (await admin!.send('POST', '/web/users', invitation)).body.data
  const dev = { id: user_id } as Player
  const rule = { name: 'Expo', sources: ['Expo'], people: [{ user_id, weight: 1 }] }
  assert.equal((await admin!.send('POST', '/web/distribution-rules', rule)).status, 201)
  const next = async () =>
    (await admin!.send('POST', '/web/distribution-rules/preview', { source: 'Expo' })).body.data.next?.user_id
  for (const browser of [admin, manager]) assert.equal((await stateOf(dev, browser)).state, 'invited')
  assert.equal(await next(), user_id)
  now = new Date('2026-11-22T05:30:00Z')
  assert.equal((await stateOf(dev, manager)).state, 'invited')
  const token = link.replace(`${app.url}/join/`, '')
  const joined = await ask(
    app.url,
    null,
    'POST',
    '/web-public/join',
    { token, password: 'a long password' },
    { origin: app.url },
  )
  assert.equal(joined.status, 200)
  assert.equal((await stateOf(dev, manager)).state, 'outside_hours')
  now = new Date('2026-11-23T05:30:00Z')
  assert.equal((await stateOf(dev, manager)).state, 'available')
  await admin!.send('POST', `/web/users/${user_id}/deactivation`, {})
})

let made = 0
async function newLead() {
  const lead = { name: 'Ravi', phone: `98630${String(++made).padStart(5, '0')}`, source: 'Fair' }
  const { body } = await asha.send('POST', '/api/v1/leads', lead)
  const [entry] = await timelineOf(owner, body.data.id)
  return { owner: body.data.assigned_to, summary: entry!.summary as string }
}

test('each user sees and sets those whose leads they see, and an Agent only their own', async () => {
  assert.deepEqual(new Set(await idsOf()), new Set([asha, meena, bela, chand].map(({ id }) => id)))
  assert.deepEqual(new Set(await idsOf(manager)), new Set([meena.id, bela.id]))
  assert.deepEqual(await idsOf(agent), [bela.id])
  const before = await world(owner)
  for (const [browser, user] of [
    [manager, chand],
    [manager, asha],
    [agent, meena],
    [admin, zoya],
  ] as const) {
    for (const { status } of [
      await browser!.send('POST', absences(user), {}),
      await browser!.send('PATCH', `/web/availability/${user.id}`, { working_hours: null }),
      await browser!.send('DELETE', `${absences(user)}/${user.id}`),
    ])
      assert.equal(status, 404)
  }
  assert.deepEqual(await world(owner), before)
})

test('a user who is away gets no leads until they are back, and the timeline says why', async () => {
  const rule = {
    name: 'Fair',
    sources: ['Fair'],
    people: [
      { user_id: bela.id, weight: 1 },
      { user_id: chand.id, weight: 1 },
    ],
  }
  assert.equal((await admin!.send('POST', '/web/distribution-rules', rule)).status, 201)
  assert.equal((await newLead()).owner, bela.email)
  const away = await agent!.send('POST', absences(bela), {})
  assert.equal(away.status, 201, JSON.stringify(away.body))
  const { state, away_until } = await stateOf(bela, manager)
  assert.deepEqual([state, away_until], ['away', '2026-11-23'])
  for (let n = 0; n < 3; n++) assert.equal((await newLead()).owner, chand.email)
  assert.match((await newLead()).summary, /Assigned to Chand by the rule “Fair”\. Bela is away today\.$/)
  const preview = await admin!.send('POST', '/web/distribution-rules/preview', { source: 'Fair' })
  assert.equal(preview.body.data.because, 'The rule “Fair” is the first that matches. Bela is away today.')
  await agent!.send('DELETE', `${absences(bela)}/${away.body.data.id}`)
  const owners = [(await newLead()).owner, (await newLead()).owner]
  assert.deepEqual(owners.sort(), [bela.email, chand.email])
  assert.deepEqual(
    (await auditOf(owner, bela.id)).map(({ action }) => action).filter((action) => /away|back/.test(action)),
    ['user.away', 'user.back'],
  )
})

test('leave of whole days is set by a Manager, listed, and ends by itself', async () => {
  const leave = await manager!.send('POST', absences(bela), { from: '2026-11-25', until: '2026-11-27' })
  assert.equal(leave.status, 201)
  const listed = await stateOf(bela, agent)
  assert.deepEqual(
    [listed.state, listed.absences],
    ['available', [{ id: leave.body.data.id, from: '2026-11-25', until: '2026-11-27', is_present: false }]],
  )
  now = new Date('2026-11-26T05:30:00Z')
  assert.equal((await stateOf(bela)).state, 'away')
  assert.equal((await newLead()).owner, chand.email)
  now = new Date('2026-11-28T05:30:00Z')
  assert.deepEqual([(await stateOf(bela)).state, (await stateOf(bela)).absences], ['available', []])
})

test('own working hours apply instead of those of the account, and are undone', async () => {
  const hours = { work_days: [6], work_from: 21 * 60, work_until: 2 * 60 }
  const changed = await agent!.send('PATCH', `/web/availability/${bela.id}`, { working_hours: hours })
  assert.deepEqual([changed.status, changed.body.data], [200, { working_hours: null }])
  assert.deepEqual((await stateOf(bela)).working_hours, hours)
  assert.equal((await stateOf(bela)).state, 'outside_hours')
  assert.equal((await newLead()).owner, chand.email)
  await agent!.send('PATCH', `/web/availability/${bela.id}`, { working_hours: null })
  assert.equal((await stateOf(bela)).state, 'available')
})

test('while no user is available, the fallback owner gets the lead; without one, it is shared as before', async () => {
  now = new Date('2026-11-28T18:00:00Z')
  assert.ok([bela.email, chand.email].includes((await newLead()).owner))
  assert.equal((await admin!.send('PATCH', '/web/account', { fallback_owner: meena.id })).status, 200)
  const { owner: fallback, summary } = await newLead()
  assert.equal(fallback, meena.email)
  assert.match(summary, /Assigned to Meena, the fallback owner\. No user of the rule “Fair” is available\.$/)
  const { because, next } = (await admin!.send('POST', '/web/distribution-rules/preview', { source: 'Fair' })).body.data
  assert.deepEqual(
    [next.email, because],
    [meena.email, 'Meena is the fallback owner of the account. No user of the rule “Fair” is available.'],
  )
  const before = await world(owner)
  for (const [browser, fallback_owner, status] of [
    [admin, zoya.id, 400],
    [manager, bela.id, 403],
    [agent, null, 403],
  ] as const)
    assert.equal((await browser!.send('PATCH', '/web/account', { fallback_owner })).status, status)
  assert.deepEqual(await world(owner), before)
  await admin!.send('PATCH', '/web/account', { fallback_owner: null })
})

test('impossible absences and hours are rejected, and so is the 21st absence', async () => {
  for (let n = 0; n < 20; n++)
    assert.equal((await agent!.send('POST', absences(bela), { from: '2026-12-01' })).status, 201)
  const before = await world(owner)
  for (const [method, path, body, field] of [
    ['POST', absences(bela), { from: '2026-11-27' }, 'from'],
    ['POST', absences(bela), { until: '2026-11-27' }, 'until'],
    ['POST', absences(bela), { from: '2026-12-02', until: '2026-12-01' }, 'until'],
    ['POST', absences(bela), { until: '2029-01-01' }, 'until'],
    ['POST', absences(bela), { from: '2029-01-01' }, 'from'],
    ['POST', absences(bela), { from: '2026-02-30' }, 'from'],
    ['POST', absences(bela), { from: '2026-12-01' }, undefined],
    [
      'PATCH',
      `/web/availability/${bela.id}`,
      { working_hours: { work_days: [1], work_from: 600, work_until: 630 } },
      'work_until',
    ],
    [
      'PATCH',
      `/web/availability/${bela.id}`,
      { working_hours: { work_days: [], work_from: 600, work_until: 700 } },
      'working_hours',
    ],
  ] as const) {
    const { status, body: answer } = await agent!.send(method, path, body)
    assert.deepEqual([status, answer.error.field], [400, field], JSON.stringify(answer))
  }
  assert.deepEqual(await world(owner), before)
})

test('15 absences at once do not exceed the limit of a user', async () => {
  await owner`update users set absences = '[]' where id = ${chand.id}`
  const add = () => admin!.send('POST', absences(chand), { from: '2026-12-01' })
  for (let n = 0; n < 18; n++) assert.equal((await add()).status, 201)
  const answers = await Promise.all(Array.from({ length: 15 }, add))
  assert.equal(answers.filter(({ status }) => status === 201).length, 2, JSON.stringify(answers.at(-1)!.body))
  assert.equal((await stateOf(chand)).absences.length, 20)
})
