import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, phone, press, startJourney, untilTrue } from '../journey.ts'
import { until } from '../until.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela } = journey
const onPhone = { viewport: phone, isMobile: true, hasTouch: true }

async function add(name: string, phone: string) {
  const { body } = await asha.send('POST', '/api/v1/leads', { name, phone, assigned_to: bela.email })
  return body.data.id as string
}

before(async () => {
  const old = await add('अदिति शर्मा', '+91 98200 55432')
  await journey.owner`update leads set created_at = created_at - interval '80 days'`
  for (const counts of ['lead_counts', 'lead_count_changes'])
    await journey.owner`update ${journey.owner(counts)} set day = day - 80`
  const call = {
    lead_id: old,
    call_type: 'Outbound',
    duration_seconds: 60,
    called_at: new Date(Date.now() - 60 * 86_400_000).toISOString(),
  }
  assert.equal((await bela.send('POST', '/api/v1/call-logs', call)).status, 201)
  for (let at = 1; at <= 9; at++) await add(`Lead ${at}`, `98100 1000${at}`)
})

test('on a phone, digits of a number lead to an old lead in two taps, also from the leads to call', async () => {
  const page = await journey.pageOf(bela, onPhone)
  await page.goto('/queue')
  await page.getByRole('region', { name: 'Next lead' }).waitFor()
  const open = page.getByRole('button', { name: 'Search' })
  const search = page.getByRole('dialog', { name: 'Find a lead' })
  const field = search.getByRole('textbox', { name: 'Find a lead' })
  const lead = search.getByRole('link', { name: /^अदिति शर्मा/ })
  await open.tap()
  await field.and(page.locator(':focus')).waitFor()
  assert.equal(await field.getAttribute('inputmode'), 'tel')
  for (const digits of ['5432', '820055432', '09820055432', '+91 98200 55432', '919820055432']) {
    await field.fill('')
    await field.fill(digits)
    await lead.waitFor()
  }
  await assertWellMade(page)
  await lead.tap()
  await page.waitForURL(/\/leads\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { name: 'अदिति शर्मा' }).waitFor()

  await open.tap()
  await search
    .getByRole('list', { name: 'Recent leads' })
    .getByRole('link', { name: /^अदिति शर्मा/ })
    .waitFor()
  await search.getByRole('button', { name: 'ABC' }).tap()
  await field.and(page.locator(':focus')).waitFor()
  assert.equal(await field.getAttribute('inputmode'), 'text')
  await field.fill('Stranger')
  await search.getByText('No matches').waitFor()
  await field.fill('lead')
  await search.getByRole('link', { name: 'Show all matches' }).tap()
  await page.getByText('9 leads', { exact: true }).waitFor()

  // On its side, a phone keeps its bar, which leaves room for the page.
  await page.setViewportSize({ width: phone.height, height: phone.width })
  const bar = page.getByRole('navigation', { name: 'Navigation' })
  await bar.getByRole('button', { name: 'Search' }).waitFor()
  await until(async () => (await bar.boundingBox())!.height <= 44, 'the bar is low')
  await assertWellMade(page)
})

test('what the search does not find can be added: digits are a phone, words a name', async () => {
  const page = await journey.pageOf(journey.meena, onPhone)
  await page.goto('/queue')
  const open = page.getByRole('button', { name: 'Search' })
  const search = page.getByRole('dialog', { name: 'Find a lead' })
  const field = search.getByRole('textbox', { name: 'Find a lead' })
  await open.tap()
  await field.fill('Stranger 9876')
  await search.getByRole('link', { name: 'Add lead “Stranger 9876”' }).tap()
  const form = page.getByRole('dialog', { name: 'Add lead' })
  assert.equal(await form.getByLabel('Name').inputValue(), 'Stranger')
  assert.equal(await form.getByLabel('Phone').inputValue(), '9876')
  await form.getByRole('button', { name: 'Close' }).tap()
  await open.tap()
  await field.fill('98100 55511')
  await search.getByRole('link', { name: 'Add lead “98100 55511”' }).tap()
  assert.equal(await form.getByLabel('Phone').inputValue(), '98100 55511')
  assert.equal(await form.getByLabel('Name').inputValue(), '')
  await form.getByPlaceholder('Caller +91 98100 55511').waitFor()
  await assertWellMade(page)
  await form.getByRole('button', { name: 'Add lead' }).tap()
  // The name of an unknown caller is a hint: a name is typed, not corrected.
  await page.getByRole('button', { name: 'Caller +91 98100 55511' }).tap()
  assert.equal(await page.getByPlaceholder('Caller +91 98100 55511').inputValue(), '')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Caller +91 98100 55511' }).tap()
  await page.keyboard.type('Naina Gill')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Naina Gill' }).waitFor()
})

test('on a phone a list loads on scrolling, and keeps its place when the user comes back from a lead', async () => {
  const { chand } = journey
  const many = Array.from({ length: 130 }, (_, at) => ({
    name: `Row ${100 + at}`,
    phone: `97100${String(10_000 + at)}`,
    assigned_to: chand.email,
  }))
  for (const lead of many) await asha.send('POST', '/api/v1/leads', lead)
  const page = await journey.pageOf(chand, onPhone)
  const pages: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const offset = searchParams.get('offset')
    if (pathname === '/web/leads' && offset) pages.push(offset)
  })
  const link = (row: number) => page.getByRole('link', { name: `Row ${row}`, exact: true })
  await page.goto('/leads?sort=name')
  await page.getByText('50 of 130').waitFor()
  assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0)
  await page.getByText('50 of 130').scrollIntoViewIfNeeded()
  await link(160).scrollIntoViewIfNeeded()
  await page.getByText('100 of 130').waitFor()
  assert.deepEqual(pages, ['50'])
  await assertWellMade(page)
  const top = await page.evaluate('scrollY')
  await link(160).tap()
  await page.getByRole('heading', { name: 'Row 160' }).waitFor()
  await asha.send('POST', '/api/v1/leads', { name: 'Row 050', phone: '9710099999', assigned_to: chand.email })
  await page.goBack()
  await link(160).waitFor()
  await untilTrue(page, `Math.abs(scrollY - ${top}) < 2`)
  await page.getByText('100 of 131').scrollIntoViewIfNeeded()
  await page.getByText('131 of 131').waitFor()
  const shown = await page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))
  assert.deepEqual([shown.length, new Set(shown).size], [131, 131])
  assert.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0)

  // With a reader of the screen, nothing may come near.
  const read = await journey.pageOf(chand, { viewport: phone })
  await read.addInitScript('IntersectionObserver = class { observe() {} disconnect() {} }')
  await read.goto('/leads?sort=name')
  for (const first of ['Row 149', 'Row 199']) {
    await press(read.getByRole('button', { name: 'Load more' }))
    await read.getByRole('link', { name: first, exact: true }).and(read.locator(':focus')).waitFor()
  }
  await read.getByText('131 of 131').waitFor()
})

test('a wide list leaves room for the names of leads and owners', async () => {
  const page = await journey.pageOf(asha, { viewport: { width: 1590, height: 900 } })
  await page.goto('/leads')
  for (const name of ['Name', 'Owner']) {
    const { width } = (await page.getByRole('columnheader', { name }).boundingBox())!
    assert.ok(width >= 155, `${name} has ${width} pixels`)
  }
})

test('leads that were opened last are offered in this browser, at most eight, until the user signs out', async () => {
  const page = await journey.pageOf(bela, onPhone)
  await page.goto('/leads')
  for (let at = 1; at <= 9; at++) {
    await page.getByRole('link', { name: `Lead ${at}`, exact: true }).tap()
    await page.getByRole('heading', { name: `Lead ${at}`, exact: true }).waitFor()
    await page.goBack()
  }
  await page.getByRole('button', { name: 'Search' }).tap()
  const recent = page.getByRole('list', { name: 'Recent leads' })
  await recent.getByRole('link').first().waitFor()
  assert.deepEqual(
    (await recent.getByRole('link').allInnerTexts()).map((text) => text.slice(0, 6)),
    [9, 8, 7, 6, 5, 4, 3, 2].map((at) => `Lead ${at}`),
  )
  // This browser does not learn of changes: what is found has its status, what is kept has none.
  assert.equal(await recent.getByText('New').count(), 0)
  const search = page.getByRole('dialog', { name: 'Find a lead' })
  await search.getByRole('button', { name: 'ABC' }).tap()
  await search.getByRole('textbox', { name: 'Find a lead' }).fill('Lead 9')
  await search
    .getByRole('link', { name: /^Lead 9/ })
    .getByText('New')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More' }).tap()
  await page.getByRole('button', { name: 'Sign out' }).tap()
  await page.waitForURL('/sign-in')
  assert.equal(await page.evaluate(`localStorage.getItem('recent-leads')`), null)
})

test('at a desk, the command palette offers the leads that were opened or called last', async () => {
  const page = await journey.pageOf(bela)
  await page.goto('/queue')
  const next = await page.getByRole('region', { name: 'Next lead' }).getByRole('heading').first().innerText()
  // Leads of the same second are in any order.
  const opened = next === 'Lead 1' ? 'Lead 2' : 'Lead 1'
  await page.goto('/leads')
  await page.getByRole('link', { name: opened, exact: true }).click()
  await page.getByRole('heading', { name: opened, exact: true }).waitFor()
  await page.goto('/queue')
  await page.getByRole('region', { name: 'Next lead' }).getByRole('heading', { name: next, exact: true }).waitFor()
  // The phone would open.
  await page.route('tel:*', (route) => route.abort())
  await page.getByRole('link', { name: /^Call \+/ }).click()
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('region', { name: 'Recent leads' }).getByRole('button')
  await recent.filter({ hasText: next }).waitFor()
  assert.deepEqual(
    (await recent.allInnerTexts()).map((text) => text.split('\n')[0]),
    [next, opened],
  )
  await assertWellMade(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: next, exact: true }).waitFor()
})

test('the list names the days it is of, and a filter by last call covers all days', async () => {
  const page = await journey.pageOf(bela, onPhone)
  await page.goto('/leads')
  await page.getByRole('status').filter({ hasText: '9 leads of the last 30 days' }).waitFor()
  await assertWellMade(page)
  await page.getByRole('button', { name: 'Created: last 30 days' }).tap()
  await page.getByText('10 leads', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Created/ }).count(), 0)

  const desk = await journey.pageOf(bela)
  await desk.goto('/leads')
  const created = desk.getByRole('combobox', { name: 'Created' })
  await desk.getByText('9 leads of the last 30 days').waitFor()
  assert.equal(await created.inputValue(), 'Created: last 30 days')
  await press(desk.getByRole('combobox', { name: 'Last call' }))
  await desk.getByRole('option', { name: 'Over 30 days ago' }).click()
  await desk.getByText('1 lead', { exact: true }).waitFor()
  await desk.getByRole('link', { name: 'अदिति शर्मा' }).waitFor()
  assert.equal(await created.inputValue(), '')
  await press(created)
  await desk.getByRole('option', { name: 'Last 90 days' }).click()
  await desk.getByText('1 lead of the last 90 days').waitFor()
  await press(created)
  await desk.getByRole('option', { name: 'Today' }).click()
  await desk.getByText('0 leads of today').waitFor()
  await press(desk.getByRole('button', { name: 'Search all time' }))
  await desk.getByRole('link', { name: 'अदिति शर्मा' }).waitFor()
  await assertWellMade(desk)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
