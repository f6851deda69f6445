import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { auditOf, world } from '#test/records.ts'

const now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { owner } = app
const { asha, meena, bela, chand, zoya } = await people(app)
await owner`update accounts set lowest_role_to_export = 'Agent'`
type Browser = Pick<Player, 'send'>
const [admin, manager, agent, otherAgent, stranger] = (await Promise.all(
  [asha, meena, bela, chand, zoya].map((person) => signedIn(app, person)),
)) as [Browser, Browser, Browser, Browser, Browser]

let lead: string
/** Calls with Bela's lead: she called for 3 minutes, and Chand for 10. */
let hers: string
let his: string
before(async () => {
  const created = await asha.send('POST', '/api/v1/leads', {
    name: 'Ravi',
    phone: '9820000001',
    assigned_to: bela.email,
  })
  lead = created.body.data.id
  const log = async (by: Player, duration_seconds: number, called_at: string) => {
    const call = { lead_id: lead, call_type: 'Outbound', duration_seconds, called_at }
    const { id } = (await asha.send('POST', '/api/v1/call-logs', call)).body.data
    await owner`update call_logs set called_by = ${by.id} where id = ${id}`
    return id
  }
  hers = await log(bela, 180, '2026-11-20T05:00:00Z')
  his = await log(chand, 600, '2026-11-19T05:00:00Z')
})

const review = (browser: Browser, id: string, body: object) => browser.send('PUT', `/web/calls/${id}/review`, body)
const listed = async (browser: Browser, query = '') => {
  const { status, body } = await browser.send('GET', `/web/calls?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data as { id: string; review: object | null }[]
}
const idsOf = async (browser: Browser, query: string) => (await listed(browser, query)).map(({ id }) => id)
const reviewsIn = (calls: { id: string; review: object | null }[]) =>
  Object.fromEntries(calls.map(({ id, review }) => [id, review]))
const onLeadPage = async (browser: Browser) =>
  reviewsIn((await browser.send('GET', `/web/leads/${lead}`)).body.data.calls.calls)

const at = '2026-11-21T05:00:00Z'
const good = { mark: 'Good', remark: 'Clear questions.\nAsk for the budget.', by: 'Meena', at }
const toImprove = { mark: 'To improve', remark: null, by: 'Asha', at }

test('a Manager and an Admin review a call, who called and they see it in the list, on the lead and in exports, a colleague does not', async () => {
  const { status, body } = await review(manager, hers, { mark: 'Good', remark: ` ${good.remark} ` })
  assert.deepEqual([status, body.data], [200, good])
  assert.deepEqual((await review(admin, his, { mark: 'To improve', remark: '' })).body.data, toImprove)
  for (const browser of [admin, manager]) {
    assert.deepEqual(reviewsIn(await listed(browser)), { [hers]: good, [his]: toImprove })
    assert.deepEqual(await onLeadPage(browser), { [hers]: good, [his]: toImprove })
  }
  // The lead and both calls are Bela's; Chand made one of them.
  assert.deepEqual(reviewsIn(await listed(agent)), { [hers]: good, [his]: null })
  assert.deepEqual(await onLeadPage(agent), { [hers]: good, [his]: null })
  assert.ok((await admin.send('GET', '/web/calls.csv')).body.includes('To improve'))
  const csv = (await agent.send('GET', '/web/calls.csv')).body
  assert.deepEqual([csv.includes('Clear questions.'), csv.includes('To improve')], [true, false])
  assert.deepEqual((await auditOf(owner, his)).at(-1)!, {
    action: 'call_log.reviewed',
    user_id: asha.id,
    via: 'web',
    via_id: null,
    details: { mark: 'To improve' },
  })
})

test('calls are filtered by the reviews that a user sees', async () => {
  for (const browser of [admin, manager]) {
    assert.deepEqual(await idsOf(browser, 'review=reviewed'), [hers, his])
    assert.deepEqual(await idsOf(browser, 'review=to_improve'), [his])
    assert.deepEqual(await idsOf(browser, 'review=good'), [hers])
    assert.deepEqual(await idsOf(browser, 'review=not_reviewed'), [])
  }
  assert.deepEqual(await idsOf(agent, 'review=reviewed'), [hers])
  assert.deepEqual(await idsOf(agent, 'review=to_improve'), [])
  assert.deepEqual(await idsOf(agent, 'review=not_reviewed'), [his])
  const { data } = (await admin.send('GET', '/web/calls/totals?review=to_improve')).body
  assert.deepEqual([data.calls, data.talk_seconds], [1, 600])
})

test('an equal review changes nothing, another one replaces it, and it can be removed', async () => {
  const unchanged = await world(owner)
  assert.deepEqual((await review(admin, hers, { mark: good.mark, remark: good.remark })).body.data, good)
  assert.deepEqual(await world(owner), unchanged)
  const other = { mark: 'To improve', remark: 'x'.repeat(1000), by: 'Asha', at }
  assert.deepEqual((await review(admin, hers, { mark: other.mark, remark: other.remark })).body.data, other)
  assert.deepEqual(reviewsIn(await listed(agent))[hers], other)
  const removed = await manager.send('DELETE', `/web/calls/${hers}/review`)
  assert.deepEqual([removed.status, removed.body], [200, { data: null }])
  assert.deepEqual(await idsOf(admin, 'review=reviewed'), [his])
  assert.equal((await auditOf(owner, hers)).at(-1)!.action, 'call_log.review_removed')
  await review(manager, hers, { mark: good.mark, remark: good.remark })
})

test('an Agent neither sets nor removes a review, a Manager not of a call they do not see, and nothing changes', async () => {
  const { body } = await asha.send('POST', '/api/v1/leads', {
    name: 'Anita',
    phone: '9820000002',
    assigned_to: chand.email,
  })
  const call = { lead_id: body.data.id, call_type: 'Inbound', duration_seconds: 5 }
  const hidden = (await asha.send('POST', '/api/v1/call-logs', call)).body.data.id
  const unchanged = await world(owner)
  for (const [browser, id, status, code] of [
    [agent, hers, 403, 'PERMISSION_DENIED'],
    [agent, his, 403, 'PERMISSION_DENIED'],
    [otherAgent, his, 403, 'PERMISSION_DENIED'],
    [manager, hidden, 404, 'NOT_FOUND'],
    [stranger, hers, 404, 'NOT_FOUND'],
    [admin, crypto.randomUUID(), 404, 'NOT_FOUND'],
  ] as const)
    for (const answer of [
      await review(browser, id, { mark: 'Good' }),
      await browser.send('DELETE', `/web/calls/${id}/review`),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [status, code])
  for (const [field, wrong] of [
    ['mark', {}],
    ['mark', { mark: 'Bad' }],
    ['remark', { mark: 'Good', remark: 'x'.repeat(1001) }],
    ['remark', { mark: 'Good', remark: 'a\u0000b' }],
  ] as const) {
    const answer = await review(admin, hers, wrong)
    assert.deepEqual([answer.status, answer.body.error.field], [400, field])
  }
  assert.deepEqual(await world(owner), unchanged)
})

test('a review stays when the call is corrected and when its lead changes hands, and is deleted with the call and the lead', async () => {
  await agent.send('PATCH', `/web/calls/${hers}`, { outcome: 'Voicemail' })
  await admin.send('PATCH', `/web/leads/${lead}`, { assigned_to: chand.email })
  assert.deepEqual(reviewsIn(await listed(admin, `lead_id=${lead}`)), { [hers]: good, [his]: toImprove })
  // Who owns the lead now sees the review of his own call.
  assert.deepEqual(await onLeadPage(otherAgent), { [hers]: null, [his]: toImprove })
  await admin.send('DELETE', `/web/calls/${hers}`)
  assert.deepEqual((await owner`select review from call_logs where review is not null`).length, 1)
  await admin.send('DELETE', `/web/leads/${lead}`)
  assert.deepEqual([...(await owner`select review from call_logs where review is not null`)], [])
})
