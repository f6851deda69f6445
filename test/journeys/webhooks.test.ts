import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { press, startJourney } from '../journey.ts'
import { ask } from '../people.ts'
import { webhookOf } from '../webhooks.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
})
after(() => journey.close())

const sample = '../../server/intake/payload/senders/housing-com/sample.json'
const { payload: housing } = JSON.parse(readFileSync(join(import.meta.dirname, sample), 'utf8'))
/** A form whose phone field has a misleading name. */
const odd = { customer: 'Sunil Shah', order_id: '9820011224', town: 'Thane' }

test('a webhook is created, its first delivery shown at once, its mapping fixed, and a rejected delivery replayed', async () => {
  const page = await journey.pageOf(journey.asha)
  const leads = async () =>
    (await journey.asha.send('GET', '/api/v1/leads')).body.data.map(
      ({ name, phone, source }: Record<string, string>) => [name, phone, source],
    )

  await page.goto('/settings/webhooks')
  await press(page.getByRole('button', { name: /Create.* webhook/ }).first())
  const form = page.getByRole('dialog', { name: 'Create webhook' })
  await form.getByLabel('Name').pressSequentially('Housing portal')
  await page.keyboard.press('Tab')
  // It replaces the name, which is the label until then.
  await page.keyboard.type('Housing')
  await press(form.getByRole('button', { name: 'Create webhook' }))
  await page.getByText('Waiting for the first delivery').waitFor()
  await page.getByRole('list', { name: 'Steps for Housing.com' }).waitFor()
  await page.getByLabel('Platform').first().fill('wordpress')
  await page.getByRole('option', { name: 'Elementor' }).waitFor()
  await page.getByLabel('Platform').first().fill('shop')
  await page.getByRole('option', { name: 'Shopify' }).click()
  await page.getByRole('list', { name: 'Steps for Shopify' }).getByText('Create webhook').waitFor()
  const address = await page.locator('pre').first().innerText()
  assert.match(address, new RegExp(`^${journey.url}/webhook/`))
  const send = (body: unknown) => ask(journey.url, null, 'POST', address.replace(journey.url, ''), body)

  assert.equal((await send(housing)).status, 200)
  const lead = page.getByRole('region', { name: 'Resulting lead' })
  await lead.getByText('Aarav Srivastava').waitFor()
  await lead.getByText('+91 94150 77001').waitFor()
  await page.getByText('First lead: Aarav Srivastava').getByRole('link').waitFor()
  await page.getByRole('button', { name: 'Connect the next source' }).waitFor()
  assert.deepEqual(await leads(), [['Aarav Srivastava', '9415077001', 'Housing']])

  assert.equal((await send(odd)).status, 400)
  await press(page.getByRole('tab', { name: /Deliveries/ }))
  const rejected = page.getByRole('row').filter({ hasText: 'Rejected' })
  await press(rejected.getByRole('link').or(rejected.getByRole('button')).first())
  await press(page.getByRole('dialog').getByRole('link', { name: 'Fix mapping' }))
  await page.getByLabel('Lead field for order_id').waitFor()
  await page.getByLabel('Lead field for order_id').selectOption('phone')
  await lead.getByText('+91 98200 11224').waitFor()
  assert.equal((await leads()).length, 1, 'previewing a mapping changes nothing')
  await press(page.getByRole('button', { name: /^Save/ }))
  await press(page.getByRole('button', { name: /^Replay/ }))
  await page.getByText('Replayed 1 delivery: 1 created.').waitFor()
  assert.deepEqual((await leads()).sort(), [
    ['Aarav Srivastava', '9415077001', 'Housing'],
    ['Sunil Shah', '9820011224', 'Housing'],
  ])
})

test('a disabled webhook rejects deliveries, and regenerating its URL ends the old one', async () => {
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
  await press(page.getByRole('menuitem', { name: 'Regenerate URL' }))
  await page.getByLabel(/to confirm/).fill('Housing portal')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Regenerate URL' }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText(address).waitFor({ state: 'detached' })
  assert.deepEqual([await send(address), await send(await shown())], [404, 200])
})

/** The Housing portal's page, and how another Admin changes it meanwhile. */
async function housingPage() {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/webhooks')
  await press(page.getByRole('link', { name: 'Housing portal' }))
  const address = await page.locator('pre').first().innerText()
  const path = `/web${new URL(page.url()).pathname.replace('/settings', '')}`
  return {
    page,
    send: (body: unknown) => ask(journey.url, null, 'POST', address.replace(journey.url, ''), body),
    elsewhere: (change: object) => page.request.patch(path, { data: change, headers: { origin: journey.url } }),
    inForce: async () => (await (await page.request.get(path)).json()).data,
    focused: () => page.evaluate<string>('document.activeElement.innerText || document.activeElement.id'),
  }
}

test('an edited mapping keeps its sample delivery and what another Admin maps meanwhile', async () => {
  const { page, send, elsewhere, inForce, focused } = await housingPage()
  const entries = async () =>
    (await inForce()).mapping.map(({ path, field }: Record<string, string>) => `${path} ${field}`).sort()
  await send({ ...odd, phone: '9820011225' })
  await press(page.getByRole('tab', { name: /Mapping/ }))
  await page.getByLabel('Lead field for town').selectOption('company')
  // The town was recognised as the city, which the leads lose.
  const save = page.getByRole('button', { name: 'Save anyway' })
  await save.waitFor()
  const shown = await page.getByRole('combobox', { name: 'Sample delivery' }).inputValue()
  const before = await entries()

  const renewed = page.waitForResponse((response) => response.url().includes('/deliveries?'))
  await send(housing)
  await renewed

  await elsewhere({ mapping: [...(await inForce()).mapping, { path: 'budget', field: 'deal_value' }] })
  await press(save)
  await page.getByText('Mapping saved.').waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Sample delivery' }).inputValue(), shown)
  assert.deepEqual(await entries(), [...before, 'budget deal_value', 'town company'].sort())
  await press(page.getByRole('button', { name: 'Undo' }))
  await page.getByText('Mapping restored').waitFor()
  assert.deepEqual(await entries(), [...before, 'budget deal_value'].sort())
  assert.equal(await focused(), 'Payload')

  await page.getByLabel('Lead field for town').selectOption('notes')
  const test = page.getByRole('button', { name: 'Send test delivery' })
  await press(test)
  await page.getByText('A test delivery: please call back in the evening.').first().waitFor()
  await page.locator('button[data-loading]').waitFor({ state: 'detached' })
  assert.equal(await focused(), 'Send test delivery')
  await press(page.getByRole('button', { name: 'Discard' }))
  assert.equal(await focused(), 'Payload')

  await page.goto(`${new URL(page.url()).pathname}?tab=mapping&delivery=${journey.asha.id}`)
  await press(page.getByRole('button', { name: 'Show newest delivery' }))
  await page.getByRole('region', { name: 'Resulting lead' }).waitFor()
})

test('a mapping that would lose leads says which, and is saved only with "Save anyway"', async () => {
  const { page, send, inForce } = await housingPage()
  const mapped = async () => (await inForce()).mapping.map(({ path }: Record<string, string>) => path)
  assert.ok((await mapped()).includes('order_id'))
  assert.equal((await send({ customer: 'Kiran Rao', mobile: '9820011399' })).status, 200)
  await press(page.getByRole('tab', { name: /Mapping/ }))
  await page.getByLabel('Lead field for mobile').selectOption('ignore')
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByText(/Would reject 1 of the last \d+ deliveries$/).waitFor()
  await bar.getByText(/rejected, without phone and email/).waitFor()
  assert.equal(await bar.getByRole('button', { name: /^Save \d/ }).count(), 0)
  assert.ok(!(await mapped()).includes('mobile'))
  await press(bar.getByRole('button', { name: 'Save anyway' }))
  await page.getByText('Mapping saved.').waitFor()
  assert.ok((await mapped()).includes('mobile'))
  await press(page.getByRole('button', { name: 'Undo' }))
  await page.getByText('Mapping restored').waitFor()

  // Pressed before the deliveries were tried: the loss is shown first.
  await page.route('**/dry-run', async (route) => {
    await setTimeout(1500)
    await route.continue()
  })
  await page.getByLabel('Lead field for mobile').selectOption('notes')
  await press(bar.getByRole('button', { name: 'Save 1 change' }))
  await bar.getByRole('button', { name: 'Save anyway' }).waitFor()
  assert.ok(!(await mapped()).includes('mobile'))
  await page.unroute('**/dry-run')
  await page.getByLabel('Lead field for mobile').selectOption('phone')
  await bar.getByText(/^Changes none of the last/).waitFor()
  await press(bar.getByRole('button', { name: 'Save 1 change' }))
  await page.getByText('Mapping saved.').waitFor()
})

test('while the server is unavailable, the mapping stays visible', async () => {
  const { page, send } = await housingPage()
  await send(odd)
  await press(page.getByRole('tab', { name: /Mapping/ }))
  await page.getByLabel('Lead field for town').waitFor()
  await page.route('**/*', (route) => route.abort())
  await page.getByLabel('Lead field for town').selectOption('notes')
  await press(page.getByRole('button', { name: 'Save 1 change' }))
  await page.getByText('The preview on past deliveries appears when the server answers.').waitFor()
  const notice = page.getByText('No answer from the server.')
  await notice.waitFor()
  assert.deepEqual([await notice.count(), await page.getByLabel('Lead field for town').inputValue()], [1, 'notes'])
  await page.getByLabel('Lead field for town').selectOption('company')
  await notice.waitFor({ state: 'detached' })
  await page.unroute('**/*')
  await press(page.getByRole('button', { name: 'Save anyway' }))
  await page.getByText('Mapping saved.').waitFor()
})

test('defaults are saved beside another Admin’s changes, and undone', async () => {
  const { page, elsewhere, inForce } = await housingPage()
  const defaults = async () => {
    const { default_status, default_source } = await inForce()
    return [default_status, default_source]
  }
  await press(page.getByRole('tab', { name: 'Defaults' }))
  await page.getByLabel('Default source').fill('Portal')
  await elsewhere({ default_status: 'Contacted' })
  await press(page.getByRole('button', { name: 'Save defaults' }))
  await page.getByText('Defaults saved').waitFor()
  assert.deepEqual(await defaults(), ['Contacted', 'Portal'])
  await press(page.getByRole('button', { name: 'Undo' }))
  await page.getByLabel('Default source').and(page.locator('[value=""]')).waitFor()
  assert.deepEqual(await defaults(), ['Contacted', null])
  assert.equal(await page.getByText('Unsaved changes').count(), 0)
})

test('creating a webhook cannot be cancelled after the request, and its page gets the focus', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/webhooks')
  await press(page.getByRole('button', { name: /Create.* webhook/ }).first())
  const form = page.getByRole('dialog', { name: 'Create webhook' })
  await form.getByLabel('Name').fill('Fair')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/web/webhooks', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  // As near to each other as two clicks can be.
  await page.evaluate(`(async () => {
    const [cancel, create] = document.querySelectorAll('[role=dialog] form > div > :last-child button')
    create.click()
    const { port1, port2 } = new MessageChannel()
    await new Promise((resolve) => {
      port1.onmessage = resolve
      port2.postMessage(null)
    })
    cancel.click()
  })()`)
  assert.ok(await form.getByRole('button', { name: 'Cancel' }).isDisabled())
  await form.press('Escape')
  assert.ok(await form.isVisible())
  answer()
  await page.getByText('Waiting for the first delivery').waitFor()
  await page.waitForTimeout(100)
  assert.equal(await page.evaluate<string>('document.activeElement.id'), 'content')
})

test('loading more deliveries and replaying them keep the focus', async () => {
  const { page, send, focused } = await housingPage()
  for (let sent = 0; sent < 55; sent++) assert.equal((await send({ city: `C ${sent}` })).status, 400)
  await page.reload()
  await page.getByRole('radiogroup', { name: 'Outcome' }).getByText('Rejected').click()
  await press(page.getByRole('button', { name: 'Load more' }))
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  assert.equal(await focused(), 'No name')

  const replay = page.getByRole('button', { name: /^Replay \d+ rejected deliveries$/ })
  await press(replay)
  await page.getByText(/^Replayed \d+ deliveries: .*55 still rejected\.$/).waitFor()
  await press(page.getByRole('button', { name: 'Close' }))
  await replay.waitFor()
  assert.equal(await focused(), await replay.innerText())

  await press(page.getByRole('link', { name: 'No name' }).first())
  await press(page.getByRole('dialog').getByRole('button', { name: 'Replay delivery' }))
  await page.getByText('Replayed: still rejected.').waitFor()
  assert.equal(await focused(), 'Replay delivery')

  await page.goto('/')
  await page.getByText(/^55 deliveries rejected, newest /).waitFor()
})

test('the records of a batch are listed on each of their deliveries', async () => {
  const { page, send } = await housingPage()
  const leads = ['Sunita Devi', 'Kabir Anand'].map((name, at) => ({ name, phone: `982003310${at}` }))
  await send({ leads: [...leads, { name: 'Without contact' }] })
  await page.reload()
  await press(page.getByRole('link', { name: 'Sunita Devi' }))
  const delivery = page.getByRole('dialog')
  await delivery.getByText('Record 1, shown here').waitFor()
  await delivery.getByText('No email and no phone was found').waitFor()
  await press(delivery.getByRole('link', { name: 'Record 2' }))
  await delivery.getByText('Record 2, shown here').waitFor()
  await delivery.getByText('Kabir Anand').first().waitFor()
})

test('the next webhook proposes what was mapped; its unsure fields need a look until they are confirmed', async () => {
  const page = await journey.pageOf(journey.asha)
  const create = async (name: string) => {
    const made = await page.request.post('/web/webhooks', {
      data: { name, source_label: name },
      headers: { origin: journey.url },
    })
    const { id, url } = (await made.json()).data
    return {
      change: (data: object) => page.request.patch(`/web/webhooks/${id}`, { data, headers: { origin: journey.url } }),
      send: (body: unknown) => ask(journey.url, null, 'POST', url.replace(journey.url, ''), body),
    }
  }
  const first = await create('First form')
  await first.change({ mapping: [{ path: 'wing', field: 'company' }] })
  const form = { wing: 'Baner', ref_no: '9820055667', kundin: 'Meera Iyer' }
  assert.equal((await first.send(form)).status, 200)
  assert.equal((await (await create('Next form')).send(form)).status, 200)

  await page.goto('/')
  await press(page.getByRole('link', { name: /Next form Check the mapping: Phone uncertain/ }))
  await page.getByText('Mapped manually on the webhook “First form”').waitFor()
  await page.getByText('· unsure').waitFor()
  await press(page.getByRole('button', { name: 'Confirm mapping' }))
  await page.getByText('Mapping confirmed').waitFor()
  await page.getByText('Needs a look').waitFor({ state: 'detached' })
})

test('the secret token of Zoom is saved beside its steps, and the URL passes its check', async () => {
  const webhook = await webhookOf(journey, journey.acme, { source_label: 'Zoom Phone' })
  const page = await journey.pageOf(journey.asha)
  await page.goto(`/settings/webhooks/${webhook.id}`)
  await page.getByLabel('Secret token').fill(' Zk3Nq8vWTpuLr2sYhB5xCg ')
  await press(page.getByRole('button', { name: 'Save secret token' }))
  await page.getByText('Secret token saved').waitFor()
  assert.equal(await page.getByLabel('Secret token').inputValue(), 'Zk3Nq8vWTpuLr2sYhB5xCg')
  const { body } = await webhook.send({ event: 'endpoint.url_validation', payload: { plainToken: 'abc' } })
  assert.deepEqual(Object.keys(body), ['plainToken', 'encryptedToken'])
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
