import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { assertWellMade, comeBack, phone, press, startJourney } from '../journey.ts'
import { signedIn } from '../people.ts'
import { assertCountsHold, assertLeadsKnowTheirCalls, timelineOf } from '../records.ts'
import { until } from '../until.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela, owner } = journey
const admin = await signedIn(journey, asha)

const ids: Record<string, string> = {}
let made = 0
async function add(name: string) {
  const lead = { name, phone: `98100 1${String(++made).padStart(4, '0')}`, assigned_to: bela.email }
  const { id } = (await asha.send('POST', '/api/v1/leads', lead)).body.data
  ids[name] = id
  // The newest is first in the queue. After midnight in India, the day changes, too.
  await count(id, -1)
  await owner`update leads set created_at = now() - ${made} * interval '1 minute' where id = ${id}`
  await count(id, 1)
}
const count = (id: string, n: number) =>
  owner`insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
    select account_id, assigned_to, status, source, priority, (created_at at time zone interval '05:30')::date, ${n}
    from leads where id = ${id}`
const callsOf = (name: string) =>
  owner`select id, outcome, duration_seconds, notes, called_at, called_by from call_logs where lead_id = ${ids[name]!}
    order by created_at, id`
const leadOf = async (name: string) =>
  (await owner`select status, call_again_at, attempts from leads where id = ${ids[name]!}`)[0]!

before(async () => {
  for (const name of ['First Rao', 'Second Iyer', 'Third Khan', 'Fourth Das', 'Fifth Paul']) await add(name)
})

/** Counts what would leave the page for the phone app. */
async function countDials(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    window.dialled = 0
    document.addEventListener('click', (event) => {
      if (event.target.closest('a[href^="tel:"]')) window.dialled++
    }, true)
  `)
  return () => page.evaluate<number>('window.dialled')
}

test('text that is typed after a call goes into its notes, logs nothing and dials nothing', async () => {
  const page = await journey.pageOf(bela)
  await page.goto('/queue')
  const next = page.getByRole('region', { name: 'Next lead' })
  await next.getByRole('heading', { name: 'First Rao' }).waitFor()
  const dials = await countDials(page)
  await page.keyboard.press('c')
  const notes = next.getByLabel('Notes')
  await notes.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('2 bhk call')
  assert.equal(await notes.inputValue(), '2 bhk call')
  assert.deepEqual([await dials(), (await callsOf('First Rao')).length], [1, 0])

  // Beside the outcome buttons: what the key logged is undone, and what is typed after it dials nothing.
  await page.keyboard.press('Escape')
  await page.keyboard.type('2 bhk call\n')
  await next.getByRole('heading', { name: 'Second Iyer' }).waitFor()
  // The message with Undo stays while the pointer is on it.
  await page.getByRole('alert').filter({ hasText: 'Call with First Rao logged' }).hover()
  assert.equal(await dials(), 1)
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.deepEqual(
    (await callsOf('First Rao')).map(({ outcome }) => outcome),
    ['No Answer'],
  )
  await page.keyboard.press('Control+z')
  await next.getByRole('heading', { name: 'First Rao' }).waitFor()
  assert.equal(await notes.inputValue(), '2 bhk call')
  assert.deepEqual([...(await callsOf('First Rao'))], [])
  assert.equal((await leadOf('First Rao')).attempts, 0)
})

test('a note, tomorrow at eleven and the outcome take four taps from the call button, and are undone together', async () => {
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto('/leads')
  let taps = 0
  const tap = async (control: Locator) => {
    await control.tap()
    taps++
  }
  await tap(page.getByRole('link', { name: 'Call Second Iyer' }))
  await page.getByText('Call with Second Iyer').waitFor()
  // The browser has dropped the page during the call.
  await page.reload()
  const form = page.getByRole('dialog', { name: 'Log a call with Second Iyer' })
  await form.getByRole('button', { name: 'Spoke' }).waitFor()
  assert.equal(await form.getByLabel('Duration').getAttribute('inputmode'), 'decimal')
  await assertWellMade(page)
  const outcomes = ['Spoke', 'No answer', 'Busy', 'Voicemail', 'Not interested']
  for (const name of [...outcomes, 'Wrong number', 'Other language', 'Call dropped']) {
    const { x, y, width, height } = (await form.getByRole('button', { name }).boundingBox())!
    assert.ok(x >= 0 && x + width <= phone.width && y + height <= phone.height && height === 44, `${name} at ${x} ${y}`)
  }
  // A reload keeps the call, as a bar of one line with buttons for a finger.
  await page.reload()
  const bar = page.getByText('Call with Second Iyer', { exact: true }).locator('..')
  const [log, cancel] = ['Log call', 'Cancel: I did not call'].map((name) => bar.getByRole('button', { name }))
  await cancel!.waitFor()
  assert.equal(await form.count(), 0)
  const boxes = await Promise.all([bar, log!, cancel!].map(async (one) => (await one.boundingBox())!))
  assert.ok(boxes[0]!.height < 52 && boxes[1]!.height === 44 && boxes[2]!.height === 44, JSON.stringify(boxes))
  assert.ok(boxes[2]!.x - boxes[1]!.x - boxes[1]!.width >= 16, JSON.stringify(boxes))
  await log!.tap()
  await form.getByText('Outcome: saves the call').waitFor()
  await form.getByLabel('Notes').fill('Wants a visit')
  await form.getByText('Spoke changes it to Contacted.').waitFor()
  await tap(form.getByText('Tomorrow'))
  await tap(form.getByText('11:00', { exact: true }))
  await tap(form.getByRole('button', { name: 'Spoke' }))
  await form.waitFor({ state: 'detached' })
  assert.equal(taps, 4)
  const logged = page.getByRole('alert').filter({ hasText: 'Call with Second Iyer logged' })
  await logged.hover()
  const [call] = await callsOf('Second Iyer')
  assert.deepEqual([call!.outcome, call!.called_by], ['Completed', bela.id])
  assert.ok(call!.duration_seconds >= 1)
  const lead = await leadOf('Second Iyer')
  assert.equal(lead.status, 'Contacted')
  assert.equal(lead.call_again_at.getTime(), nextWorkday(11))

  // The next form, while the notification is there.
  await page.getByRole('link', { name: 'Call Third Khan' }).tap()
  await comeBack(page)
  const next = page.getByRole('dialog', { name: 'Log a call with Third Khan' })
  await next.getByRole('button', { name: 'Spoke' }).and(page.locator(':focus')).waitFor()
  await assertUncovered(logged, next)
  await logged.getByRole('button', { name: 'Undo' }).tap()
  await page.getByText('Call with Second Iyer is not logged').waitFor()
  assert.deepEqual([...(await callsOf('Second Iyer'))], [])
  const { status, call_again_at, attempts } = await leadOf('Second Iyer')
  assert.deepEqual([status, call_again_at, attempts], ['New', null, 0])
  await next.getByRole('button', { name: 'Cancel: I did not call' }).tap()
  await next.waitFor({ state: 'detached' })
})

/** An hour of the next working day in India, of an account that works from Monday to Saturday. */
function nextWorkday(hour: number): number {
  const day = 86_400_000
  const today = Math.floor((Date.now() + 5.5 * 3_600_000) / day)
  // The first of January 1970 was a Thursday: a Saturday is followed by a Monday.
  const next = today + ((today + 4) % 7 === 6 ? 2 : 1)
  return next * day + (hour - 5.5) * 3_600_000
}

/** The notification covers no button. */
async function assertUncovered(notice: Locator, form: Locator) {
  const above = (await notice.boundingBox())!
  for (const button of await form.getByRole('button').all()) {
    const box = (await button.boundingBox())!
    const isApart = box.y + box.height <= above.y || box.y >= above.y + above.height
    assert.ok(isApart, `${await button.innerText()} at ${box.y}, below a notification at ${above.y}`)
  }
}

test('every call button leads to the form, and its choices are few tab stops', async () => {
  const page = await journey.pageOf(bela)
  // On the page of its lead, the form covers nothing of it.
  const form = page.getByRole('region', { name: 'Log a call with Fourth Das' })
  const cancel = form.getByRole('button', { name: 'Cancel: I did not call' })
  await page.goto(`/leads/${ids['Fourth Das']}`)
  const links = page.getByRole('link', { name: /98100 10004/ })
  // The button and the phone field.
  await links.nth(1).waitFor()
  for (const link of await links.all()) {
    await link.click()
    await page.getByText('Call with Fourth Das', { exact: true }).waitFor()
    await comeBack(page)
    await form.waitFor()
    await press(cancel)
    await form.waitFor({ state: 'detached' })
  }

  // Esc leaves the text, then the form.
  const log = page.getByRole('button', { name: 'Log call' })
  await press(log)
  await form.getByLabel('Notes').and(page.locator(':focus')).waitFor()
  await assertWellMade(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await press(log.and(page.locator(':focus')))
  await form.getByLabel('Notes').and(page.locator(':focus')).waitFor()
  await form.getByRole('button', { name: 'Spoke' }).focus()
  const stops: string[] = []
  const focused = `(() => {
    const { type, innerText, labels, name } = document.activeElement
    return type === 'radio' ? document.activeElement.closest('fieldset, [role=radiogroup]').innerText.split('\\n')[0]
      : labels?.[0]?.innerText ?? innerText
  })()`
  for (let stop = 0; stop < 7; stop++) {
    if (stop > 0) await page.keyboard.press('Tab')
    // The next step says when the lead is retried, if it is not reached.
    stops.push((await page.evaluate<string>(focused)).replace(/ Not reached: retry .*/, ''))
  }
  assert.deepEqual(stops, ['Spoke', 'Call again', 'Time', 'Notes', 'Status', 'Duration', 'Time of the call (IST)'])
  await form.getByRole('button', { name: 'Spoke' }).press('ArrowRight')
  await form.getByRole('button', { name: 'No answer' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await until(async () => (await callsOf('Fourth Das')).length === 1)
  assert.equal((await callsOf('Fourth Das'))[0]!.outcome, 'No Answer')

  // On a computer, nothing says when the user is back: each call stays until it is logged.
  await page.goto('/leads')
  await page.getByRole('link', { name: /98100 10005/ }).click()
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page.getByRole('link', { name: /98100 10004/ }).click()
  await page.getByText('Call with Fifth Paul', { exact: true }).waitFor()
  const bar = page.getByText('Call with Fourth Das', { exact: true }).locator('..')
  await press(bar.getByRole('button', { name: 'Log call' }))
  const dialog = page.getByRole('dialog', { name: 'Log a call with Fourth Das' })
  await press(dialog.getByRole('button', { name: 'Cancel: I did not call' }))
  await dialog.waitFor({ state: 'detached' })
  await press(page.getByRole('button', { name: 'Cancel: I did not call' }))
  await page.getByText('Call with Fifth Paul', { exact: true }).waitFor({ state: 'detached' })
})

test('a call is corrected, also to another lead, and the timeline shows it', async () => {
  const page = await journey.pageOf(bela)
  await page.goto('/calls')
  const open = async () => {
    await press(page.getByRole('button', { name: /^Actions for the outbound call/ }))
    await press(page.getByRole('menuitem', { name: 'Correct call' }))
    return page.getByRole('dialog', { name: /^Correct the call with/ })
  }
  const form = await open()
  await form.getByText('Spoke').click()
  await form.getByLabel('Duration').fill('2.30')
  await form.getByLabel('Notes').fill('Wants a visit')
  await assertWellMade(page)
  await press(form.getByRole('button', { name: 'Save changes' }))
  await page.getByText('Call corrected').waitFor()
  const [call] = await callsOf('Fourth Das')
  assert.deepEqual([call!.outcome, call!.duration_seconds, call!.notes], ['Completed', 150, 'Wants a visit'])

  const again = await open()
  await again.getByRole('combobox', { name: 'Lead' }).fill('Fifth')
  await page.getByRole('option', { name: 'Fifth Paul' }).click()
  await press(again.getByRole('button', { name: 'Save changes' }))
  await again.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Fifth Paul' }).first().waitFor()
  assert.deepEqual([(await callsOf('Fourth Das')).length, (await callsOf('Fifth Paul')).length], [0, 1])
  const { kind, summary } = (await timelineOf(owner, ids['Fifth Paul']!)).at(-1)!
  assert.equal(kind, 'call_changed')
  assert.match(summary, /^Bela moved the call of .* here from another lead/)
  await page.goto(`/leads/${ids['Fourth Das']}`)
  await page.getByText(/^Bela corrected the call of .*: outcome: No answer/).waitFor()
  await assertWellMade(page)
})

test('a lost response logs one call; offline calls wait, are sent once and in order, and rejected ones can be opened', async () => {
  const page = await journey.pageOf(bela)
  await page.goto(`/leads/${ids['Third Khan']}`)
  const log = async (notes: string, outcome: string) => {
    await press(page.getByRole('button', { name: 'Log call' }).first())
    const form = page.getByRole('region', { name: 'Log a call with Third Khan' })
    await form.getByLabel('Notes').fill(notes)
    await press(form.getByRole('button', { name: outcome }))
    // The next step is asked once: what is planned is kept.
    if (notes === 'Two') await press(form.getByRole('button', { name: 'Tomorrow' }))
    await form.waitFor({ state: 'detached' })
  }
  // The server logs the call, and its answer is lost.
  let isLost = true
  await page.route('**/web/leads/*/calls', async (route) => {
    if (!isLost) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await log('Lost', 'Busy')
  await page.getByText('1 call waits for the connection').waitFor()
  assert.equal((await callsOf('Third Khan')).length, 1)
  await assertWellMade(page)
  isLost = false
  await page.getByText('1 call logged that waited for the connection').waitFor()
  assert.deepEqual(
    (await callsOf('Third Khan')).map(({ notes }) => notes),
    ['Lost'],
  )

  await page.context().setOffline(true)
  await page.getByText('No connection to the server').waitFor()
  const before = Date.now()
  await log('One', 'No answer')
  await log('Two', 'Spoke')
  await page.getByText('2 calls wait for the connection').waitFor()
  assert.equal((await callsOf('Third Khan')).length, 1)
  await page.context().setOffline(false)
  await page.getByText('2 calls logged that waited for the connection').waitFor()
  const calls = await callsOf('Third Khan')
  assert.deepEqual(calls.map(({ notes }) => notes).sort(), ['Lost', 'One', 'Two'])
  for (const { called_at } of calls) assert.ok(Math.abs(called_at.getTime() - before) < 60_000)
  await page.getByText('2 calls wait for the connection').waitFor({ state: 'detached' })

  // The lead goes to somebody else meanwhile.
  await page.context().setOffline(true)
  await page.getByText('No connection to the server').waitFor()
  await log('Rejected', 'Busy')
  await owner`update leads set assigned_to = ${asha.id} where id = ${ids['Third Khan']!}`
  await page.context().setOffline(false)
  const note = page.getByText('Call with Third Khan not saved: No lead with this id.')
  await note.waitFor()
  await page.reload()
  await note.waitFor()
  await owner`update leads set assigned_to = ${bela.id} where id = ${ids['Third Khan']!}`
  await press(page.getByRole('button', { name: 'Open call' }))
  const form = page.getByRole('region', { name: 'Log a call with Third Khan' })
  assert.equal(await form.getByLabel('Notes').inputValue(), 'Rejected')
  await press(form.getByRole('button', { name: 'Busy' }))
  await form.waitFor({ state: 'detached' })
  await note.waitFor({ state: 'detached' })
  assert.equal((await callsOf('Third Khan')).length, 4)
})

test('a lead that is reassigned leaves the open card, and a call with it is saved all the same', async () => {
  const reassign = async (name: string, to: { email: string }) =>
    assert.equal((await admin.send('PATCH', `/web/leads/${ids[name]}`, { assigned_to: to.email })).status, 200)
  const page = await journey.pageOf(bela)
  const follows = page.waitForResponse('**/web/live*')
  await page.goto('/queue')
  await follows
  const next = page.getByRole('region', { name: 'Next lead' })
  const shown = async () => (await next.getByRole('heading').first().innerText()).trim()
  await next.getByRole('link', { name: /^Call / }).waitFor()
  const first = await shown()
  await reassign(first, asha)
  await page.getByText(`${first} was reassigned or deleted`).waitFor()
  await until(async () => (await shown()) !== first, 'the next lead')

  const second = await shown()
  await page.keyboard.press('c')
  await next.getByLabel('Notes').fill('Wants a visit')
  await reassign(second, asha)
  await next.getByText(/^This lead was reassigned or deleted/).waitFor()
  await press(next.getByRole('button', { name: 'No answer' }))
  await page.getByText(`Call with ${second} saved. The lead was reassigned meanwhile.`).waitFor()
  const [call] = await callsOf(second)
  assert.deepEqual([call!.notes, call!.called_by], ['Wants a visit', bela.id])
  assert.equal((await leadOf(second)).status, 'New')

  await until(async () => (await shown()) !== second, 'the next lead')
  const third = await shown()
  await page.keyboard.press('c')
  await reassign(third, asha)
  await next.getByText(/^This lead was reassigned or deleted/).waitFor()
  for (const name of ['Spoke', 'Tomorrow']) await press(next.getByRole('button', { name }))
  const planned = /The lead was reassigned meanwhile. Planned for the new owner: call again .+$/
  await page.getByText(planned).waitFor()
  assert.notEqual((await leadOf(third)).call_again_at, null)
})

test('a call that was not made is undone with its note, and after a wrong number the next one is called', async () => {
  await add('Sixth Sen')
  const id = ids['Sixth Sen']!
  const contacts = { add_contacts: ['98100 20006'] }
  assert.equal((await admin.send('PATCH', `/web/leads/${id}`, contacts)).status, 200)
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto(`/leads/${id}`)
  await page.getByRole('link', { name: 'Call +91 98100 10006' }).tap()
  await comeBack(page)
  const form = page.getByRole('dialog', { name: 'Log a call with Sixth Sen' })
  await form.getByLabel('Notes').fill('Asks for the price')
  await form.getByRole('button', { name: 'Cancel: I did not call' }).tap()
  await form.waitFor({ state: 'detached' })
  await page
    .getByRole('alert')
    .filter({ hasText: 'Call with Sixth Sen discarded' })
    .getByRole('button', { name: 'Undo' })
    .tap()
  await form.waitFor()
  assert.equal(await form.getByLabel('Notes').inputValue(), 'Asks for the price')
  // On another page it is a bar, also after a load; on the page of the lead, it stays.
  await page.reload()
  await form.waitFor()
  await page.goto('/calls')
  await page.getByText('Call with Sixth Sen', { exact: true }).waitFor()
  assert.equal(await form.count(), 0)
  await page.getByRole('button', { name: 'Log call' }).first().tap()

  await form.getByRole('button', { name: 'Wrong number' }).tap()
  const other = form.getByRole('link', { name: 'Call +91 98100 20006' })
  assert.equal(await other.getAttribute('href'), 'tel:+919810020006')
  await assertWellMade(page)
  await form.getByRole('button', { name: 'Do not call another' }).waitFor()
  await other.tap()
  await page.getByText(/^Call with Sixth Sen logged/).waitFor()
  await page.getByText('Call with Sixth Sen', { exact: true }).waitFor()
  const [lead] = await owner`select phone_key from leads where id = ${id}`
  assert.equal(lead!.phone_key, '+919810020006')
  const [call] = await callsOf('Sixth Sen')
  assert.deepEqual([call!.outcome, call!.notes], ['No Answer', 'Wrong number: 98100 10006\nAsks for the price'])
})

test('a double press logs one call, which stays logged if the server rejects a change of its lead', async () => {
  await add('Seventh Bose')
  const page = await journey.pageOf(bela)
  let posts = 0
  await page.route('**/web/leads/*/calls', (route) => {
    posts++
    return route.continue()
  })
  await page.goto(`/leads/${ids['Seventh Bose']}`)
  const form = page.getByRole('region', { name: 'Log a call with Seventh Bose' })
  const log = page.getByRole('button', { name: 'Log call' })
  await press(log)
  await form.getByRole('button', { name: 'Busy' }).evaluate((button: { click(): void }) => {
    button.click()
    button.click()
  })
  await form.waitFor({ state: 'detached' })
  assert.deepEqual([posts, (await callsOf('Seventh Bose')).length], [1, 1])

  const error = { code: 'INVALID_PARAM', message: 'A lead holds at most 50 tags.' }
  await page.route(`**/web/leads/${ids['Seventh Bose']}`, (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 400, json: { error } }) : route.continue(),
  )
  await press(log)
  await press(form.getByRole('button', { name: 'Other language' }))
  await press(form.getByRole('button', { name: 'Tamil' }))
  await press(form.getByRole('button', { name: 'Tomorrow' }))
  await page.getByText(/^Call with Seventh Bose logged, but its lead was not changed: A lead holds/).waitFor()
  await form.waitFor({ state: 'detached' })
  assert.equal((await callsOf('Seventh Bose')).length, 2)
  // One entry has the call with what it changed.
  const entry = page.getByRole('listitem').filter({ hasText: 'Outbound call, spoke' })
  await entry.getByText(/call again at: none/).waitFor()
})

test('a lead that is not interested is lost with one tap, undone as a whole, and its reason is asked if none is named so', async () => {
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await add('Sixth Bose')
  const id = ids['Sixth Bose']!
  const stored = async () => {
    const [lead] = await owner`select status, lost_reason, attempts from leads where id = ${id}`
    return { ...lead }
  }
  const form = page.getByRole('dialog', { name: 'Log a call with Sixth Bose' })
  const openForm = async () => {
    await page.goto(`/leads/${id}`)
    await page.getByRole('button', { name: 'Log call' }).tap()
    await form.getByRole('button', { name: 'Not interested' }).tap()
  }
  await openForm()
  await page.getByText('Call with Sixth Bose logged. Status: Lost').hover()
  assert.deepEqual(await stored(), { status: 'Lost', lost_reason: 'Not interested', attempts: 1 })
  assert.deepEqual(
    (await callsOf('Sixth Bose')).map(({ outcome }) => outcome),
    ['Completed'],
  )
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByText('Call with Sixth Bose is not logged').waitFor()
  assert.deepEqual(await stored(), { status: 'New', lost_reason: null, attempts: 0 })
  // Its form is as it was before the tap.
  await form.getByText('Spoke changes it to Contacted.').waitFor()
  await form.getByRole('button', { name: 'Cancel: I did not call' }).tap()

  const reasons = { lost_reasons: ['Too expensive', 'Bought elsewhere'] }
  assert.equal((await admin.send('PATCH', '/web/account', reasons)).status, 200)
  await openForm()
  await form.getByText('Lost, because: saves the call').waitFor()
  await assertWellMade(page)
  await form.getByRole('button', { name: 'Bought elsewhere' }).tap()
  await form.waitFor({ state: 'detached' })
  assert.deepEqual(await stored(), { status: 'Lost', lost_reason: 'Bought elsewhere', attempts: 1 })
})

test('no page logged an error, and all figures hold', async () => {
  assert.deepEqual(journey.complaints, [])
  await assertLeadsKnowTheirCalls(owner)
  await assertCountsHold(owner)
})
