import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, comeBack, desk, phone, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'
import { webhookOf } from '../webhooks.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela, chand } = journey

const ids: Record<string, string> = {}
const minutes = (n: number) => new Date(Date.now() + n * 60_000)
async function add(name: string, number: string, at: Date, owner = bela) {
  const { body } = await asha.send('POST', '/api/v1/leads', { name, phone: number, assigned_to: owner.email })
  ids[name] = body.data.id
  await promise(name, at)
}
/** As if it had been promised earlier. */
const promise = (name: string, at: Date) =>
  journey.owner`update leads set call_again_at = ${at}, remind_at = ${at} where id = ${ids[name]!}`

before(async () => {
  await add('Overdue Mehta', '98100 00001', minutes(-26 * 60))
  await add('Later Iyer', '98100 00002', minutes(30 * 60))
  await add('मीरा देशपांडे', '98100 00003', minutes(50 * 60))
  await add('Of Chand', '98100 00004', minutes(-90), chand)
  const call = { lead_id: ids['Overdue Mehta'], call_type: 'Outbound', outcome: 'No Answer', duration_seconds: 0 }
  const called_at = minutes(-48 * 60).toISOString()
  await bela.send('POST', '/api/v1/call-logs', { ...call, called_at, notes: 'Asked for a visit on Saturday' })
})

test('an Agent moves a promised call, undoes it, calls and logs it, and it leaves the page', async () => {
  const page = await journey.pageOf(bela, { viewport: phone })
  await page.goto('/today')
  const overdue = page.getByRole('region', { name: 'Overdue · 1' })
  await overdue.getByRole('link', { name: 'Overdue Mehta', exact: true }).waitFor()
  await overdue.getByText('No answer: Asked for a visit on Saturday').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Of Chand' }).count(), 0)
  await assertWellMade(page)
  await page.getByRole('button', { name: 'Move call with Overdue Mehta' }).click()
  await page.getByRole('menuitem', { name: 'Not planned' }).waitFor()
  await page.goBack()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/today')
  await press(page.getByRole('button', { name: 'Move call with Overdue Mehta' }))
  const choice = page.getByRole('menuitem', { name: /^[A-Z][a-z]{2} \d+ [A-Z][a-z]+, 10:00$/ }).first()
  const chosen = await choice.textContent()
  await press(choice)
  // The message with Undo stays while the pointer is on it.
  await page.getByText(`Call with Overdue Mehta moved to ${chosen}`).hover()
  await overdue.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await overdue.waitFor()
  await press(page.getByRole('button', { name: 'Move call with Overdue Mehta' }))
  await press(page.getByRole('menuitem', { name: 'Other time…' }))
  const otherTime = page.getByRole('dialog', { name: 'Move call with Overdue Mehta' })
  await otherTime.getByLabel('Call again (IST)').fill('2031-01-02T16:45')
  await assertWellMade(page)
  await otherTime.getByRole('button', { name: 'Move call' }).click()
  await page.getByText('Call with Overdue Mehta moved to Thu 2 Jan 2031, 16:45').hover()
  await page.getByRole('button', { name: 'Undo' }).click()
  await overdue.waitFor()
  // The page shows it anyway.
  assert.equal(await page.getByRole('alert').filter({ hasText: 'Call overdue' }).count(), 0)

  await overdue.getByRole('link', { name: 'Call Overdue Mehta: +91 98100 00001' }).click()
  await page.getByRole('button', { name: 'Log call' }).click()
  const form = page.getByRole('dialog', { name: 'Log a call with Overdue Mehta' })
  await form.getByText(/This call keeps the promise\.$/).waitFor()
  await form.getByRole('button', { name: 'Spoke' }).click()
  await form.getByText('Next step: saves the call').waitFor()
  await page.goBack()
  await form.getByRole('button', { name: 'Spoke' }).click()
  await form.getByRole('button', { name: 'None, because…' }).click()
  await form.getByRole('button', { name: 'Customer will call back' }).click()
  await overdue.waitFor({ state: 'detached' })
})

test('losing a lead says that its promised call ended, and one Undo brings back status, reason and promise', async () => {
  const page = await journey.pageOf(bela)
  const [id, at] = [ids['Later Iyer']!, minutes(30 * 60)]
  at.setMilliseconds(0)
  await promise('Later Iyer', at)
  await page.goto(`/leads/${id}`)
  const stored = async () => {
    const [lead] = await journey.owner`select status, lost_reason, call_again_at from leads where id = ${id}`
    return [lead!.status, lead!.lost_reason, lead!.call_again_at]
  }
  await page.getByRole('list', { name: 'Timeline' }).waitFor()
  await page.keyboard.press('s')
  await page.getByRole('option', { name: 'Lost' }).click()
  await page.getByText(/^Status changed to Lost\. Call of .* ended/).waitFor()
  await press(page.getByRole('dialog', { name: 'Lost reason' }).getByRole('button', { name: 'Too expensive' }))
  await page.getByText(/^Lost reason changed to Too expensive\. Call of .* ended/).hover()
  assert.deepEqual(await stored(), ['Lost', 'Too expensive', null])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Bela changed status: Lost.*New/).waitFor()
  assert.deepEqual(await stored(), ['New', null, at])
})

test('a page says at its time that a call is due, once more when it is overdue, and no longer when it is called elsewhere', async () => {
  const page = await journey.pageOf(bela)
  await page.goto('/leads')
  const before = page.waitForResponse('**/web/today/due')
  // Live, so that the page knows of it.
  const at = new Date(Date.now() + 4000).toISOString()
  const changed = await page.request.patch(`/web/leads/${ids['Later Iyer']}`, {
    data: { call_again_at: at },
    headers: { origin: journey.url },
  })
  assert.equal(changed.status(), 200)
  await before
  const due = page.getByRole('alert').filter({ hasText: 'Call due' })
  await due.getByRole('link', { name: 'Later Iyer' }).waitFor()
  await assertWellMade(page)
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: 'Show results' }).waitFor()
  await due.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Show results' }).click()
  await due.waitFor()
  await page.setViewportSize(desk)
  // It moves to its place on a wide screen, and fades at the other one.
  await page.locator('[data-position=bottom-right]').filter({ has: due }).waitFor()
  await until(async () => (await due.count()) === 1, 'one message')
  await due.getByRole('button', { name: 'Close' }).click()
  await due.waitFor({ state: 'detached' })
  await promise('Later Iyer', minutes(-16))
  await promise('मीरा देशपांडे', minutes(-17))
  await page.reload()
  const overdue = page.getByRole('alert').filter({ hasText: '2 calls overdue' })
  await overdue.getByText('Open Today').click()
  await page.waitForURL('/today')
  await overdue.waitFor({ state: 'detached' })
  await page.goBack()
  await overdue.waitFor()
  for (const name of ['Later Iyer', 'मीरा देशपांडे'])
    await bela.send('POST', '/api/v1/call-logs', { lead_id: ids[name], call_type: 'Outbound', duration_seconds: 60 })
  await overdue.waitFor({ state: 'detached' })
})

test('keys move between promised calls and call', async () => {
  const page = await journey.pageOf(chand)
  await page.goto('/today')
  const lead = page.getByRole('link', { name: 'Of Chand', exact: true })
  await lead.waitFor()
  await page.keyboard.press('j')
  await lead.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('k')
  await lead.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('c')
  await page
    .getByText(/Of Chand/)
    .nth(1)
    .waitFor()
  await comeBack(page)
  await page.getByRole('dialog', { name: /Of Chand/ }).waitFor()
})

test('an Admin sees the promised calls of all owners, and of one', async () => {
  const page = await journey.pageOf(asha)
  await page.goto('/today')
  await page.getByText('No calls promised').waitFor()
  const choose = async (owner: string) => {
    await page.getByRole('combobox', { name: 'Owner' }).click()
    await page.getByRole('option', { name: owner }).click()
  }
  await choose('All owners')
  await page.getByRole('listitem').filter({ hasText: 'Of Chand' }).getByText('Chand', { exact: true }).waitFor()
  await choose('Bela')
  await page.getByText('No calls promised').waitFor()
})

test('a due call never covers the bar with unsaved changes', async () => {
  await add('Of Asha', '98100 00005', minutes(-1), asha)
  const webhook = await webhookOf(journey, journey.acme)
  await webhook.send(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`question_${at}`, 'Answer'])))
  const page = await journey.pageOf(asha)
  const due = page.getByRole('alert').filter({ hasText: 'Of Asha' })
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  const isClear = async () => {
    const [above, below] = [await due.boundingBox(), await bar.boundingBox()]
    return above!.y + above!.height <= below!.y
  }
  for (const viewport of [desk, phone]) {
    await page.setViewportSize(viewport)
    await page.goto(`/settings/webhooks/${webhook.id}?tab=mapping`)
    await page.getByLabel('Lead field for question_0').selectOption('notes')
    await due.waitFor()
    for (const place of ['0', '1e6', 'scrollY - 100']) {
      await page.evaluate(`scrollTo(0, ${place})`)
      await until(isClear, `the bar is clear at ${place}`)
    }
    await assertWellMade(page)
    await press(page.getByRole('button', { name: 'Discard' }))
  }
})

test('a page asks for nothing wrong', () => assert.deepEqual(journey.complaints, []))
