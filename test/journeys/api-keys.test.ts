import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
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

test('a new key is shown even if the user tries to leave before the answer, and the API reference fills it in', async () => {
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
  const value = await once.locator('pre').first().innerText()
  assert.match(value, /^le_live_/)
  const opened = page.waitForEvent('popup')
  await press(once.getByRole('button', { name: 'Try it in the API reference' }))
  const reference = await opened
  const command = reference.locator('pre', { hasText: `curl ${journey.url}/api/v1/leads` }).first()
  await command.waitFor()
  assert.ok((await command.innerText()).includes(`Bearer ${value}`))
  await assertWellMade(reference)
  assert.equal(await reference.evaluate('document.documentElement.lang'), 'en')
  assert.ok(
    !(await reference.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).includes(value),
  )
  await press(reference.getByRole('link', { name: 'Back to Lead Engine' }))
  await reference.getByRole('link', { name: 'API keys' }).waitFor()
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

test('a rejected request is found by its X-Request-Id, from the key on', async () => {
  const page = await journey.pageOf(journey.asha)
  const rejected = await journey.bela.send('POST', '/api/v1/leads', { name: 'Ravi' })
  await page.goto('/settings/api-keys')
  await press(page.getByRole('button', { name: "Actions for Bela's key" }))
  await press(page.getByRole('menuitem', { name: 'Show requests' }))
  await page.getByRole('searchbox').fill(rejected.headers.get('x-request-id')!)
  await page.waitForURL(/search=/)
  await press(page.getByRole('link', { name: 'POST /api/v1/leads' }))
  const request = page.getByRole('dialog', { name: 'Request' })
  await request.getByText('phone or email is required.').waitFor()
  assert.match(new URL(page.url()).search, new RegExp(`^\\?source=${journey.bela.key.id}&search=.*&request=`))
})

test('the filters of the request log show their values whole, and are beside the search on a phone', async () => {
  const page = await journey.pageOf(journey.asha)
  const made = await page.request.post('/web/api-keys', {
    data: {
      name: 'Enquiry form of sunriserealty.in',
      user_id: journey.asha.id,
      permissions: ['write'],
      ip_whitelist: [],
    },
    headers: { origin: journey.url },
  })
  const { id } = (await made.json()).data
  await page.goto(`/settings/requests?source=${id}&endpoint=${encodeURIComponent('DELETE /api/v1/call-logs/:id')}`)
  for (const value of ['Enquiry form of sunriserealty.in', 'DELETE /api/v1/call-logs/{id}'])
    await page.locator(`input[value="${value}"]`).waitFor()
  const cutOff = "[...document.querySelectorAll('input')].filter((one) => one.scrollWidth > one.clientWidth)"
  assert.deepEqual(await page.evaluate(`${cutOff}.map((one) => one.value || one.placeholder)`), [])
  await page.setViewportSize(phone)
  const filters = page.getByRole('button', { name: 'Filters · 2' })
  await filters.waitFor()
  assert.equal((await filters.boundingBox())!.y, (await page.getByRole('searchbox').boundingBox())!.y)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
