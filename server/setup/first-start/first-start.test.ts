import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { account, addPlayer, people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { initialNames } from '../../access/account/contract.ts'
import type { FirstStep } from './contract.ts'

const app = await testApp()
after(app.close)
const { database, owner } = app
const { asha, meena, bela } = await people(app)
const fresh = await account(database, initialNames.account)
const firstAdmin = await addPlayer(database, app.url, fresh, initialNames.user, 'Admin', null)
const first = await signedIn(app, firstAdmin)

const path = '/web/first-start'
const stepsNow = async () => (await first.send('GET', path)).body.data.steps
const stateOf = async () => (await first.send('GET', '/web/me')).body.data.first_start

test('the steps are read from the data, and end when each is done or skipped', async () => {
  const none = { company: 'open', leads: 'open', source: 'open', team: 'open', rule: 'open', notifications: 'open' }
  assert.deepEqual(await stepsNow(), none)
  assert.equal(await stateOf(), 'opens')
  assert.equal((await first.send('PATCH', path, { opened: true })).status, 200)
  assert.equal(await stateOf(), 'started')

  const { body } = await first.send('PATCH', path, { skipped: ['notifications', 'rule'] })
  assert.deepEqual(body.data, { ended: false, steps: { ...none, rule: 'skipped', notifications: 'skipped' } })
  const taken = await first.send('PATCH', path, { skipped: ['notifications'] })
  assert.equal(taken.body.data.steps.rule, 'open')

  const work: [FirstStep, () => Promise<unknown>][] = [
    [
      'company',
      async () => {
        await first.send('PATCH', '/web/account', { name: 'Sharma Homes' })
        assert.equal((await stepsNow()).company, 'open', 'the Admin has no name yet')
        await first.send('PATCH', '/web/me', { name: 'Ravi Sharma' })
      },
    ],
    ['leads', () => first.send('POST', '/web/samples')],
    ['source', async () => (await webhookOf(app, fresh)).send({ name: 'Meera', phone: '9820011223' })],
    ['team', () => first.send('POST', '/web/users', { email: 'x@y.example', name: 'X', role: 'Agent', team: null })],
    [
      'rule',
      () =>
        first.send('POST', '/web/distribution-rules', { name: 'All', people: [{ user_id: firstAdmin.id, weight: 1 }] }),
    ],
  ]
  for (const [step, act] of work) {
    assert.equal((await stepsNow())[step], 'open', step)
    await act()
    const { data } = (await first.send('GET', path)).body
    assert.equal(data.steps[step], 'done', step)
    assert.equal(data.ended, step === 'rule', step)
  }
  assert.equal(await stateOf(), 'ended')
  await first.send('PATCH', path, { opened: true, skipped: [] })
  assert.equal(await stateOf(), 'ended', 'it does not start again')
})

test('an account with leads is not new, and its Admin can dismiss the steps', async () => {
  const admin = await signedIn(app, asha)
  assert.equal((await admin.send('GET', '/web/me')).body.data.first_start, 'opens')
  await asha.send('POST', '/api/v1/leads', { name: 'Asha Rao', phone: '9820011224' })
  assert.equal((await admin.send('GET', '/web/me')).body.data.first_start, 'started')
  assert.equal((await admin.send('PATCH', path, { ended: true })).body.data.ended, true)
  assert.equal((await admin.send('GET', '/web/me')).body.data.first_start, 'ended')
})

test('Managers and Agents see and change nothing of it', async () => {
  await owner`update accounts set first_start = 'new'`
  for (const person of [meena, bela]) {
    const user = await signedIn(app, person)
    assert.equal((await user.send('GET', '/web/me')).body.data.first_start, 'ended')
    const before = await world(owner)
    for (const [method, url] of [
      ['GET', path],
      ['PATCH', path],
      ['GET', '/web/samples'],
      ['POST', '/web/samples'],
      ['DELETE', '/web/samples'],
    ] as const) {
      assert.equal((await user.send(method, url, method === 'PATCH' ? { ended: true } : undefined)).status, 403, url)
    }
    assert.deepEqual(await world(owner), before)
  }
})

test('a step that does not exist is rejected by name', async () => {
  const { status, body } = await first.send('PATCH', path, { skipped: ['coffee'] })
  assert.deepEqual([status, body.error.code], [400, 'INVALID_PARAM'])
})
