import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { passOnDue } from '../../server/selling/pass-on/pass-on.ts'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { assertCountsHold } from '../records.ts'
import { webhookOf } from '../webhooks.ts'

/** Today in India, the day of the browsers, at this minute. */
const todayAt = (minutes: number) => {
  const day = new Date(Date.now() + 330 * 60_000).toISOString().slice(0, 10)
  return new Date(new Date(`${day}T00:00:00+05:30`).getTime() + minutes * 60_000)
}
let now = todayAt(11 * 60)
const journey = await startJourney({}, () => now)
after(() => journey.close())
const { acme, asha, meena, bela, chand, owner, database } = journey
let webhook: Awaited<ReturnType<typeof webhookOf>>
before(async () => {
  await owner`update accounts set work_days = '1234567'`
  database.cache.invalidate(null)
  webhook = await webhookOf(journey, acme)
})

/** Not in a notification. */
const inList = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

/** The message is gone before the action is undone. */
async function clickUndo(page: Page, method: string) {
  const undone = page.waitForResponse((answer) => answer.request().method() === method)
  await page.getByRole('button', { name: 'Undo' }).click()
  await undone
}

let made = 0
const newLead = (name: string) => webhook.send({ name, phone: `98660${String(++made).padStart(5, '0')}` })

test('an Admin creates a rule that passes on, and it says so', async () => {
  const page = await journey.pageOf(asha)
  await page.goto('/settings/distribution')
  await press(page.getByRole('button', { name: 'Create rule' }))
  const form = page.getByRole('dialog', { name: 'Create rule' })
  await form.getByLabel('Name').fill('Everything')
  for (const name of [/Bela/, /Chand/]) {
    await form.getByRole('combobox', { name: 'Add an assignee' }).click()
    await page.getByRole('option', { name }).click()
  }
  await form.getByRole('combobox', { name: 'Pass on after' }).click()
  await page.getByRole('option', { name: '10 minutes' }).click()
  await assertWellMade(page)
  await press(form.getByRole('button', { name: 'Create rule' }))
  await page.getByText('Passes on after 10 minutes without a call').waitFor()
  await page.getByRole('combobox', { name: 'Fallback owner' }).click()
  await page.getByRole('option', { name: /Meena/ }).click()
  await page.getByText('Fallback owner saved').waitFor()
  await clickUndo(page, 'PATCH')
  await page.context().close()
})

test('after “Pause new leads today” a lead goes to a colleague; an untouched lead passes on, and both owners know; nothing passes on at night', async () => {
  const belas = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  const chands = await journey.pageOf(chand)
  for (const page of [belas, chands]) {
    const follows = page.waitForResponse('**/web/live*')
    const known = page.waitForResponse('**/web/notices*')
    await page.goto('/leads')
    await Promise.all([follows, known])
  }
  await belas.getByRole('button', { name: 'More' }).click()
  await belas.getByRole('button', { name: 'Pause new leads today' }).click()
  // The message with Undo stays while the pointer is on it.
  await belas.getByText('You get no new leads until the end of today').hover()
  await newLead('Kavita Rao')
  await inList(chands, 'Kavita Rao').click()
  await chands.getByText('Assigned to Chand by the rule “Everything”. Bela is away today.').waitFor()
  await owner`delete from pass_ons`
  await clickUndo(belas, 'DELETE')

  await newLead('मोहन देशपांडे')
  await inList(belas, 'मोहन देशपांडे').waitFor()
  now = todayAt(11 * 60 + 10)
  await passOnDue(database, () => now)
  await belas.getByText('मोहन द. was not called in time. New owner: Chand').waitFor()
  await inList(belas, 'मोहन देशपांडे').waitFor({ state: 'detached' })
  const alert = chands.getByRole('alert').filter({ hasText: 'मोहन देशपांडे' })
  await alert.getByRole('link', { name: 'मोहन देशपांडे' }).click()
  await chands.getByText(/^Passed on from Bela to Chand by the rule “Everything”/).waitFor()
  await assertWellMade(chands)

  now = todayAt(23 * 60)
  await newLead('Night Owl')
  now = todayAt(23 * 60 + 30)
  await passOnDue(database, () => now)
  const [lead] =
    await owner`select users.email, (select count(*)::int from timeline_entries where lead_id = leads.id) as entries
    from leads join users on users.id = assigned_to where leads.name = 'Night Owl'`
  assert.deepEqual(lead, { email: bela.email, entries: 1 })
  await assertCountsHold(owner)
  now = todayAt(11 * 60)
  for (const page of [belas, chands]) await page.context().close()
})

test('a Manager adds leave for a user of the team, who sees and deletes it; the Admin sees who is available', async () => {
  const page = await journey.pageOf(meena)
  await page.goto('/overview')
  await page.getByRole('link', { name: 'Team' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Bela' })
  await row.getByText('Available').waitFor()
  assert.equal(await page.getByText('Chand').count(), 0)
  await press(row.getByRole('button', { name: 'Change availability of Bela' }))
  const dialog = page.getByRole('dialog', { name: 'Availability of Bela' })
  await press(dialog.getByRole('button', { name: 'Add leave' }))
  const form = page.getByRole('dialog', { name: 'Add leave' })
  const today = todayAt(0).getTime()
  const day = (after: number) => new Date(today + after * 86_400_000 + 330 * 60_000).toISOString().slice(0, 10)
  await form.getByLabel('First day').fill(day(0))
  await form.getByLabel('Last day').fill(day(2))
  await assertWellMade(page)
  await press(form.getByRole('button', { name: 'Add leave' }))
  await dialog.getByText(/^Away until/).waitFor()
  await assertWellMade(page)
  await page.keyboard.press('Escape')
  await row.getByText(/^Away until/).waitFor()
  await page.context().close()

  const belas = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await belas.goto('/profile')
  const own = belas.getByRole('region', { name: 'Availability' })
  await own.getByRole('button', { name: /^Delete leave: / }).waitFor()
  await press(own.getByRole('switch', { name: 'Own working hours' }), 'Space')
  await own.getByRole('group', { name: 'Working days' }).waitFor()
  await assertWellMade(belas)
  await own.getByRole('button', { name: /^Delete leave: / }).click()
  await own.getByText('Available', { exact: true }).waitFor()
  await belas.context().close()

  const admins = await journey.pageOf(asha)
  await admins.goto('/settings/team')
  await admins.getByRole('row').filter({ hasText: 'Chand' }).getByText('Available').waitFor()
  await press(admins.getByRole('button', { name: 'Actions for Chand' }))
  await press(admins.getByRole('menuitem', { name: 'Availability' }))
  const chands = admins.getByRole('dialog', { name: 'Availability of Chand' })
  await press(chands.getByRole('button', { name: 'Pause new leads today' }))
  await chands.getByText('Away today').waitFor()
})

test('no page reports an error', () => assert.deepEqual(journey.complaints, []))
