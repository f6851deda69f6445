import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela, chand, meena, owner, acme, pageOf } = journey

const longName = 'Venkatanarasimharajuvaripeta Krishnamurthy Subramaniam'
before(async () => {
  await owner`update users set name = ${longName} where id = ${bela.id}`
  const lead = async (name: string, number: number, more: object) =>
    (await asha.send('POST', '/api/v1/leads', { name, phone: `98210${String(number).padStart(5, '0')}`, ...more })).body
      .data.id
  const fair = 'पुणे प्रदर्शनी — property fair of November'
  const called = await lead('Called Rao', 1, { assigned_to: bela.email, source: fair, deal_value: 12_500_000 })
  await lead('Uncalled Iyer', 2, { assigned_to: bela.email, source: fair })
  await lead('Won Shah', 3, { assigned_to: bela.email, source: '99acres', status: 'Won', deal_value: 350_000 })
  await lead('Of Chand', 4, { assigned_to: chand.email, source: '99acres' })
  const nobody = await lead('Of nobody', 5, { source: '99acres' })
  await owner`update leads set assigned_to = null where id = ${nobody}`
  const call = { lead_id: called, call_type: 'Outbound', duration_seconds: 95, outcome: 'Completed' }
  assert.equal((await bela.send('POST', '/api/v1/call-logs', call)).status, 201)
})

/** Waits until the table is as wide as its frame, which it may not be before its font is loaded. */
const untilFits = (page: Page, name: string) => {
  const table = page.getByRole('region', { name })
  return until(
    () => table.evaluate((frame) => Reflect.get(frame, 'scrollWidth') === Reflect.get(frame, 'clientWidth')),
    `${name} fits`,
  )
}

test('an Admin reads all figures without scrolling sideways, in each language', async () => {
  for (const [language, byUser, bySource] of [
    ['en', 'Figures by user', 'Figures by source'],
    ['hi', 'यूज़र के अनुसार आँकड़े', 'स्रोत के अनुसार आँकड़े'],
  ] as const) {
    const page = await pageOf(asha)
    await page.context().addCookies([{ name: 'language', value: language, url: journey.url }])
    await page.goto('/reports')
    await untilFits(page, byUser)
    await page.goto('/reports?by=source')
    await untilFits(page, bySource)
  }
})

test('a Manager follows a figure to its leads, says why one was lost, and finds it under its reason', async () => {
  const page = await pageOf(meena)
  await page.goto('/reports')
  const table = page.getByRole('region', { name: 'Figures by user' })
  const row = table.getByRole('row', { name: longName })
  assert.equal(await row.getByRole('link').first().textContent(), '3')
  assert.equal(await table.getByRole('row', { name: 'Chand' }).count(), 0)
  await assertWellMade(page)
  // Uncalled now.
  await row.getByRole('link').nth(1).click()
  await page.getByText('1 lead', { exact: false }).first().waitFor()
  await page.getByRole('link', { name: 'Uncalled Iyer' }).first().click()
  await page.getByRole('list', { name: 'Timeline' }).waitFor()
  await page.keyboard.press('s')
  await page.getByRole('option', { name: 'Lost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lost reason' })
  await press(dialog.getByRole('button', { name: 'Too expensive' }))
  await page.getByText(/^Meena changed lost reason: none.*Too expensive/).waitFor()
  await page.goto('/reports')
  await page
    .getByRole('list', { name: 'Lost leads by reason' })
    .getByRole('link', { name: /Too expensive/ })
    .click()
  await page.getByRole('link', { name: 'Uncalled Iyer' }).first().waitFor()
  await page.getByText('1 lead', { exact: false }).first().waitFor()
})

test('an Admin enters what a source costs, on a phone, and sees the cost per lead and what deals are worth', async () => {
  const page = await pageOf(asha, { viewport: phone })
  await page.goto('/reports?days=1')
  await page.getByRole('region', { name: 'Figures by user' }).getByRole('rowheader', { name: 'Unassigned' }).waitFor()
  await assertWellMade(page)
  const columns = page.getByRole('combobox', { name: 'Columns' })
  for (const [group, column] of [
    ['Closed in the period', 'Won value'],
    ['Calls', 'Talk time'],
  ] as const) {
    await columns.click()
    await page.getByRole('option', { name: group, exact: true }).click()
    await page.getByRole('columnheader', { name: column }).waitFor()
    await untilFits(page, 'Figures by user')
  }
  await page.reload()
  await page.getByRole('columnheader', { name: 'Talk time' }).waitFor()
  await page.getByText('By source').click()
  await columns.click()
  await page.getByRole('option', { name: 'Cost' }).click()
  const table = page.getByRole('region', { name: 'Figures by source' })
  await press(table.getByRole('button', { name: 'Enter cost of 99acres' }))
  const dialog = page.getByRole('dialog', { name: 'Cost of 99acres' })
  const today = new Date(Date.now() + 330 * 60_000)
  const days = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0)).getUTCDate()
  await dialog.getByLabel('Cost of the month').fill(String(days * 300))
  await dialog.getByRole('button', { name: 'Save cost' }).click()
  const row = table.getByRole('row', { name: '99acres' })
  await row.getByText('₹300', { exact: true }).first().waitFor()
  // Per lead: three came today.
  await row.getByText('₹100', { exact: true }).waitFor()
  await assertWellMade(page)
  await page.goto('/leads?days=1&status=New')
  await page.getByText('Deal value ₹1.25 crore').waitFor()
  const { data } = await (await page.request.get('/web/leads/value?status=Won')).json()
  assert.deepEqual(data, { all: 350_000, won: 350_000 })
  const [{ cost }] = (await owner`select cost from origin_costs where account_id = ${acme.account_id}`) as [
    { cost: string },
  ]
  assert.equal(Number(cost), days * 300)
})

test('an Admin opens what was won this month by source in one click, compares it with a goal, and sees when open leads close', async () => {
  const page = await pageOf(asha)
  await page.goto('/')
  await page.getByRole('list', { name: 'Won value by month' }).getByRole('link').first().click()
  const bySource = page.getByRole('region', { name: 'Figures by source' })
  const won = bySource.getByRole('row', { name: '99acres' }).getByRole('link', { name: '₹3.5 lakh' })
  await won.click()
  await page.getByRole('link', { name: 'Won Shah' }).first().waitFor()
  await page.getByText('1 lead', { exact: false }).first().waitFor()
  assert.match(await page.getByRole('combobox', { name: 'Closed' }).inputValue(), /^Closed: 1 /)

  await page.goto('/reports?period=this-month')
  const table = page.getByRole('region', { name: 'Figures by user' })
  await press(table.getByRole('button', { name: `Set the goal of ${longName}` }))
  const dialog = page.getByRole('dialog', { name: `Goal of ${longName}` })
  await dialog.getByLabel('Won value of the month').fill('7,00,000')
  await press(dialog.getByRole('button', { name: 'Save goal' }))
  await table.getByRole('button', { name: `Goal of ${longName}: 50% of ₹7 lakh` }).waitFor()
  // The largest figure first, the smallest first, and by name again.
  const names = () => table.locator('tbody th').allInnerTexts()
  const [usual, header] = [await names(), table.getByRole('button', { name: 'Won value' })]
  await press(header)
  await until(async () => (await names())[1] === longName, 'the largest value is first')
  await press(header)
  await until(async () => (await names()).indexOf(longName) > 2, 'the smallest value is first')
  await press(header)
  await until(async () => (await names()).join() === usual.join(), 'rows are in the order of names')

  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('link', { name: 'Called Rao' }).first().click()
  await press(page.getByRole('button', { name: /^Expected closing/ }))
  await page.getByLabel('Expected closing').fill('2027-02-15')
  await page.keyboard.press('Enter')
  await page.getByText(/^Asha changed expected close: none.*15 Feb 2027/).waitFor()
  await page.goto('/reports')
  const forecast = page.getByRole('table', { name: 'Forecast by month' }).getByRole('row', { name: /^February 2027/ })
  assert.match((await forecast.innerText()).replace(/\s+/g, ' '), /February 2027 1 ₹1.25 crore ₹6.25 lakh/)
  await assertWellMade(page)
  await page.setViewportSize(phone)
  const name = forecast.getByRole('rowheader')
  const widest = await name.evaluate((cell) => cell.scrollWidth - cell.clientWidth)
  const { x, width } = (await page.getByRole('table', { name: 'Forecast by month' }).boundingBox())!
  assert.ok(widest <= 0 && x + width <= phone.width, `${widest} ${x + width}`)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
