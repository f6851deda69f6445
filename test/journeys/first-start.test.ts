import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { databaseUrl } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { openWindows, press } from '../journey.ts'
import { ask } from '../people.ts'
import { startService } from '../service.ts'

let store: Awaited<ReturnType<typeof testDatabase>>
let service: Awaited<ReturnType<typeof startService>>
let windows: Awaited<ReturnType<typeof openWindows>>
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
  const page = await windows.page()
  await page.goto('/')
  await page.getByLabel('Email').pressSequentially(said('Sign in'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(said('Password'))
  await page.keyboard.press('Enter')

  await page.getByText('You are Admin and sign in with admin@example.com.').waitFor()
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

test('no page logged an error', () => assert.deepEqual(windows.complaints, []))
