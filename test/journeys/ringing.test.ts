import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { announceRinging } from '../../server/ringing/announce-ringing.ts'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { phoneCalls } from '../phone-calls.ts'
import { webhookOf } from '../webhooks.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let calls: ReturnType<typeof phoneCalls>
let leadId: string
before(async () => {
  journey = await startJourney()
  const { acme, asha, bela, owner } = journey
  calls = phoneCalls(owner, acme, await webhookOf(journey, acme))
  const lead = { name: 'Meera Iyer', phone: '98200 11223', city: 'Pune', source: 'IVR', notes: 'Wants 2 BHK in Baner' }
  leadId = (await asha.send('POST', '/api/v1/leads', { ...lead, assigned_to: bela.email })).body.data.id
})
after(async () => {
  await journey.close()
  assert.deepEqual(journey.complaints, [])
})

/** Waits until the page has its stream, so that a later event is not missed. */
async function open(page: Page, path: string) {
  const follows = ['**/web/live', '**/web/ringing'].map((url) => page.waitForResponse(url))
  await page.goto(path)
  await Promise.all(follows)
}
const card = (page: Page) => page.getByRole('region', { name: 'Phone calls' }).getByRole('article')

test('a call shows on the pages of the owner and of who is rung, runs, ends, and is logged on the card', async () => {
  const { acme, asha, bela, chand, database } = journey
  const owner = await journey.pageOf(bela)
  const agent = await journey.pageOf(chand, { viewport: phone })
  const admin = await journey.pageOf(asha)
  await Promise.all([open(owner, '/calls'), open(agent, '/profile'), open(admin, '/leads')])
  await owner.getByRole('heading', { name: 'Calls' }).waitFor()

  const call = { call_type: 'Inbound', lead_id: leadId, assigned_to: bela.id, user_ids: [chand.id, bela.id] } as const
  const announce = () => announceRinging(database, acme.account_id, call)
  const id = await calls.add({ ...call, phone: '+919820011223' })
  await announce()
  for (const text of ['Incoming call', 'Meera Iyer', '+91 98200 11223', 'New', 'IVR · Pune', 'Wants 2 BHK in Baner'])
    await card(owner).getByText(text, { exact: true }).waitFor()
  for (const text of ['Incoming call', '+91 98200 11223', 'Owner: Bela'])
    await card(agent).getByText(text, { exact: true }).waitFor()
  assert.equal(await card(agent).getByText('Meera Iyer').count(), 0)
  assert.equal(await card(admin).count(), 0)
  // The focus stays where it was, and the navigation of a phone is not covered.
  assert.equal(await card(owner).locator(':focus').count(), 0)
  await Promise.all([assertWellMade(owner), assertWellMade(agent)])
  await agent.getByRole('link', { name: 'Leads' }).click()
  await agent.getByRole('heading', { name: 'Leads' }).waitFor()

  const answered_at = { rank: 1, value: new Date(Date.now() - 65_000).toISOString() }
  await calls.change(id, { state: 'answered', user_ids: [bela.id], facts: { answered_at } })
  await announce()
  await card(owner).getByText('On a call', { exact: true }).waitFor()
  await card(owner)
    .getByRole('timer')
    .getByText(/^1:\d\d$/)
    .waitFor()
  // Another user answered.
  await card(agent).waitFor({ state: 'detached' })
  await press(card(owner).getByRole('link', { name: 'Open lead' }))
  await owner.waitForURL(`/leads/${leadId}`)

  const log = { lead_id: leadId, call_type: 'Inbound', duration_seconds: 192 }
  const call_log_id = (await bela.send('POST', '/api/v1/call-logs', log)).body.data.id
  const facts = { answered_at, talk_seconds: { rank: 2, value: 192 } }
  await calls.change(id, { state: 'ended', facts, call_log_id })
  await announce()
  await card(owner).getByText('Call ended · 3:12', { exact: true }).waitFor()
  await card(owner).getByText('Contacted').click()
  await card(owner).getByLabel('Notes').fill('Visit on Saturday')
  await assertWellMade(owner)
  // A page that is loaded again keeps what was typed.
  await owner.reload()
  await card(owner).getByRole('button', { name: 'Save call' }).waitFor()
  assert.equal(await card(owner).getByLabel('Notes').inputValue(), 'Visit on Saturday')
  await press(card(owner).getByRole('button', { name: 'Save call' }))
  await owner.getByText('Call with Meera Iyer saved').waitFor()
  await card(owner).waitFor({ state: 'detached' })
  const [stored] = await journey.owner`select outcome, call_logs.notes, status from call_logs
    join leads on leads.id = call_logs.lead_id where call_logs.id = ${call_log_id}`
  assert.deepEqual({ ...stored }, { outcome: 'Completed', notes: 'Visit on Saturday', status: 'Contacted' })
})

test('dismissing a call on one page leaves it on the other, and Escape closes the card before the lead', async () => {
  const { acme, bela, chand, database } = journey
  const owner = await journey.pageOf(bela)
  const agent = await journey.pageOf(chand, { viewport: phone })
  const call = { call_type: 'Inbound', lead_id: leadId, assigned_to: bela.id, user_ids: [chand.id] } as const
  await Promise.all([open(owner, `/leads/${leadId}`), open(agent, '/leads')])
  await calls.add({ ...call, phone: '+919820011223' })
  await announceRinging(database, acme.account_id, call)
  await Promise.all([card(owner).first().waitFor(), card(agent).waitFor()])
  await press(card(agent).getByRole('button', { name: 'Dismiss' }))
  await card(agent).waitFor({ state: 'detached' })
  await agent.locator('#content:focus').waitFor()
  await agent.reload()
  await agent.getByRole('heading', { name: 'Leads' }).waitFor()
  assert.equal(await card(agent).count(), 0)

  const ringing = card(owner).filter({ hasText: 'Incoming call' })
  await ringing.getByRole('button', { name: 'Dismiss' }).focus()
  await owner.keyboard.press('Escape')
  await ringing.waitFor({ state: 'detached' })
  await owner.getByRole('heading', { name: 'Meera Iyer' }).first().waitFor()
  assert.equal(new URL(owner.url()).pathname, `/leads/${leadId}`)
})
