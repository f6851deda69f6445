import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { databaseUrl } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { assertWellMade, desk, openWindows, phone, press } from '../journey.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'

let store: Awaited<ReturnType<typeof testDatabase>>
let service: Awaited<ReturnType<typeof startService>>
let windows: Awaited<ReturnType<typeof openWindows>>
let page: Page
before(async () => {
  store = await testDatabase()
  service = await startService({ DATABASE_URL: databaseUrl(store.connection) })
  windows = await openWindows(service.url)
})
after(async () => {
  await windows.close()
  await service.end()
  await store.close()
})

test('by keyboard from the first start to the first steps, a key, a lead through the API and its page', async () => {
  const said = (name: string) => new RegExp(`${name} +(\\S+)`).exec(service.said())?.[1]
  await until(() => said('Set up') !== undefined, 'the set-up link')
  page = await windows.page()
  await page.goto('/')
  await page.getByRole('heading', { name: 'Lead Engine is not set up yet' }).waitFor()
  await assertWellMade(page)
  await page.goto(said('Set up')!)
  await press(page.getByRole('button', { name: 'Set up' }))
  for (const text of ['Enter your email.', 'Enter at least 10 characters.']) await page.getByText(text).waitFor()
  assert.equal(await page.getByText('Enter a name.').count(), 2)
  await page.locator('input:focus').and(page.getByLabel('Company name')).waitFor()
  await page.getByLabel('Company name').pressSequentially('Sharma Homes')
  for (const text of ['Ravi Sharma', 'ravi@sharma.example', 'seven green parrots']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await assertWellMade(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.getByRole('button', { name: 'Name your company and yourself Done' }).waitFor()
  await page.getByText('1 of 6 done').waitFor()
  await page.setViewportSize(phone)
  await assertWellMade(page)
  await page.setViewportSize(desk)
  // Only who looks for the API is asked for a key.
  assert.doesNotMatch(await page.getByRole('main').innerText(), /API|key/)

  const other = await windows.page()
  await other.goto(said('Set up')!)
  await other.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await other.getByText('Ask the operator of the server for a link').waitFor()
  await assertWellMade(other)
  await other.close()

  // The page waits for a lead that comes after those that it finds.
  const isRead = page.waitForResponse(/\/web\/leads\?.*sort=newest/)
  await press(page.getByRole('button', { name: 'Ravi Sharma' }))
  await press(page.getByRole('menuitem', { name: 'API quick start' }))
  await page.getByRole('heading', { name: 'API quick start' }).waitFor()
  await press(page.getByRole('button', { name: 'Create key' }))
  await page.getByRole('dialog').getByLabel('Name').fill('IVR')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Create key' }))
  const created = page.getByRole('dialog', { name: /API key created/ })
  const key = await created.locator('pre').first().innerText()
  assert.match(key, /^le_live_/)
  await press(created.getByRole('button', { name: 'Done, I saved it' }))
  assert.match(
    await page.locator('pre').first().innerText(),
    new RegExp(`^curl ${service.url}/api/v1/leads .*${key}`, 's'),
  )
  await isRead

  const sent = await ask(service.url, key, 'POST', '/api/v1/leads', {
    name: 'Asha Rao',
    phone: '98200 11223',
    source: 'IVR',
  })
  assert.equal(sent.status, 201)
  await page.getByRole('heading', { name: 'Lead received' }).waitFor()
  await press(page.getByRole('link', { name: /Asha Rao/ }).first())
  await page.waitForURL(`**/leads/${sent.body.data.id}**`)
  await page.getByRole('heading', { name: 'Asha Rao' }).waitFor()
  await page.getByRole('link', { name: '+91 98200 11223' }).first().waitFor()
})

test('the first steps are resumed from the Overview, and end when each is done or skipped', async () => {
  await store.owner`delete from api_key_uses`
  await page.goto('/')
  const card = page.getByRole('region', { name: 'First steps' })
  await card.getByText('2 of 6 done. Next: invite your team.').waitFor()
  await assertWellMade(page)
  await card.getByRole('link', { name: 'Continue' }).click()
  const step = (name: string) => page.getByRole('button', { name, exact: false })
  await step('Name your company and yourself Done').waitFor()
  await page.getByText('Invite them before you import a file').waitFor()
  await page.getByRole('link', { name: 'Invite users' }).click()
  await page.getByLabel('Email').fill('bela@example.com')
  await page.getByLabel('Name').fill('Bela')
  await page.getByRole('button', { name: 'Invite 1 user' }).click()
  await page.getByRole('link', { name: 'Send by WhatsApp to Bela' }).waitFor()
  await page.getByText('This URL works only on this computer.').waitFor()
  await page.getByRole('link', { name: 'First steps' }).last().click()
  await step('Invite your team Done').waitFor()

  await step('Start with sample data or your own').click()
  await page.getByRole('button', { name: 'Add sample data' }).click()
  await page.getByText('40 sample leads with the tag “sample”').waitFor()

  await step('Connect a source of leads').click()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Website form')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('Waiting for the first delivery…').waitFor()
  await assertWellMade(page)
  const url = await page
    .locator('pre')
    .filter({ hasText: /^http\S+$/ })
    .innerText()
  await fetch(url, { method: 'POST', body: JSON.stringify({ name: 'Meera Iyer', phone: '98200 33445' }) })
  await step('Connect a source of leads Done').waitFor()
  await page.getByRole('status').getByRole('link', { name: 'Meera Iyer' }).waitFor()
  await assertWellMade(page)
  await page.getByRole('button', { name: 'Connect the next source' }).click()
  await dialog.getByLabel('Name').fill('A portal')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('Waiting for the first delivery…').waitFor()

  await step('Distribute new leads').click()
  await page.getByRole('button', { name: 'Skip this step' }).click()
  await page.setViewportSize(phone)
  await step('Turn on notifications').waitFor()
  await assertWellMade(page)
  await page.getByRole('button', { name: 'Skip this step' }).click()
  await page.getByText('Your account is set up').waitFor()
  await page.getByRole('link', { name: 'Open the Overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Calls per day, by outcome' }).waitFor()
  assert.equal(await card.count(), 0)
})

test('the samples are removed in the account, and nothing else', async () => {
  await page.goto('/settings/account')
  await page.getByRole('button', { name: 'Remove sample data' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete sample leads' }).click()
  await page.getByText('40 sample leads deleted').waitFor()
  await page.getByRole('button', { name: 'Remove sample data' }).waitFor({ state: 'detached' })
  const left = await store.owner`select name from leads order by name`
  assert.deepEqual(
    left.map(({ name }) => name),
    ['Asha Rao', 'Meera Iyer'],
  )
})

test('no page logged an error', () => assert.deepEqual(windows.complaints, []))
