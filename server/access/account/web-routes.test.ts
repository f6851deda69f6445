import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { type Role, roles } from './contract.ts'
import { findAccount } from './users.ts'

const app = await testApp()
after(app.close)
const { acme, asha, meena, bela } = await people(app)
const browsers = Object.fromEntries(
  await Promise.all(
    (
      [
        ['Admin', asha],
        ['Manager', meena],
        ['Agent', bela],
      ] as const
    ).map(async ([role, person]) => [role, await signedIn(app, person)] as const),
  ),
) as Record<Role, Awaited<ReturnType<typeof signedIn>>>
const admin = browsers.Admin

let made = 0
async function belasCall() {
  const lead = { name: 'Ravi', phone: `98200${String(++made).padStart(5, '0')}`, assigned_to: bela.email }
  const lead_id = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
  const call = { lead_id, call_type: 'Inbound', duration_seconds: 1 }
  return { lead_id, id: (await asha.send('POST', '/api/v1/call-logs', call)).body.data.id }
}

test('new accounts let Admins and Managers delete and export', async () => {
  const { lowest_role_to_delete, lowest_role_to_export } = (await admin.send('GET', '/web/account')).body.data
  assert.deepEqual([lowest_role_to_delete, lowest_role_to_export], ['Manager', 'Manager'])
})

for (const lowest of roles) {
  test(`deleting and exporting in the web app, allowed from ${lowest} on`, async () => {
    const change = { lowest_role_to_delete: lowest, lowest_role_to_export: lowest }
    assert.equal((await admin.send('PATCH', '/web/account', change)).status, 200)
    for (const role of roles) {
      const browser = browsers[role]
      const may = roles.indexOf(role) <= roles.indexOf(lowest)
      const { lead_id, id } = await belasCall()
      // Who called takes back what was just logged.
      await app.owner`update call_logs set created_at = created_at - interval '2 minutes' where id = ${id}`
      const before = await world(app.owner)
      const exported = await browser.send('GET', '/web/leads.csv')
      assert.equal(exported.status, may ? 200 : 403, role)
      const removals = [
        await browser.send('DELETE', `/web/calls/${id}`),
        await browser.send('DELETE', `/web/leads/${lead_id}`),
      ]
      for (const { status, body } of removals) {
        assert.equal(status, may ? 200 : 403, role)
        if (!may) {
          assert.equal(body.error.code, 'PERMISSION_DENIED')
          assert.equal(
            body.error.message,
            'Your role may not delete leads and calls. An Admin can allow it under Account.',
          )
        }
      }
      if (!may) assert.deepEqual(await world(app.owner), before)
      const { may_delete, may_export } = (await browser.send('GET', '/web/me')).body.data
      assert.deepEqual([may_delete, may_export], [may, may])
    }
  })
}

test('the user who answers a call of an unassigned lead owns it, unless an Admin turns it off', async () => {
  const setting = async () => (await admin.send('GET', '/web/account')).body.data.answering_user_owns
  assert.equal(await setting(), true)
  const before = await world(app.owner)
  assert.equal((await browsers.Agent.send('PATCH', '/web/account', { answering_user_owns: false })).status, 403)
  assert.equal((await admin.send('PATCH', '/web/account', { answering_user_owns: 'yes' })).status, 400)
  assert.deepEqual(await world(app.owner), before)
  assert.equal((await admin.send('PATCH', '/web/account', { answering_user_owns: false })).status, 200)
  assert.equal(await setting(), false)
  assert.equal((await findAccount(app.database, acme.account_id)).answeringUserOwns, false)
})

test('Admins set at most 30 reasons for lost leads and the probabilities of statuses; other roles do not', async () => {
  const change = {
    lost_reasons: ['No budget', 'पैसा नहीं'],
    win_probabilities: { New: 0, Contacted: 10, Qualified: 50, Proposal: 100 },
  }
  const before = await world(app.owner)
  for (const role of ['Manager', 'Agent'] as const)
    assert.equal((await browsers[role].send('PATCH', '/web/account', change)).status, 403)
  for (const [field, value] of [
    ['lost_reasons', Array.from({ length: 31 }, (_, n) => `Reason ${n}`)],
    ['lost_reasons', ['x'.repeat(101)]],
    ['win_probabilities', { ...change.win_probabilities, New: 101 }],
    ['win_probabilities', { New: 1 }],
  ] as const)
    assert.equal(
      (await admin.send('PATCH', '/web/account', { [field]: value })).status,
      400,
      `${field}: ${JSON.stringify(value)}`,
    )
  assert.deepEqual(await world(app.owner), before)
  // Blanks and repetitions are left out, as of each list of texts.
  const sent = { ...change, lost_reasons: ['No budget', ' ', 'पैसा नहीं', 'No budget '] }
  assert.equal((await admin.send('PATCH', '/web/account', sent)).status, 200)
  const { lost_reasons, win_probabilities } = (await browsers.Agent.send('GET', '/web/account')).body.data
  assert.deepEqual({ lost_reasons, win_probabilities }, change)
})

test('API keys follow their own permissions', async () => {
  await admin.send('PATCH', '/web/account', { lowest_role_to_delete: 'Admin' })
  const { lead_id } = await belasCall()
  assert.equal((await bela.send('DELETE', `/api/v1/leads/${lead_id}`)).status, 200)
})
