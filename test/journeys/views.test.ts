import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'
import { webhookOf } from '../webhooks.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela } = journey
const longName = 'पुणे के गर्म लीड जिन्हें आज फ़ोन करना है — Pune, high first'

before(async () => {
  for (const [n, priority] of ['High', 'High', 'Low'].entries()) {
    const lead = {
      name: `Lead ${n}`,
      phone: `98100 0001${n}`,
      priority,
      assigned_to: n === 0 ? bela.email : asha.email,
    }
    await asha.send('POST', '/api/v1/leads', lead)
  }
})

test('an Admin saves and shares a view, and an Agent sees it appear and opens it', async () => {
  const [agent, admin] = [await journey.pageOf(bela), await journey.pageOf(asha)]
  await agent.goto('/leads')
  await admin.goto('/leads?priority=High')
  await admin.getByRole('button', { name: 'Save view' }).click()
  await admin.getByLabel('Name', { exact: true }).fill(`${longName} and more`)
  await admin.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await admin.getByText(/^The name has \d+ characters\. Shorten it to 60\.$/).waitFor()
  await admin.getByLabel('Name', { exact: true }).fill(longName)
  await admin.getByLabel('Share with everyone').check()
  await admin.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  const views = admin.getByRole('region', { name: 'Views' })
  await views.getByText('2', { exact: true }).waitFor()
  assert.match(admin.url(), /priority=High/)
  assert.match(admin.url(), /view=/)
  await assertWellMade(admin)

  const link = agent.getByRole('region', { name: 'Views' }).getByRole('link')
  await link.getByText('1', { exact: true }).waitFor()
  await link.click()
  await agent.getByRole('status').getByText('1 lead').waitFor()
  assert.equal(await agent.getByRole('link', { name: 'Lead 1' }).count(), 0)
  await assertWellMade(agent)

  await admin
    .getByRole('button', { name: /Created/ })
    .first()
    .waitFor()
  await admin.getByRole('button', { name: 'Columns' }).click()
  await admin.getByRole('menuitemcheckbox', { name: 'Source' }).click()
  await admin.keyboard.press('Escape')
  await admin.getByText('Changed', { exact: true }).waitFor()
  assert.equal(await admin.getByRole('columnheader', { name: 'Source' }).count(), 0)
  await admin.getByRole('button', { name: 'Reset' }).click()
  await admin.getByRole('columnheader', { name: 'Source' }).waitFor()

  await admin.getByRole('button', { name: /Actions for view/ }).click()
  await admin.getByRole('menuitem', { name: 'Delete view' }).click()
  // The message with Undo stays while the pointer is on it.
  await admin.getByText(`Deleted “${longName}”`).hover()
  await link.waitFor({ state: 'detached' })
  await admin.getByRole('button', { name: 'Undo' }).click()
  await link.waitFor()
})

test('a list is filtered by campaign, with the answers to a question as a column of its view', async () => {
  const webhook = await webhookOf(journey, journey.acme, { default_assignee: bela.id })
  const sent = { campaign: 'Diwali', product: 'Lake View', 'What is your budget?': '60–80 lakh' }
  await webhook.send({ name: 'Kavya', phone: '9810000021', ...sent })
  await webhook.send({ name: 'Lalit', phone: '9810000022', campaign: 'Holi' })
  const page = await journey.pageOf(bela)
  await page.goto('/leads')
  await page.getByRole('link', { name: 'Lalit' }).waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('combobox', { name: 'Campaign' }).click()
  await page.getByRole('option', { name: 'Diwali' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.getByRole('status').getByText('1 lead').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'What is your budget?' }).click()
  await assertWellMade(page)
  await page.keyboard.press('Escape')
  await page.getByRole('cell', { name: '60–80 lakh' }).waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Diwali')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('region', { name: 'Views' }).getByRole('link', { name: 'Diwali' }).waitFor()
  await page.goto('/leads')
  await page.getByRole('region', { name: 'Views' }).getByRole('link', { name: 'Diwali' }).click()
  await page.getByRole('cell', { name: '60–80 lakh' }).waitFor()
  await page.getByRole('link', { name: 'Lalit' }).waitFor({ state: 'detached' })
  assert.match(page.url(), /campaign=Diwali/)
})

test('the menu of columns has a tick at each column that is shown, and chosen ones are all shown', async () => {
  await asha.send('POST', '/api/v1/leads', {
    name: 'Mira',
    phone: '9810000031',
    tags: ['vip'],
    notes: 'Wants a garden',
  })
  const page = await journey.pageOf(asha, { viewport: { width: 1024, height: 800 } })
  await page.goto('/leads')
  await page.getByRole('link', { name: 'Mira' }).waitFor()
  const headers = async () => {
    const names = await page.getByRole('columnheader').allInnerTexts()
    return names.map((name) => name.trim()).filter((name) => name && name !== 'Name' && name !== 'Status')
  }
  const ticked = async () => {
    const items = page.getByRole('menuitemcheckbox', { checked: true })
    return (await items.allInnerTexts()).map((name) => name.trim())
  }
  await page.getByRole('button', { name: 'Columns' }).click()
  assert.deepEqual(await ticked(), await headers())
  const usual = await ticked()
  assert.ok(!usual.includes('Attempts'))
  for (const name of ['Tags', 'Notes', 'Call again', 'Lost reason', 'Campaign', 'Updated', 'Email', 'Company'])
    await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
  await page.getByRole('cell', { name: 'Wants a garden' }).waitFor()
  assert.deepEqual(await ticked(), await headers())
  assert.equal((await ticked()).length, usual.length + 8)
  await assertWellMade(page)
  await page.getByRole('menuitem', { name: 'Show all that fit' }).click()
  await page.getByRole('cell', { name: 'Wants a garden' }).waitFor({ state: 'detached' })
  assert.deepEqual([await ticked(), await headers()], [usual, usual])
})

test('a view of what was closed this month keeps the choice, shows when, and is sorted by it', async () => {
  const { owner } = journey
  const lead = async (name: string, number: number, status: string) =>
    asha.send('POST', '/api/v1/leads', { name, phone: `98100 0004${number}`, status })
  for (const [n, name] of ['Older', 'Newer', 'Of last year'].entries()) await lead(name, n, 'Won')
  await owner`update leads set expected_close = '2030-03-05' where name = 'Older'`
  await owner`update leads set closed_at = closed_at + interval '2 seconds' where name = 'Newer'`
  await owner`update leads set closed_at = now() - interval '1 year' where name = 'Of last year'`
  const page = await journey.pageOf(asha)
  await page.goto('/leads')
  await page.getByRole('link', { name: 'Of last year' }).waitFor()
  await press(page.getByRole('button', { name: 'More', exact: true }))
  await page.getByRole('combobox', { name: 'Closed', exact: true }).click()
  await page.getByRole('option', { name: 'This month' }).click()
  await press(page.getByRole('button', { name: 'Show results' }))
  await page.getByRole('link', { name: 'Of last year' }).waitFor({ state: 'detached' })
  await press(page.getByRole('button', { name: 'Columns' }))
  for (const name of ['Closed', 'Expected closing']) await press(page.getByRole('menuitemcheckbox', { name }))
  await page.keyboard.press('Escape')
  await page.getByRole('cell', { name: '5 Mar 2030' }).waitFor()
  await press(page.getByRole('columnheader', { name: 'Closed' }).getByRole('button'))
  const names = () => page.locator('[data-row] a[href^="/leads/"]').allInnerTexts()
  await page
    .getByRole('columnheader', { name: 'Closed', exact: true })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor()
  await until(async () => (await names()).join() === 'Newer,Older', 'the lead that was closed last is first')
  assert.equal(await page.getByRole('combobox', { name: 'Sort' }).inputValue(), 'Recently closed')
  await assertWellMade(page)
  await press(page.getByRole('button', { name: 'Save view' }))
  await page.getByLabel('Name', { exact: true }).fill('Won now')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Save view' }))
  const view = page.getByRole('region', { name: 'Views' }).getByRole('link', { name: 'Won now' })
  await view.getByText('2', { exact: true }).waitFor()
  const [saved] = await owner`select search - 'columns' as search from lead_views where name = 'Won now'`
  assert.deepEqual(saved!.search, { closed_period: 'this-month', sort: 'closed' })

  await page.goto('/leads')
  await press(view)
  await until(async () => (await names()).join() === 'Newer,Older', 'the view is sorted')
  assert.match(page.url(), /closed_period=this-month/)
  assert.equal(await page.getByText('Changed', { exact: true }).count(), 0)
  // Without the filter there are open leads, too: the list is in its usual order.
  await press(page.getByRole('button', { name: 'Clear', exact: true }))
  await page.getByRole('link', { name: 'Of last year' }).waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Sort' }).inputValue(), 'Newest first')
  assert.doesNotMatch(page.url(), /sort=/)
})
