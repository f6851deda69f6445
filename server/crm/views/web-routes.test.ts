import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Answer, people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { until } from '#test/until.ts'
import type { View } from './contract.ts'

const app = await testApp()
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
const { owner } = app
const [admin, manager, agent, stranger] = (await Promise.all(
  [asha, meena, bela, zoya].map((one) => signedIn(app, one)),
)) as [typeof asha, typeof asha, typeof asha, typeof asha]

beforeEach(() => owner`delete from lead_views`)

const add = (browser: typeof asha, name: string, search: object = {}, shared = false) =>
  browser.send('POST', '/web/views', { name, search, shared })
const seenBy = async (browser: typeof asha) =>
  (await browser.send('GET', '/web/views')).body.data.map(({ name, shared }: View) => (shared ? `${name}*` : name))
/** What a busy machine does not count in time, the next request counts. */
async function countsOf(browser: typeof asha) {
  const views = (await browser.send('GET', '/web/views')).body.data as unknown[]
  let counts: object = {}
  await until(async () => {
    counts = (await browser.send('GET', '/web/views/counts')).body.data
    return Object.keys(counts).length === views.length
  }, 'all counts')
  return counts
}

async function rejects(answer: () => Promise<Answer>, status: number, field: string | undefined, message: string) {
  const before = await world(owner)
  const { status: given, body } = await answer()
  assert.deepEqual([given, body.error.field, body.error.message], [status, field, message])
  assert.deepEqual(await world(owner), before)
}

test('users see their own views and the shared ones, by name', async () => {
  const { status, body } = await add(admin, ' नए लीड ', { status: ['New'], days: 7, reverse: true, columns: ['phone'] })
  assert.equal(status, 201)
  const search = { status: ['New'], days: 7, reverse: true, columns: ['phone'] }
  assert.deepEqual(body.data, [{ id: body.id, name: 'नए लीड', shared: false, may_change: true, search }])
  await add(admin, 'Hot', {}, true)
  await add(agent, 'Calls')
  await add(stranger, 'Elsewhere', {}, true)
  assert.deepEqual(await seenBy(admin), ['Hot*', 'नए लीड'])
  assert.deepEqual(await seenBy(agent), ['Calls', 'Hot*'])
  assert.deepEqual(await seenBy(manager), ['Hot*'])
  assert.deepEqual(await seenBy(stranger), ['Elsewhere*'])
})

test('only Admins share with the account, and only they change its views; the audit log has it', async () => {
  const onlySharers = 'Only Admins and Managers of a team can share views. Save your own view instead.'
  const others = 'Only the user who shares this view can change it. Save your own view instead.'
  const none = 'There is no such view.'
  const { id } = (await add(admin, 'Hot', { priority: ['High'] })).body
  const own = (await add(agent, 'Mine')).body.id
  const change = (browser: typeof asha, id: string, body: object) => browser.send('PATCH', `/web/views/${id}`, body)
  assert.equal((await change(admin, id, { shared: true, was: { shared: false } })).status, 200)
  for (const browser of [agent, manager]) {
    await rejects(() => change(browser, id, { name: 'X' }), 403, undefined, others)
    await rejects(() => change(browser, id, { shared: false }), 403, undefined, others)
    await rejects(() => browser.send('DELETE', `/web/views/${id}`), 403, undefined, others)
  }
  await rejects(() => add(agent, 'X', {}, true), 403, undefined, onlySharers)
  await rejects(() => change(agent, own, { shared: true }), 403, undefined, onlySharers)
  for (const browser of [admin, manager, stranger]) {
    await rejects(() => change(browser, own, { name: 'X' }), 404, undefined, none)
    await rejects(() => browser.send('DELETE', `/web/views/${own}`), 404, undefined, none)
  }
  await rejects(() => change(stranger, id, { name: 'X' }), 404, undefined, none)
  const meanwhile = 'name was changed by someone else since you opened this form. Reload, then make your change again.'
  await rejects(() => change(admin, id, { name: 'Y', was: { name: 'Cold' } }), 400, 'name', meanwhile)
  await change(admin, id, { name: 'Hottest', was: { name: 'Hot' } })
  await change(admin, id, { shared: false })
  await change(admin, id, { shared: true })
  assert.equal((await admin.send('DELETE', `/web/views/${id}`)).status, 200)
  const entries = (await admin.send('GET', '/web/audit?action=view')).body.data.slice(0, 5)
  assert.deepEqual(
    entries.map(({ action, details }: { action: string; details: object }) => [action, details]),
    [
      ['view.removed', { name: 'Hottest' }],
      ['view.shared', { name: 'Hottest' }],
      ['view.unshared', { name: 'Hottest' }],
      ['view.changed', { name: 'Hottest', name_before: 'Hot' }],
      ['view.shared', { name: 'Hot' }],
    ],
  )
})

test('a view has a name of its own and valid filters', async () => {
  const { id } = (await add(agent, 'Hot')).body
  await rejects(() => add(agent, ' hOT '), 400, 'name', 'One of your views has this name. Choose another name.')
  await add(agent, 'Cold')
  await rejects(
    () => agent.send('PATCH', `/web/views/${id}`, { name: 'cold' }),
    400,
    'name',
    'One of your views has this name. Choose another name.',
  )
  assert.equal((await add(admin, 'Hot', {}, true)).status, 201)
  await rejects(() => add(admin, 'HOT', {}, true), 400, 'name', 'A shared view has this name. Choose another name.')
  await rejects(() => add(agent, 'x'.repeat(61)), 400, 'name', 'name must be at most 60 characters.')
  await rejects(() => add(agent, '\u200b'), 400, 'name', 'name must have at least one visible character.')
  for (const search of [{ status: ['Lukewarm'] }, { days: 0 }, { columns: ['shoe_size'] }, { status: 'New' }]) {
    const before = await world(owner)
    assert.equal((await add(agent, 'X', search)).status, 400, JSON.stringify(search))
    assert.deepEqual(await world(owner), before)
  }
})

test('a Manager shares a view with the team, which only they change', async () => {
  const other = await signedIn(app, chand)
  const { status, body } = await add(manager, 'Uncalled', { last_call: 'never' }, true)
  assert.equal(status, 201)
  assert.deepEqual(
    await Promise.all([manager, agent, other, admin, stranger].map((one) => seenBy(one as typeof asha))),
    [['Uncalled*'], ['Uncalled*'], [], [], []],
  )
  const [seen] = (await agent.send('GET', '/web/views')).body.data
  assert.equal(seen.may_change, false)
  const change = (browser: typeof asha, change: object) => browser.send('PATCH', `/web/views/${body.id}`, change)
  const others = 'Only the user who shares this view can change it. Save your own view instead.'
  await rejects(() => change(agent, { name: 'X' }), 403, undefined, others)
  await rejects(() => agent.send('DELETE', `/web/views/${body.id}`), 403, undefined, others)
  for (const browser of [other, admin])
    await rejects(() => change(browser as typeof asha, { name: 'X' }), 404, undefined, 'There is no such view.')
  assert.equal((await change(manager, { shared: false })).status, 200)
  assert.deepEqual(await Promise.all([manager, agent].map(seenBy)), [['Uncalled'], []])
  const { action, details } = (await admin.send('GET', '/web/audit?action=view')).body.data[0]
  assert.deepEqual([action, details], ['view.unshared', { name: 'Uncalled' }])
})

test('a user has 50 views and an account 50 shared ones, also by requests at once', async () => {
  for (const [browser, shared, message] of [
    [agent, false, 'You have 50 views. Delete one first.'],
    [admin, true, 'The account has 50 views. Delete one first.'],
  ] as const) {
    for (let n = 0; n < 48; n++) await add(browser, `${n}`, {}, shared)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => add(browser, `last ${n}`, {}, shared)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 400, 400])
    await rejects(() => add(browser, 'more', {}, shared), 400, 'name', message)
  }
  const { id } = (await add(admin, 'own')).body
  const share = () => admin.send('PATCH', `/web/views/${id}`, { shared: true })
  await rejects(share, 400, 'name', 'The account has 50 views. Delete one first.')
})

test('a view counts what the user who opens it sees, and `me` is that user', async () => {
  for (const [n, player] of [asha, bela, bela, chand].entries()) {
    await player.send('POST', '/api/v1/leads', { name: 'Ravi', phone: `98300 0000${n}`, city: 'Pune' })
  }
  const { id: all } = (await add(admin, 'All', {}, true)).body
  const { id: mine } = (await add(admin, 'Mine', { assigned_to: ['me'], days: 7 }, true)).body
  const { id: inPune } = (await add(admin, 'In Pune', { city: ['pune'], last_call: 'never', reverse: true }, true)).body
  const { id: past } = (await add(admin, 'Past', { to_date: '2020-01-01' }, true)).body
  const exact = (total: number) => ({ total, capped: false })
  const ofAll = (n: number, own: number) => ({
    [all]: exact(n),
    [mine]: exact(own),
    [inPune]: exact(n),
    [past]: exact(0),
  })
  assert.deepEqual(await countsOf(admin), ofAll(4, 1))
  assert.deepEqual(await countsOf(agent), ofAll(2, 2))
  assert.equal((await agent.send('GET', '/web/leads?assigned_to=me')).body.pagination.total, 2)
})

test('the days of a view are those of the day on which it is counted', async () => {
  const closed = (
    await owner<{ id: string }[]>`select id from leads where account_id = ${asha.actor.account_id} limit 2`
  ).map(({ id }) => id)
  await owner`update leads set status = 'Won', closed_at = now() where id = ${closed[0]!}`
  await owner`update leads set status = 'Won', closed_at = now() - interval '70 days' where id = ${closed[1]!}`
  const ids: string[] = []
  for (const search of [{ closed_period: 'this-month' }, { closed_days: 30 }, { closed_days: 90 }])
    ids.push((await add(admin, JSON.stringify(search), search)).body.id)
  const [month, days, all] = ids
  const exact = (total: number) => ({ total, capped: false })
  assert.deepEqual(await countsOf(admin), { [month!]: exact(1), [days!]: exact(1), [all!]: exact(2) })
})

test('filters that have become invalid do not break the counts', async () => {
  const { id } = (await add(agent, 'Old', { assigned_to: ['gone@example.com'] })).body
  const wrong = (await add(agent, 'Wrong', { min_value: 5, max_value: 4 })).body.id
  await owner`update lead_views set search = '{"status": ["Lukewarm"], "shoe": 1}' where id = ${id}`
  assert.deepEqual(await countsOf(agent), { [id]: { total: 0, capped: false }, [wrong]: null })
})

test('views are deleted with their user', async () => {
  await add(agent, 'Mine')
  const [references] = await owner`select confdeltype as kind from pg_constraint
    where conrelid = 'lead_views'::regclass and contype = 'f'`
  assert.equal(references!.kind, 'c')
})
