import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { press, startJourney } from '../journey.ts'
import { ask } from '../people.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
})
after(() => journey.close())

test('a key is created with an IP whitelist and permissions, regenerated and revoked, and then answers 401', async () => {
  const page = await journey.pageOf(journey.asha)
  const list = (key: string) => ask(journey.url, key, 'GET', '/api/v1/leads').then(({ status }) => status)
  const valueShown = async () => {
    const once = page.getByRole('dialog', { name: /API key created/ })
    const value = await once.locator('pre').first().innerText()
    await press(once.getByRole('button', { name: 'Done, I saved it' }))
    return value
  }

  await page.goto('/settings/api-keys')
  await press(page.getByRole('button', { name: 'Create key' }).first())
  const form = page.getByRole('dialog', { name: 'Create key' })
  await form.getByLabel('Name').fill('IVR')
  const remove = form.getByRole('switch', { name: /Delete/ })
  if (await remove.isChecked()) await press(remove, 'Space')
  await form.getByLabel('IP whitelist').fill('office')
  await form.getByLabel('IP whitelist').press('Enter')
  await press(form.getByRole('button', { name: 'Create key' }))
  await form
    .getByText(/"office" is not an IP/)
    .last()
    .waitFor()
  await form.getByLabel('IP whitelist').press('Backspace')
  await form.getByLabel('IP whitelist').fill('127.0.0.1')
  await form.getByLabel('IP whitelist').press('Enter')
  await press(form.getByRole('button', { name: 'Create key' }))
  const first = await valueShown()
  assert.equal(await list(first), 200)
  assert.equal(
    (await ask(journey.url, first, 'GET', '/api/v1/leads', undefined, { 'x-forwarded-for': '203.0.113.9' })).status,
    403,
  )
  assert.equal((await ask(journey.url, first, 'DELETE', `/api/v1/leads/${journey.asha.id}`)).status, 403)

  await press(page.getByRole('button', { name: 'Actions for IVR' }))
  await press(page.getByRole('menuitem', { name: /Regenerate/ }))
  await page.getByLabel(/to confirm/).fill('IVR')
  await press(page.getByRole('dialog').getByRole('button', { name: /Regenerate/ }))
  const second = await valueShown()
  assert.deepEqual([await list(first), await list(second)], [401, 200])

  await press(page.getByRole('button', { name: 'Actions for IVR' }))
  await press(page.getByRole('menuitem', { name: /Revoke/ }))
  const end = page.getByRole('dialog').getByRole('button', { name: /Revoke/ })
  assert.ok(await end.isDisabled(), 'the name has to be typed first')
  await page.getByLabel(/to confirm/).fill('IVR')
  await press(end)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await list(second), 401)
})

test('a new key is shown even if the user tries to leave before the answer', async () => {
  const page = await journey.pageOf(journey.asha)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('/web/api-keys', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await page.goto('/leads')
  await page.getByRole('link', { name: 'API keys' }).click()
  await press(page.getByRole('button', { name: 'Create key' }).first())
  const form = page.getByRole('dialog', { name: 'Create key' })
  await form.getByLabel('Name').fill('Portal')
  await press(form.getByRole('button', { name: 'Create key' }))
  assert.ok(await form.getByRole('button', { name: 'Cancel' }).isDisabled())
  await form.getByLabel('Name').press('Escape')
  await form.getByRole('button', { name: 'Close' }).click()
  await page.goBack()
  answer()
  const once = page.getByRole('dialog', { name: 'API key created: Portal' })
  assert.match(await once.locator('pre').first().innerText(), /^le_live_/)
  await press(once.getByRole('button', { name: 'Done, I saved it' }))
})

test('a change of the name keeps what another Admin changed meanwhile', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/api-keys')
  const keys = async () => (await (await page.request.get('/web/api-keys')).json()).data
  const [{ id }] = (await keys()).filter(({ name }: { name: string }) => name === 'Portal')
  await press(page.getByRole('button', { name: 'Portal', exact: true }))
  const form = page.getByRole('dialog', { name: 'Edit Portal' })
  await form.getByLabel('Name').fill('Housing portal')
  await page.request.patch(`/web/api-keys/${id}`, {
    data: { permissions: ['write'] },
    headers: { origin: journey.url },
  })
  await press(form.getByRole('button', { name: 'Save changes' }))
  await page.getByText('Saved Housing portal').waitFor()
  const changed = (await keys()).find((key: { id: string }) => key.id === id)
  assert.deepEqual([changed.name, changed.permissions], ['Housing portal', ['write']])
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
