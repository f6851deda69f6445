import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { Registry } from 'prom-client'
import { sendNotices } from '../../server/selling/notifications/send-notices.ts'
import { enquiredEarlier } from '../enquired-earlier.ts'
import { assertWellMade, comeBack, phone, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela, chand } = journey

const ids: Record<string, string> = {}
async function add(name: string, more: object) {
  const { body } = await asha.send('POST', '/api/v1/leads', { name, assigned_to: bela.email, ...more })
  ids[name] = body.data.id
}
const stored = async (name: string) => {
  const [lead] =
    await journey.owner`select status, attempts, last_call_outcome, call_again_at from leads where name = ${name}`
  return lead!
}

before(async () => {
  await add('Missed Mehta', {
    phone: '98100 00001',
    status: 'Contacted',
    city: 'Pune',
    company: 'Mehta Traders',
    tags: ['Fair'],
  })
  await asha.send('POST', '/api/v1/call-logs', {
    lead_id: ids['Missed Mehta'],
    call_type: 'Inbound',
    duration_seconds: 0,
  })
  await add('Older Iyer', { phone: '98100 00002', deal_value: 250_000, city: 'Nashik' })
  await journey.owner`update leads set created_at = ${new Date(Date.now() - 3_600_000)} where name = 'Older Iyer'`
  await add('Newer Rao', { phone: '98100 00003', notes: 'Call after five', deal_value: 90_000, status: 'New' })
  await journey.owner`update leads set created_at = ${new Date(Date.now() - 60_000)} where name = 'Newer Rao'`
  await add('Of Chand', { phone: '98100 00004', assigned_to: chand.email, status: 'Won' })
})

test('an Agent starts with the leads to call, calls by one key, logs by one press, and gets the next lead', async () => {
  const page = await journey.pageOf(bela)
  await page.goto('/')
  await page.waitForURL('/queue')
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading', { name: 'Missed Mehta' }).waitFor()
  const groups = page.getByRole('group', { name: 'Leads to call, by reason' })
  assert.equal((await groups.innerText()).replaceAll(/\s+/g, ' '), '1 missed call 2 new')
  await press(groups.getByRole('button', { name: '2 new' }))
  await page.waitForURL('/queue?group=new')
  await next.getByRole('heading', { name: 'Newer Rao' }).waitFor()
  const call = next.getByRole('link', { name: 'Call +91 98100 00003' })
  assert.equal(await call.getAttribute('href'), 'tel:+919810000003')
  assert.equal(await next.getByRole('link', { name: 'WhatsApp' }).getAttribute('href'), 'https://wa.me/919810000003')
  await call.and(page.locator(':focus')).waitFor()
  // A second tap right after the first skips no one.
  await next.getByRole('button', { name: 'Skip' }).dblclick()
  await next.getByRole('heading', { name: 'Older Iyer' }).waitFor()
  await press(page.getByRole('alert').getByRole('button', { name: 'Undo' }))
  await next.getByRole('heading', { name: 'Newer Rao' }).waitFor()
  await page.keyboard.press('x')
  await next.getByRole('heading', { name: 'Older Iyer' }).waitFor()
  // A skip, and what is typed, survive a reload.
  await page.reload()
  await next.getByRole('heading', { name: 'Older Iyer' }).waitFor()
  await page.keyboard.press('c')
  await next.getByRole('button', { name: 'Spoke' }).waitFor()
  await assertWellMade(page)
  await next.getByLabel('Notes').fill('Wants a visit')
  await page.reload()
  assert.equal(await next.getByLabel('Notes').inputValue(), 'Wants a visit')
  // Beside the form, what was said and who is next stay.
  await page.getByRole('list', { name: 'Timeline' }).waitFor()
  await page.getByRole('region', { name: 'Up next' }).waitFor()
  // A lead that was reached needs a next step, and the keys choose it from any chip.
  await next.getByText('Qualified').click()
  await next.getByText('New', { exact: true }).click()
  await page.keyboard.press('1')
  await next.getByText('Next step: saves the call').waitFor()
  await page.keyboard.press('1')
  await next.getByRole('heading', { name: 'Newer Rao' }).waitFor()
  const older = await stored('Older Iyer')
  assert.deepEqual([older.status, older.attempts, older.last_call_outcome], ['Contacted', 1, 'Completed'])
  assert.ok(older.call_again_at > new Date())

  await press(groups.getByRole('button', { name: '1 new' }))
  await page.waitForURL('/queue')
  await next.getByRole('heading', { name: 'Missed Mehta' }).waitFor()
  await page.getByRole('button', { name: /^Newer Rao/ }).click()
  await next.getByRole('heading', { name: 'Newer Rao' }).waitFor()
  await press(page.getByRole('button', { name: /^Missed Mehta/ }))
  await next.getByRole('heading', { name: 'Missed Mehta' }).waitFor()
  await page.keyboard.press('c')
  await next.getByLabel('Notes').and(page.locator(':focus')).waitFor()
  // Out of the notes.
  await page.keyboard.press('Escape')
  await next.getByRole('button', { name: 'Spoke' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('2')
  await next.getByRole('heading', { name: 'Newer Rao' }).waitFor()
  assert.deepEqual((await stored('Missed Mehta')).last_call_outcome, 'No Answer')
})

test('when to call a lead again is chosen, typed, removed and undone on its page', async () => {
  const page = await journey.pageOf(chand)
  await page.goto(`/leads/${ids['Of Chand']}`)
  const again = page.getByRole('combobox', { name: /^Call again/ })
  await press(again)
  await page
    .getByRole('option', { name: /, 10:00$/ })
    .first()
    .click()
  await page.getByText(/^Call again changed to .*, 10:00/).waitFor()
  const tomorrow = (await stored('Of Chand')).call_again_at
  assert.ok(tomorrow > new Date())

  await press(again)
  await page.getByRole('option', { name: 'At…' }).click()
  const field = page.getByLabel('Call again (IST)')
  await field.fill('2030-01-02T09:30')
  await field.press('Enter')
  await page.getByText('Call again changed to 2 Jan 2030, 09:30').waitFor()
  assert.deepEqual((await stored('Of Chand')).call_again_at, new Date('2030-01-02T04:00:00Z'))
  await again.and(page.locator(':focus')).waitFor()

  await press(again)
  await page.getByRole('option', { name: 'Not planned' }).click()
  const removed = page.getByRole('alert').filter({ hasText: 'Call again removed' })
  await removed.waitFor()
  assert.equal((await stored('Of Chand')).call_again_at, null)
  await press(removed.getByRole('button', { name: 'Undo' }))
  await page.getByRole('combobox', { name: 'Call again 2 Jan 2030, 09:30' }).waitFor()
  assert.deepEqual((await stored('Of Chand')).call_again_at, new Date('2030-01-02T04:00:00Z'))
  await assertWellMade(page)
})

test('on a phone the call is the main action, and logging it is offered on coming back', async () => {
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto(`/leads/${ids['Newer Rao']}`)
  await page.getByRole('link', { name: 'WhatsApp' }).waitFor()
  await page.getByRole('link', { name: 'Call +91 98100 00003' }).click()
  await comeBack(page)
  const form = page.getByRole('dialog', { name: 'Log a call with Newer Rao' })
  await form.waitFor()
  await assertWellMade(page)
  await press(form.getByRole('button', { name: 'Cancel: I did not call' }))
  await form.waitFor({ state: 'detached' })

  // In the queue, the form is scrolled to its notes, and without it the lead is shown from its name.
  await page.goto('/queue')
  const next = page.getByRole('region', { name: 'Next lead' })
  await press(next.getByRole('button', { name: 'Log call' }))
  const outcomes = next.getByText('Outcome: saves the call')
  await outcomes.waitFor()
  const [typed, below] = [(await next.getByLabel('Notes').boundingBox())!, (await outcomes.boundingBox())!]
  assert.ok(typed.y > 0 && typed.y + typed.height <= below.y, JSON.stringify([typed, below]))
  await press(next.getByRole('button', { name: 'Cancel: I did not call' }))
  await next.getByRole('button', { name: 'Skip' }).waitFor()
  const name = (await next.getByRole('heading').first().boundingBox())!
  assert.ok(name.y > 0 && name.y < phone.height / 2, JSON.stringify(name))
})

test('an Admin opens the queue of an Agent, and sorts, filters and searches the list', async () => {
  const page = await journey.pageOf(asha)
  await page.goto('/queue')
  await page.getByText('No one to call').waitFor()
  await page.goto(`/queue?of=${bela.email}`)
  await page.getByRole('heading', { name: 'Missed Mehta' }).waitFor()

  await page.goto('/leads')
  const names = () => page.locator('tbody tr td:nth-child(2)').allInnerTexts()
  const header = page.getByRole('columnheader', { name: 'Name' })
  await press(header.getByRole('button'))
  await page.waitForURL('/leads?sort=name')
  await page.locator('th[aria-sort=ascending]', { hasText: 'Name' }).waitFor()
  await press(header.getByRole('button'))
  await page.waitForURL('/leads?sort=name&reverse=true')
  await page.locator('th[aria-sort=descending]', { hasText: 'Name' }).waitFor()
  await page.locator('table[aria-busy=false]').waitFor()
  assert.deepEqual(await names(), ['Older Iyer', 'Of Chand', 'Newer Rao', 'Missed Mehta'])

  await press(page.getByRole('combobox', { name: 'Status' }))
  for (const status of ['Contacted', 'Won']) await page.getByRole('option', { name: status }).click()
  await page.waitForURL(/status=Contacted&status=Won/)
  await page.keyboard.press('Escape')
  await page.getByText('1–3 of 3').waitFor()
  await press(page.getByRole('button', { name: 'More' }))
  const drawer = page.getByRole('dialog', { name: 'Filters' })
  await press(drawer.getByRole('combobox', { name: 'City' }))
  await page.getByLabel('Search city').fill('PUNE')
  await page.getByRole('option', { name: 'Pune' }).click()
  await page.keyboard.press('Escape')
  await drawer.getByLabel('Deal value from').waitFor()
  await assertWellMade(page)
  await press(drawer.getByRole('button', { name: 'Show results' }))
  await page.getByText('1–1 of 1').waitFor()

  await page.goto('/leads')
  const field = page.getByRole('searchbox')
  for (const text of ['0001', 'mehta trad', 'fair', 'pune']) {
    await field.fill(text)
    await field.press(text === '0001' ? 'ArrowDown' : 'Enter')
    await page.getByRole('link', { name: 'Missed Mehta' }).and(page.locator(':focus')).waitFor()
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(ids['Missed Mehta']!))
})

/** Open pages hear of new leads and missed calls by notices. */
function sendNoticesDuring(t: TestContext) {
  const push = { publicKey: '', accepts: () => true, send: async () => 'sent' as const }
  const surroundings = { push, mailer: null, baseUrl: journey.url, clock: () => new Date(), metrics: new Registry() }
  const notices = sendNotices(journey.database, { ...surroundings, onError: assert.ifError }, async function* () {})
  t.after(() => notices.stop())
}

test('a missed call appears in an open queue, below the lead that is shown', async (t) => {
  sendNoticesDuring(t)
  const page = await journey.pageOf(chand)
  await page.goto('/queue')
  await page.getByText('No one to call').waitFor()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await journey.owner`update leads set call_again_at = ${tomorrow} where name = 'Of Chand'`
  await page.reload()
  await page.getByText(/^Next promised call: Tomorrow, \d\d:\d\d, Of Chand$/).waitFor()
  await assertWellMade(page)
  const ofChand = { assigned_to: chand.email, status: 'Contacted' }
  await add('Shown Shah', { phone: '98100 00005', ...ofChand })
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading', { name: 'Shown Shah' }).waitFor()
  await add('Missed Shah', { phone: '98100 00006', ...ofChand })
  // Else it is part of the message about the enquiry.
  await page.getByRole('alert').filter({ hasText: 'Missed Shah' }).waitFor()
  const call = { lead_id: ids['Missed Shah'], call_type: 'Inbound', duration_seconds: 0, outcome: 'Missed' }
  await asha.send('POST', '/api/v1/call-logs', call)
  await page.getByRole('button', { name: /^Missed Shah.*Missed call/ }).waitFor()
  await next.getByRole('heading', { name: 'Shown Shah' }).waitFor()
  const came = page.getByRole('button', { name: '1 new missed call' })
  await came.waitFor()
  await assertWellMade(page)
  // Another user calls the lead that is shown.
  const spoke = { lead_id: ids['Shown Shah'], call_type: 'Outbound', duration_seconds: 60, outcome: 'Completed' }
  await asha.send('POST', '/api/v1/call-logs', spoke)
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await press(came)
  await next.getByRole('heading', { name: 'Missed Shah' }).waitFor()
  await came.waitFor({ state: 'detached' })
  await enquiredEarlier(journey.owner)
  const again = { name: 'Shown Shah', phone: '98100 00005', notes: 'Wants a lift' }
  assert.equal((await asha.send('POST', '/api/v1/leads', again)).status, 200)
  await page.getByText('Shown Shah enquired again: Wants a lift').waitFor()
})

test('what came is announced until it is opened, and a promised call that was skipped before its time is announced at it', async (t) => {
  sendNoticesDuring(t)
  const page = await journey.pageOf(chand)
  await page.goto('/queue')
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading').first().waitFor()
  for (const [name, number] of [
    ['First Fresh', '98100 00011'],
    ['Second Fresh', '98100 00012'],
  ] as const) {
    await add(name, { phone: number, assigned_to: chand.email })
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor()
    await journey.owner`update leads set created_at = created_at - interval '1 minute' where name = 'First Fresh'`
  }
  await page.getByRole('button', { name: '2 new leads' }).waitFor()
  await page.keyboard.press('x')
  await next.getByRole('heading', { name: 'Second Fresh' }).waitFor()
  await page.getByRole('link', { name: 'Today' }).first().click()
  await page.waitForURL('/today')
  await page.goBack()
  await page.getByRole('button', { name: '1 new lead' }).waitFor()

  const at = new Date(Date.now() + 15_000).toISOString()
  const url = `${journey.url}/web/leads/${ids['First Fresh']}`
  await page.request.patch(url, { headers: { origin: journey.url }, data: { call_again_at: at } })
  await page.reload()
  await next.getByRole('heading', { name: 'First Fresh' }).waitFor()
  await page.keyboard.press('x')
  await next.getByRole('heading', { name: 'Second Fresh' }).waitFor()
  // Beside an open form it is named with its time, and one press opens it after the form. At its time, it is a button above the lead.
  await page.keyboard.press('c')
  await page.getByText(/^Promised call at \d\d:\d\d: First Fresh$/).waitFor()
  await assertWellMade(page)
  await press(page.getByRole('button', { name: 'Open next' }))
  await press(next.getByRole('button', { name: 'No answer' }))
  await next.getByRole('heading', { name: 'First Fresh' }).waitFor()
  await page.keyboard.press('x')
  await next.getByRole('heading', { name: 'First Fresh' }).waitFor({ state: 'detached' })
  assert.ok(Date.now() < Date.parse(at))
  const due = page.getByRole('button', { name: 'Call due: First Fresh' })
  await due.waitFor()
  assert.ok(Date.now() < Date.parse(at) + 2000)
  await assertWellMade(page)
  await press(due)
  await next.getByRole('heading', { name: 'First Fresh' }).waitFor()
  await due.waitFor({ state: 'detached' })
})

test('Call next shows its own lead, not a form that was opened elsewhere, and a form says what a colleague changes', async () => {
  for (const [name, number] of [
    ['Opened Elsewhere', '98100 00021'],
    ['Opened Here', '98100 00022'],
  ] as const)
    await add(name, { phone: number, assigned_to: chand.email })
  const page = await journey.pageOf(chand, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto(`/leads/${ids['Opened Elsewhere']}`)
  await page.getByRole('link', { name: 'Call +91 98100 00021' }).click()
  await page.getByRole('link', { name: 'Call next' }).click()
  await page.getByText('Call with Opened Elsewhere').waitFor()
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('button', { name: 'Skip' }).waitFor()
  await page.getByRole('button', { name: /^Opened Here/ }).tap()
  await next.getByRole('heading', { name: 'Opened Here' }).waitFor()
  await next.getByRole('button', { name: 'Log call' }).tap()
  await next.getByRole('radio', { name: 'New', exact: true, checked: true }).waitFor({ state: 'attached' })
  const url = `${journey.url}/web/leads/${ids['Opened Here']}`
  const admin = await journey.pageOf(asha)
  await admin.request.patch(url, { headers: { origin: journey.url }, data: { status: 'Won' } })
  const changedAt = Date.now()
  await next.getByRole('radio', { name: 'Won', checked: true }).waitFor({ state: 'attached' })
  await next.getByText(/^This lead has left the queue/).waitFor()
  assert.ok(Date.now() < changedAt + 2500, `${Date.now() - changedAt} ms`)
  await page.getByRole('button', { name: 'Log call' }).first().tap()
  await next.getByRole('heading', { name: 'Opened Elsewhere' }).waitFor()
})

test('on a phone, the card of a lead chosen far below is one screen, with what the lead wants and the last call', async () => {
  const words = 'Wants three rooms with a balcony in Baner, near a school, at most one crore, possession this year'
  await add('Venkateshwaran Krishnamurthy of Long Names', {
    phone: '98100 00007',
    company: 'Krishnamurthy and Sons Trading Company',
    city: 'Thiruvananthapuram',
    email: 'venkateshwaran.krishnamurthy@example.com',
    notes: `${words}. ${words}. ${words}.`,
    status: 'Lost',
  })
  const id = ids['Venkateshwaran Krishnamurthy of Long Names']!
  const call = { lead_id: id, call_type: 'Outbound', duration_seconds: 60, outcome: 'Completed', notes: words }
  await asha.send('POST', '/api/v1/call-logs', call)
  await journey.owner`update call_logs set called_at = called_at - interval '3 days' where lead_id = ${id}`
  await journey.owner`update leads set last_call_at = last_call_at - interval '3 days',
    enquired_again_at = now() - interval '2 days', closed_at = now() - interval '4 days' where id = ${id}`
  await journey.owner`update enquiries set message = ${words}, origin = ${journey.owner.json({ product: 'Skyline', campaign: 'Launch' })},
    answers = ${journey.owner.json([{ question: 'budget', answer: '80 lakh' }])} where lead_id = ${id}`
  const many = Array.from({ length: 20 }, (_, n) => add(`Lead ${n}`, { phone: String(9_810_000_100 + n) }))
  await Promise.all(many)
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto('/queue?group=new')
  await page.getByRole('button', { name: '1 repeat enquiry' }).tap()
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading', { name: /^Venkateshwaran/ }).waitFor()
  for (const text of ['Skyline', '80 lakh', words, 'Notes', 'Spoke', 'Not planned'])
    await next.getByText(text).first().waitFor()
  const { y, height } = (await next.boundingBox())!
  assert.ok(y + height <= phone.height, `the card ends at ${y + height}`)
  await assertWellMade(page)
  await page.goto('/queue')
  const last = page.getByRole('region', { name: 'Up next' }).getByRole('button').last()
  const name = (await last.innerText()).split('\n')[0]!
  await last.tap()
  const heading = next.getByRole('heading', { name })
  await heading.waitFor()
  await until(async () => ((await heading.boundingBox())?.y ?? -1) > 0, 'the card is on the screen')
  await next.getByRole('button', { name: 'Log call' }).tap()
  await next.getByRole('button', { name: 'Spoke' }).waitFor()
  await next.getByRole('link', { name: /^\+91 98100/ }).waitFor()
  await assertWellMade(page)
  // From the end of a long form, the next card begins at the top, with its call at the thumb.
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  await next.getByRole('button', { name: 'No answer' }).tap()
  await heading.waitFor({ state: 'detached' })
  await next
    .getByRole('link', { name: /^Call / })
    .and(page.locator(':focus'))
    .waitFor()
  const [top, button] = await Promise.all(
    [next.getByRole('heading').first(), next.getByRole('link', { name: /^Call / })].map((one) => one.boundingBox()),
  )
  assert.ok(top!.y >= 0 && top!.y < 200, `the next lead begins at ${top!.y}`)
  assert.ok(button!.y > phone.height / 2 && button!.y < phone.height, `its call is at ${button!.y}`)
})

test('what was noted in a call last stays in sight behind later calls without notes', async () => {
  await add('Noted Shah', { phone: '98100 00021', assigned_to: chand.email, status: 'Contacted' })
  const id = ids['Noted Shah']!
  for (const days of [9, 8, 7, 6, 5]) {
    const said = days === 9 ? { outcome: 'Completed', duration_seconds: 60, notes: 'Wants a corner plot' } : {}
    const called_at = new Date(Date.now() - days * 86_400_000).toISOString()
    const call = { lead_id: id, call_type: 'Outbound', duration_seconds: 0, outcome: 'No Answer', called_at, ...said }
    assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 201)
  }
  await journey.owner`update leads set call_again_at = now() - interval '9 hours' where id = ${id}`
  const page = await journey.pageOf(chand)
  await page.goto('/queue')
  await press(page.getByRole('button', { name: /^Noted Shah/ }))
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading', { name: 'Noted Shah' }).waitFor()
  const lastCall = next.getByRole('term').filter({ hasText: 'Last call' }).locator('..')
  for (const text of ['No answer', 'Earlier call', 'Wants a corner plot']) await lastCall.getByText(text).waitFor()
  await assertWellMade(page)
  await page.goto(`/leads/${id}`)
  const calls = page.getByRole('list', { name: 'Calls' })
  await calls.getByText('Wants a corner plot').waitFor()
  assert.equal(await calls.getByRole('listitem').count(), 4)
  await press(page.getByRole('button', { name: 'Show 1 more call' }))
  await calls.getByRole('listitem').nth(4).waitFor()
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
