import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { notifyUsersOfCall } from '../../server/telephony/ringing/notify-users-of-call.ts'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { phoneCalls } from '../phone-calls.ts'
import { webhookOf } from '../webhooks.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let calls: ReturnType<typeof phoneCalls>
let webhook: Awaited<ReturnType<typeof webhookOf>>
let leadId: string
before(async () => {
  journey = await startJourney()
  const { acme, asha, bela, owner } = journey
  webhook = await webhookOf(journey, acme)
  calls = phoneCalls(owner, acme, webhook)
  const lead = { name: 'Meera Iyer', phone: '98200 11223', city: 'Pune', source: 'IVR', notes: 'Wants 2 BHK in Baner' }
  leadId = (await asha.send('POST', '/api/v1/leads', { ...lead, assigned_to: bela.email })).body.data.id
})
after(async () => {
  await journey.close()
  assert.deepEqual(journey.complaints, [])
})

/** Waits until the page has its stream, so that a later event is not missed. */
async function open(page: Page, path: string) {
  const follows = ['**/web/live*', '**/web/ringing'].map((url) => page.waitForResponse(url))
  await page.goto(path)
  await Promise.all(follows)
}
/** Reports a call that began a minute ago, as Aircall does. */
function aircall(id: number, raw_digits: string) {
  const start = Math.floor(Date.now() / 1000) - 70
  const report = async (status: string, user: { email: string }, more = {}) => {
    const call = { id, direction: 'inbound', status, started_at: start, raw_digits, user }
    const data = { ...call, answered_at: null, ended_at: null, number: { digits: '+91 80471 00000' }, ...more }
    const event = { initial: 'ringing_on_agent', answered: 'answered', done: 'ended' }[status]
    const sent = { resource: 'call', event: `call.${event}`, timestamp: start, token: 't', data }
    assert.equal((await webhook.send(sent)).status, 200)
  }
  return { start, report }
}
const card = (page: Page) => page.getByRole('region', { name: 'Phone calls' }).getByRole('article')

test('a call shows on the pages of the owner and of who is rung, runs, ends, and is logged on the card', async () => {
  const { asha, bela, chand } = journey
  const owner = await journey.pageOf(bela)
  const agent = await journey.pageOf(chand, { viewport: phone })
  const admin = await journey.pageOf(asha)
  await Promise.all([open(owner, '/calls'), open(agent, '/profile'), open(admin, '/leads')])
  await owner.getByRole('heading', { name: 'Calls' }).waitFor()

  // As Aircall sends its events: the phone of Chand rings first.
  const { start, report } = aircall(900, '+91 98200 11223')
  await report('initial', chand)
  for (const text of ['Incoming call', 'Meera Iyer', '+91 98200 11223', 'New', 'IVR · Pune', 'Wants 2 BHK in Baner'])
    await card(owner).getByText(text, { exact: true }).waitFor()
  for (const text of ['Incoming call', 'Meera I.', 'IVR · Pune', 'Owner: Bela'])
    await card(agent).getByText(text, { exact: true }).waitFor()
  for (const text of ['Meera Iyer', '+91 98200 11223', 'Wants 2 BHK in Baner'])
    assert.equal(await card(agent).getByText(text).count(), 0)
  assert.equal(await card(admin).count(), 0)
  // The focus stays where it was, and the navigation of a phone is not covered.
  assert.equal(await card(owner).locator(':focus').count(), 0)
  await Promise.all([assertWellMade(owner), assertWellMade(agent)])
  await agent.getByRole('link', { name: 'Leads', exact: true }).click()
  await agent.getByRole('heading', { name: 'Leads' }).waitFor()

  const answered_at = start + 5
  await report('answered', bela, { answered_at })
  await card(owner).getByText('On a call', { exact: true }).waitFor()
  await card(owner)
    .getByRole('timer')
    .getByText(/^1:\d\d$/)
    .waitFor()
  // While the user speaks, what the lead wants stays above its form.
  await card(owner).getByText('Wants 2 BHK in Baner', { exact: true }).waitFor()
  for (const name of ['Spoke', 'Wrong number', 'Tomorrow']) await card(owner).getByText(name, { exact: true }).waitFor()
  assert.equal(await card(owner).getByRole('button', { name: 'Voicemail' }).count(), 0)
  await card(owner).getByLabel('Notes').waitFor()
  await assertWellMade(owner)
  // Another user answered.
  await card(agent).waitFor({ state: 'detached' })
  await press(card(owner).getByRole('link', { name: 'Open lead' }))
  await owner.waitForURL(`/leads/${leadId}`)

  // What is typed stays, with the focus, while the call ends.
  const notes = card(owner).getByLabel('Notes')
  await notes.fill('Wants a visit')
  await report('done', bela, { answered_at, ended_at: answered_at + 192 })
  await card(owner).getByText('Call ended · 3:12', { exact: true }).waitFor()
  await notes.and(owner.locator(':focus')).waitFor()
  assert.equal(await notes.inputValue(), 'Wants a visit')
  // The call is logged without a tap.
  const stored = async () =>
    (
      await journey.owner`select outcome, duration_seconds, called_by, call_logs.notes, status from call_logs
        join leads on leads.id = call_logs.lead_id where lead_id = ${leadId}`
    ).map((row) => ({ ...row }))
  const logged = { outcome: 'Completed', duration_seconds: 192, called_by: bela.id }
  assert.deepEqual(await stored(), [{ ...logged, notes: null, status: 'New' }])
  await card(owner).getByLabel('Notes').fill('Visit on Saturday')
  await card(owner).getByLabel('Notes').press('Escape')
  await assertWellMade(owner)
  // A page that is loaded again keeps what was typed.
  await owner.reload()
  const spoke = card(owner).getByRole('button', { name: 'Spoke' })
  await spoke.waitFor()
  assert.equal(await card(owner).getByLabel('Notes').inputValue(), 'Visit on Saturday')
  await press(card(owner).getByRole('button', { name: 'Make small' }))
  await press(card(owner).getByRole('button', { name: /^Meera Iyer/ }))
  // The outcome asks for the next step, which saves.
  await press(spoke)
  await press(card(owner).getByRole('button', { name: 'Tomorrow' }))
  // The message with Undo stays while the pointer is on it.
  await owner.getByText('Call with Meera Iyer logged').hover()
  await card(owner).waitFor({ state: 'detached' })
  assert.deepEqual(await stored(), [{ ...logged, notes: 'Visit on Saturday', status: 'Contacted' }])
  const undone = owner.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await owner.getByRole('button', { name: 'Undo' }).click()
  await undone
  assert.deepEqual(await stored(), [{ ...logged, notes: null, status: 'New' }])
})

test('an unknown caller belongs to the Agent who answers, who gives name and next step on the card during the call', async () => {
  const { chand } = journey
  const page = await journey.pageOf(chand, { viewport: phone, isMobile: true, hasTouch: true })
  await open(page, '/leads?add=true')
  // The card is above dialogs, and leaves the field that is typed in, the title and the button that saves.
  const field = page.getByRole('dialog', { name: 'Add lead' }).getByRole('textbox', { name: 'Phone' })
  await field.fill('98200')
  const { start, report } = aircall(901, '+91 98200 55555')
  await report('initial', chand)
  const small = card(page).getByRole('button', { name: /^\+91 98200 55555/ })
  await small.waitFor()
  const dialog = page.getByRole('dialog', { name: 'Add lead' })
  const above = (await card(page).boundingBox())!
  for (const one of [field, dialog.getByRole('heading').first(), dialog.getByRole('button', { name: 'Add lead' })]) {
    const box = (await one.boundingBox())!
    assert.ok(above.y >= box.y + box.height || above.y + above.height <= box.y, `the card covers ${one}`)
  }
  await small.tap()
  await small.waitFor({ state: 'detached' })
  for (const text of ['Incoming call', 'Unknown caller', '+91 98200 55555'])
    await card(page).getByText(text, { exact: true }).waitFor()
  await report('answered', chand, { answered_at: start + 5 })
  await card(page).getByText('On a call', { exact: true }).waitFor()
  await assertWellMade(page)
  // Its number is there once, and no other name.
  assert.equal((await card(page).innerText()).match(/98200 55555|Caller/g)?.length, 1)
  let taps = 0
  const tap = async (name: string | RegExp) => {
    await card(page).getByRole('button', { name, exact: true }).tap()
    taps++
  }
  await card(page).getByLabel('Name').fill('Kavya Nair')
  await tap('Spoke')
  await tap(/^Tomorrow, \d\d:\d\d$/)
  assert.equal(taps, 2)
  await page.getByText('Call with Kavya Nair logged').waitFor()
  await card(page).waitFor({ state: 'detached' })
  await report('done', chand, { answered_at: start + 5, ended_at: start + 60 })
  const rows = await journey.owner`
    select name, leads.assigned_to, status, call_again_at is not null as is_planned, outcome, duration_seconds, called_by
    from leads join call_logs on call_logs.lead_id = leads.id where phone_key = '+919820055555'`
  const lead = { name: 'Kavya Nair', assigned_to: chand.id, status: 'Contacted', is_planned: true }
  assert.deepEqual({ ...rows[0] }, { ...lead, outcome: 'Completed', duration_seconds: 55, called_by: chand.id })
  assert.equal(rows.length, 1)
})

test('dismissing a call on one page leaves it on the other, and Escape closes the card before the lead', async () => {
  const { acme, bela, chand, database } = journey
  const owner = await journey.pageOf(bela)
  const agent = await journey.pageOf(chand, { viewport: phone })
  const call = { call_type: 'Inbound', lead_id: leadId, assigned_to: bela.id, user_ids: [chand.id] } as const
  await Promise.all([open(owner, `/leads/${leadId}`), open(agent, '/leads')])
  await calls.add({ ...call, phone: '+919820011223' })
  await notifyUsersOfCall(database, acme.account_id, call)
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

test('a key goes to the card and Escape back; after the calls their cards become one line', async () => {
  const { bela } = journey
  const page = await journey.pageOf(bela)
  await open(page, '/calls')
  const [first, second] = [aircall(902, '+91 98200 66661'), aircall(903, '+91 98200 66662')]
  const spoken = { answered_at: first.start + 5, ended_at: first.start + 60 }
  for (const { report } of [first, second]) await report('initial', bela)
  const field = page.getByRole('combobox').first()
  await field.focus()
  await card(page).nth(1).waitFor()
  await page.keyboard.press('Control+.')
  await card(page).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await field.and(page.locator(':focus')).waitFor()
  for (const { report } of [first, second]) await report('done', bela, spoken)
  const line = page.getByRole('button', { name: /^\+91 98200 66661 and \d more/ })
  await line.waitFor()
  await assertWellMade(page)
  await press(line)
  await press(card(page).getByRole('button', { name: /^\+91 98200 66661/ }))
  await card(page).getByRole('button', { name: 'Spoke' }).waitFor()
  await page.getByRole('button', { name: /^\+91 98200 66662 and \d more/ }).waitFor()
})

test('an edited form stays open after its call, and a small card says that its call is to be logged', async () => {
  const { bela, owner } = journey
  await owner`delete from phone_calls`
  const page = await journey.pageOf(bela)
  await open(page, '/calls')
  const [first, second] = [aircall(904, '+91 98200 66663'), aircall(905, '+91 98200 66664')]
  const spoken = { answered_at: first.start + 5, ended_at: first.start + 60 }
  const edited = card(page).filter({ hasText: '+91 98200 66663' })
  await first.report('initial', bela)
  await first.report('done', bela, spoken)
  await edited.getByLabel('Notes').fill('Wants a visit')
  await page.getByRole('heading', { name: 'Calls' }).click()
  await second.report('initial', bela)
  await second.report('done', bela, spoken)
  // It ended later, and becomes small first.
  await page.getByRole('button', { name: /^\+91 98200 66664.*Log call/ }).waitFor()
  assert.equal(await edited.getByLabel('Notes').inputValue(), 'Wants a visit')
  await assertWellMade(page)
  // On a phone it is the one that is full, also after a reload.
  await page.setViewportSize(phone)
  await page.reload()
  await edited.getByLabel('Notes').waitFor()
  await page.getByRole('button', { name: /^\+91 98200 66664.*Log call/ }).waitFor()
  await assertWellMade(page)
  await press(edited.getByRole('button', { name: 'Make small' }))
  await press(card(page).filter({ hasText: '+91 98200 66664' }).getByRole('button', { name: 'Make small' }))
  await page.getByRole('button', { name: /^\+91 98200 6666\d and 1 more.*Log 2 calls/ }).waitFor()
  await assertWellMade(page)
})

test('an Agent who answers a caller whose lead stays unassigned notes on the card what was said, and sees no lead', async () => {
  const { asha, chand, owner } = journey
  await owner`delete from phone_calls`
  const admin = await journey.pageOf(asha)
  const off = { headers: { origin: journey.url }, data: { answering_user_owns: false } }
  assert.equal((await admin.request.patch('/web/account', off)).status(), 200)
  const page = await journey.pageOf(chand, { viewport: phone, isMobile: true, hasTouch: true })
  await open(page, '/calls')
  const { start, report } = aircall(906, '+91 98200 66665')
  const times = { answered_at: start + 5, ended_at: start + 60 }
  await report('answered', chand, { answered_at: start + 5 })
  await card(page).getByText('Unassigned: an Admin assigns it').waitFor()
  await card(page).getByLabel('Notes').fill('Wants a visit')
  await report('done', chand, times)
  await card(page).getByText('Call ended · 0:55').waitFor()
  await assertWellMade(page)
  await page.reload()
  await card(page).getByLabel('Notes').waitFor()
  assert.equal(await card(page).getByLabel('Notes').inputValue(), 'Wants a visit')
  assert.equal(await card(page).getByRole('link', { name: 'Open lead' }).count(), 0)
  await card(page).getByRole('button', { name: 'Spoke', exact: true }).tap()
  await page.getByText('Call with +91 98200 66665 logged').waitFor()
  await card(page).waitFor({ state: 'detached' })
  const rows = await owner`select notes, called_by, assigned_to from call_logs
    where lead_id = (select id from leads where phone_key = '+919820066665')`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ notes: 'Wants a visit', called_by: chand.id, assigned_to: null }],
  )
})

test('on a phone, the open card hides the buttons of another lead, stays while a second call rings, and leaves its message in view', async () => {
  const { asha, bela, owner } = journey
  await owner`delete from phone_calls`
  const other = { name: 'Ravi Jain', phone: '98200 66671', assigned_to: bela.email }
  const { id } = (await asha.send('POST', '/api/v1/leads', other)).body.data
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await open(page, `/leads/${id}`)
  const logCall = page.getByRole('button', { name: 'Log call' })
  await logCall.waitFor()
  const first = aircall(910, '+91 98200 11223')
  await first.report('answered', bela, { answered_at: first.start + 5 })
  const spoken = card(page).filter({ hasText: 'Meera Iyer' })
  await spoken.getByLabel('Notes').waitFor()
  await logCall.waitFor({ state: 'hidden' })
  await aircall(911, '+91 98200 66672').report('initial', bela)
  await card(page).filter({ hasText: 'Incoming call' }).waitFor()
  await spoken.getByRole('button', { name: 'Call dropped' }).tap()
  const message = page.getByText('Call with Meera Iyer logged')
  await message.waitFor()
  assert.ok((await message.boundingBox())!.y >= 0, 'the message is above the screen')
  await assertWellMade(page)
  await logCall.waitFor()
  // The dropped call is to be made again, and would be first in Call next.
  await owner`update leads set call_again_at = null, call_again_set_at = null, remind_at = null where id = ${leadId}`
})

test('an Agent who missed an unknown caller calls back from the card, which stays until it is dismissed', async () => {
  const { chand, owner } = journey
  await owner`delete from phone_calls`
  const page = await journey.pageOf(chand, { viewport: phone, isMobile: true, hasTouch: true })
  await open(page, '/calls')
  const { start, report } = aircall(907, '+91 98200 66666')
  await report('initial', chand)
  await card(page).getByText('Incoming call').waitFor()
  await report('done', chand, { ended_at: start + 30, missed_call_reason: 'no_available_agent' })
  const callBack = page.getByRole('link', { name: 'Call back' })
  await callBack.waitFor()
  assert.equal(await callBack.getAttribute('href'), 'tel:+919820066666')
  // The server shows it for two minutes, the page until it is dismissed.
  await owner`delete from phone_calls`
  const another = aircall(909, '+91 98200 66669')
  await another.report('initial', chand)
  await card(page).getByText('Incoming call').waitFor()
  await another.report('answered', chand)
  await card(page).getByText('On a call').waitFor()
  await card(page).getByRole('button', { name: '+91 98200 66666' }).tap()
  const missed = card(page).filter({ has: callBack })
  await missed.getByRole('button', { name: 'Dismiss' }).tap()
  await missed.waitFor({ state: 'detached' })
})

test('Call next shows the call that has just ended of its lead, and offers the next lead', async () => {
  const { asha, bela, owner } = journey
  await owner`delete from phone_calls`
  for (const [name, phone] of [
    ['Tara Bose', '98200 66667'],
    ['Uma Das', '98200 66668'],
  ]) {
    const lead = { name, phone, assigned_to: bela.email }
    assert.equal((await asha.send('POST', '/api/v1/leads', lead)).status, 201)
  }
  const page = await journey.pageOf(bela)
  await open(page, '/queue')
  const next = page.getByRole('region', { name: 'Next lead' })
  const name = (await next.getByRole('heading').first().innerText()).trim()
  const { start, report } = aircall(908, name === 'Uma Das' ? '+91 98200 66668' : '+91 98200 66667')
  await next.getByText('None', { exact: true }).waitFor()
  await report('answered', bela, { answered_at: start + 5 })
  await card(page).getByText('On a call', { exact: true }).waitFor()
  for (const name of ['Spoke', 'Tomorrow']) await press(card(page).getByRole('button', { name }))
  await next.getByText(/^This lead has left the queue/).waitFor()
  await report('done', bela, { answered_at: start + 5, ended_at: start + 60 })
  await next.getByText('Spoke', { exact: true }).waitFor()
  assert.equal(await next.getByText('None', { exact: true }).count(), 0)
  await next.getByText('Contacted', { exact: true }).waitFor()
  const first = next.getByRole('button', { name: 'Next lead' })
  assert.equal(await first.evaluate((button) => button.parentElement!.firstElementChild === button), true)
  await press(first)
  await next.getByRole('heading', { name: name === 'Uma Das' ? 'Tara Bose' : 'Uma Das' }).waitFor()
})
