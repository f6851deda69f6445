import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { databaseUrl } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { assertWellMade, openWindows, phone, press } from '../journey.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'

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

test('by keyboard from the first start to a key, a lead through the API and its page', async () => {
  const said = (name: string) => new RegExp(`${name} +(\\S+)`).exec(service.said())![1]!
  page = await windows.page()
  await page.goto('/')
  await page.getByLabel('Email').pressSequentially(said('Sign in'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(said('Password'))
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await press(page.getByRole('button', { name: /Connect a source of leads/ }))
  await press(page.getByRole('link', { name: /quick start/i }).first())
  await page.getByRole('heading', { name: 'API quick start' }).waitFor()
  await press(page.getByRole('button', { name: /Create|Make/ }).first())
  await page.getByLabel('Name').fill('Website')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Create key' }))
  const once = page.getByRole('dialog', { name: /API key created/ })
  const key = await once.locator('pre').first().innerText()
  assert.match(key, /^le_live_/)
  await press(once, 'Escape')
  assert.ok(await once.isVisible(), 'a key that is shown once is not closed by accident')
  await press(once.getByRole('button', { name: 'Done, I saved it' }))

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
  await card.getByText('1 of 6 done. Next: name your company and yourself.').waitFor()
  await assertWellMade(page)
  await card.getByRole('link', { name: 'Continue' }).click()
  await page.getByLabel('Company name').fill('Sharma Homes')
  await page.getByLabel('Your name').fill('Ravi Sharma')
  await page.getByRole('button', { name: 'Save names' }).click()
  const step = (name: string) => page.getByRole('button', { name, exact: false })
  await step('Name your company and yourself Done').waitFor()

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

  await step('Invite your team').click()
  await page.getByRole('button', { name: 'Invite a user' }).click()
  await dialog.getByLabel('Email').fill('bela@example.com')
  await dialog.getByLabel('Name').fill('Bela')
  await dialog.getByRole('button', { name: 'Invite user' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await step('Invite your team Done').waitFor()

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
