import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { Registry } from 'prom-client'
import { openPushService } from '../../server/selling/notifications/push-service.ts'
import { sendNotices } from '../../server/selling/notifications/send-notices.ts'
import { missedCall } from '../exotel.ts'
import { assertWellMade, comeBack, phone, startJourney } from '../journey.ts'
import { pushServer } from '../push-server.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls } from '../records.ts'
import { until } from '../until.ts'
import { webhookOf } from '../webhooks.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let pushes: Awaited<ReturnType<typeof pushServer>>
let notices: ReturnType<typeof sendNotices>
before(async () => {
  journey = await startJourney()
  pushes = await pushServer()
  const push = await openPushService(journey.directory, 'https://leads.example.com', pushes.options)
  const surroundings = { push, mailer: null, baseUrl: journey.url, clock: () => new Date(), metrics: new Registry() }
  notices = sendNotices(journey.database, { ...surroundings, onError: assert.ifError }, async function* () {})
})
after(async () => {
  await notices.stop()
  await journey.close()
  await pushes.close()
})

/** A browser of the user that push messages go to. The user is signed in. */
async function subscribe({ id }: { id: string }): Promise<string> {
  const { endpoint, keys } = pushes.subscribe()
  await journey.owner`insert into push_subscriptions values (${journey.acme.account_id}, gen_random_uuid(), ${id}, ${endpoint},
    ${keys.p256dh}, ${keys.auth}, now(), (select id from sessions where user_id = ${id} limit 1))`
  return new URL(endpoint).pathname
}
const messagesTo = (path: string) => pushes.received.filter((push) => push.path === path).map(({ message }) => message)

async function openQueue(page: Page) {
  const follows = page.waitForResponse('**/web/live*')
  await page.goto('/queue')
  await follows
  await page.getByText('No one to call').waitFor()
}

test('a missed call is in the open queue and on the phone of the owner, who calls back in two taps and clears it', async () => {
  const { acme, asha, bela, chand, owner } = journey
  const lead = { name: 'Meera Iyer', phone: '98200 11223', status: 'Contacted', assigned_to: bela.email }
  const id: string = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
  const spoken = { lead_id: id, call_type: 'Outbound', duration_seconds: 60, called_at: '2026-01-02T05:00:00Z' }
  assert.equal((await asha.send('POST', '/api/v1/call-logs', spoken)).status, 201)
  // What is planned is kept, so that nothing is asked.
  await owner`update leads set call_again_at = now() + interval '9 days', call_again_set_at = now() where id = ${id}`
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await openQueue(page)
  const belas = await subscribe(bela)

  const webhook = await webhookOf(journey, acme)
  const at = new Date(Date.now() - 60_000)
  const call = missedCall({ ...webhook, url: journey.url }, { phone: '09820011223', agent: chand.email, at })
  await call.ring()
  const card = page.getByRole('region', { name: 'Phone calls' }).getByRole('article')
  await card.getByText('Incoming call', { exact: true }).waitFor()
  await call.end()
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading', { name: 'Meera Iyer' }).waitFor()
  await next.getByText(/^Missed call/).waitFor()
  await card.getByText('Missed call', { exact: true }).waitFor()
  await until(() => messagesTo(belas).length > 0, 'a push message')
  assert.deepEqual(messagesTo(belas), [
    { title: 'Missed call', body: 'Meera Iyer', path: '/queue', tag: `missed_call ${id}` },
  ])
  await assertWellMade(page)
  await page.goto('/calls?only=unreturned')
  await page.getByText('Missed, not called back').waitFor()
  await page.goBack()
  assert.equal(
    await card.getByRole('link', { name: 'Call back' }).getAttribute('href'),
    await next.getByRole('link', { name: /^Call / }).getAttribute('href'),
  )

  let taps = 0
  const tap = async (control: Locator) => {
    await control.tap()
    taps++
  }
  await tap(next.getByRole('link', { name: 'Call +91 98200 11223' }))
  await comeBack(page)
  await tap(next.getByRole('button', { name: 'Spoke' }))
  assert.equal(taps, 2)
  await page.getByText('No one to call').waitFor()
  await card.waitFor({ state: 'detached' })
  const [missed, back] = await owner`select call_type, outcome, called_by from call_logs where lead_id = ${id}
    order by called_at offset 1`
  assert.deepEqual({ ...missed }, { call_type: 'Inbound', outcome: 'Missed', called_by: null })
  assert.deepEqual({ ...back }, { call_type: 'Outbound', outcome: 'Completed', called_by: bela.id })
  await page.goto('/calls?only=missed')
  const totals = page.getByRole('list', { name: 'Totals' })
  await totals.locator('li', { hasText: /^Not called back\s*0$/ }).waitFor()
  await page.getByRole('list', { name: 'Calls', exact: true }).getByText('Missed', { exact: true }).waitFor()
  assert.equal(await page.getByText('Missed, not called back').count(), 0)
})

test('a missed call of an unknown number that no rule assigns is in the open queue of an Admin, and not of an Agent', async () => {
  const { acme, asha, chand, owner } = journey
  const [admin, agent] = await Promise.all([journey.pageOf(asha), journey.pageOf(chand)])
  await Promise.all([openQueue(admin), openQueue(agent)])
  const [ashas, chands] = [await subscribe(asha), await subscribe(chand)]
  const webhook = await webhookOf(journey, acme)
  // Also who was rung does not see the lead.
  const call = missedCall({ ...webhook, url: journey.url }, { phone: '09820011224', agent: chand.email })
  await call.ring()
  const { id } = (await call.end()).body.data
  const next = admin.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading', { name: 'Caller +91 98200 11224' }).waitFor()
  await next.getByText(/^Missed call .* Unassigned$/).waitFor()
  await until(() => messagesTo(ashas).length > 0, 'a push message')
  assert.equal(messagesTo(ashas)[0]!.body, 'Caller +91 98200 11224')

  await agent.reload()
  await agent.getByText('No one to call').waitFor()
  const data = { call_type: 'Outbound', duration_seconds: 60 }
  const answer = await agent.request.post(`/web/leads/${id}/calls`, { data, headers: { origin: journey.url } })
  assert.equal(answer.status(), 404)
  const [stored] = await owner`select assigned_to, last_call_outcome, attempts from leads where id = ${id}`
  assert.deepEqual({ ...stored }, { assigned_to: null, last_call_outcome: 'Missed', attempts: 0 })
  assert.deepEqual(messagesTo(chands), [])
})

test('no page logged an error, and all figures hold', async () => {
  assert.deepEqual(journey.complaints, [])
  await assertLeadsKnowTheirCalls(journey.owner)
  await assertCountsHold(journey.owner)
})
