import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { press, startJourney } from '../journey.ts'
import { ask } from '../people.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
})
after(() => journey.close())

const { payload: housing } = JSON.parse(readFileSync(join(import.meta.dirname, '../payloads/housing_com.json'), 'utf8'))
/** A form whose phone goes by a name that says something else. */
const odd = { customer: 'Sunil Shah', order_id: '9820011224', town: 'Thane' }

test('a webhook is created, its first delivery read as it comes, a mapping mended, and a refused delivery replayed', async () => {
  const page = await journey.pageOf(journey.asha)
  const leads = async () =>
    (await journey.asha.send('GET', '/api/v1/leads')).body.data.map(
      ({ name, phone, source }: Record<string, string>) => [...[name, phone, source]],
    )

  await page.goto('/settings/webhooks')
  await press(page.getByRole('button', { name: /Create.* webhook/ }).first())
  const form = page.getByRole('dialog', { name: 'Create webhook' })
  await form.getByLabel('Name').fill('Housing portal')
  await form.getByLabel('Source label').fill('Housing')
  await press(form.getByRole('button', { name: 'Create webhook' }))
  await page.getByText('Waiting for the first delivery').waitFor()
  const address = await page.locator('pre').first().innerText()
  assert.match(address, new RegExp(`^${journey.url}/webhook/`))
  const send = (body: unknown) => ask(journey.url, null, 'POST', address.replace(journey.url, ''), body)

  assert.equal((await send(housing)).status, 200)
  const lead = page.getByRole('region', { name: 'The lead it makes' })
  await lead.getByText('Aarav Srivastava').waitFor()
  await lead.getByText('+91 94150 77001').waitFor()
  assert.deepEqual(await leads(), [['Aarav Srivastava', '9415077001', 'Housing']])

  assert.equal((await send(odd)).status, 400)
  await press(page.getByRole('tab', { name: /Deliveries/ }))
  const refused = page.getByRole('row').filter({ hasText: 'Refused' })
  await press(refused.getByRole('link').or(refused.getByRole('button')).first())
  await press(page.getByRole('dialog').getByRole('link', { name: 'Mend the mapping' }))
  await page.getByLabel('Lead field for order_id').waitFor()
  await page.getByLabel('Lead field for order_id').selectOption('phone')
  await lead.getByText('+91 98200 11224').waitFor()
  assert.equal((await leads()).length, 1, 'trying a mapping changes nothing')
  await press(page.getByRole('button', { name: /^Save/ }))
  await press(page.getByRole('button', { name: /^Replay/ }))
  await page.getByText('Replayed 1 delivery: 1 created.').waitFor()
  assert.deepEqual((await leads()).sort(), [
    ['Aarav Srivastava', '9415077001', 'Housing'],
    ['Sunil Shah', '9820011224', 'Housing'],
  ])
})

test('a disabled webhook takes nothing, and a new address ends the old one', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/webhooks')
  await press(page.getByRole('link', { name: 'Housing portal' }))
  const shown = () => page.locator('pre').first().innerText()
  const address = await shown()
  const send = (to: string) =>
    ask(journey.url, null, 'POST', to.replace(journey.url, ''), housing).then(({ status }) => status)

  await press(page.getByRole('button', { name: 'More actions' }))
  await press(page.getByRole('menuitem', { name: /Disable/ }))
  await press(page.getByRole('dialog').getByRole('button', { name: /Disable/ }))
  await page.getByText('Disabled', { exact: true }).first().waitFor()
  assert.equal(await send(address), 403)
  await press(page.getByRole('button', { name: /^Enable/ }))
  await page.getByText('Enabled', { exact: true }).first().waitFor()
  assert.equal(await send(address), 200)

  await press(page.getByRole('button', { name: 'More actions' }))
  await press(page.getByRole('menuitem', { name: /New address/ }))
  await page.getByLabel(/to confirm/).fill('Housing portal')
  await press(page.getByRole('dialog').getByRole('button', { name: /address/ }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText(address).waitFor({ state: 'detached' })
  assert.deepEqual([await send(address), await send(await shown())], [404, 200])
})

test('no page complained', () => assert.deepEqual(journey.complaints, []))
