import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela } = journey
let ravi: string

before(async () => {
  const lead = { name: 'Ravi  Rao', phone: '98100 00001', assigned_to: bela.email }
  ravi = (await asha.send('POST', '/api/v1/leads', lead)).body.data.id
  await journey.owner`insert into lead_contacts (account_id, lead_id, assigned_to, kind, value, key, added_at)
    select account_id, id, assigned_to, 'phone', '98100 00002', 'phone +919810000002', now() from leads`
})

/** Opens a link of WhatsApp, which is not reached, and returns its URL. */
async function opened(page: Page, name: string | RegExp) {
  await page
    .context()
    .route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp', contentType: 'text/html' }))
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name }).click()])
  await popup.waitForURL(/wa\.me/)
  const url = popup.url()
  await popup.close()
  return decodeURIComponent(url)
}

test('an Admin writes quick replies of the account, with a preview, and orders them', async () => {
  const page = await journey.pageOf(asha)
  await page.goto('/settings/account')
  const replies = page.getByRole('list', { name: 'Quick replies' })
  for (const [title, start, end] of [
    ['Introduction', 'Hello ', ', this is {agent} of {company}.'],
    ['Visit', 'Dear ', ', when can you visit us?'],
  ] as const) {
    await press(page.getByRole('button', { name: 'Add quick reply' }))
    const dialog = page.getByRole('dialog', { name: 'Add quick reply' })
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Text').fill(start)
    await press(dialog.getByRole('button', { name: 'Insert {name}' }))
    const text = dialog.getByLabel('Text').and(page.locator(':focus'))
    await text.waitFor()
    await page.keyboard.type(end)
    if (title === 'Visit') {
      await dialog.getByText('Dear Meera Iyer, when can you visit us?').waitFor()
      await dialog.getByText('Hello, when can you visit us?').waitFor()
      await assertWellMade(page)
    }
    await press(dialog.getByRole('button', { name: 'Save quick reply' }))
    await replies.getByText(title, { exact: true }).waitFor()
  }
  await press(page.getByRole('button', { name: 'Actions for Visit' }))
  await press(page.getByRole('menuitem', { name: 'Move up' }))
  await replies.getByRole('listitem').first().filter({ hasText: 'Visit' }).waitFor()
  await assertWellMade(page)
})

test('on a phone an Agent opens WhatsApp with a quick reply, and the timeline says so', async () => {
  const page = await journey.pageOf(bela, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Add quick reply' }).click()
  await page.getByLabel('Title').fill('Mine')
  await page.getByLabel('Text').fill('Wait {nmae}')
  await page.getByRole('button', { name: 'Save quick reply' }).click()
  await page.getByText('unknown placeholder {nmae}').waitFor()
  await page.getByLabel('Text').fill('Thanks {first_name}')
  await page.getByRole('button', { name: 'Save quick reply' }).click()
  await page.getByRole('list', { name: 'Quick replies' }).getByText('Mine').waitFor()

  await page.goto('/queue')
  await page.getByRole('button', { name: 'WhatsApp' }).click()
  const sheet = page.getByRole('dialog', { name: 'WhatsApp to Ravi Rao' })
  await sheet.getByText('Thanks Ravi', { exact: true }).waitFor()
  await sheet.getByRole('option', { name: '+91 98100 00002' }).waitFor({ state: 'attached' })
  await assertWellMade(page)
  const hello = 'Hello Ravi Rao, this is Bela of Acme.'
  assert.equal(await opened(page, /^Introduction/), `https://wa.me/919810000001?text=${hello}`)
  await sheet.waitFor({ state: 'hidden' })

  await page.goto(`/leads/${ravi}`)
  await page.getByText('Bela opened WhatsApp with “Introduction”.').waitFor()
  await page.getByRole('button', { name: 'WhatsApp' }).click()
  await sheet.getByLabel('Number').selectOption('+91 98100 00002')
  assert.equal(await opened(page, 'Open WhatsApp'), 'https://wa.me/919810000002')
  await page.getByText('Bela opened WhatsApp.').waitFor()
})
