import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Request } from 'playwright-core'
import { fillAccount } from '../../operations/demo/fill.ts'
import { isThorough } from '../budget.ts'
import { assertWellMade, desk, phone, press, startJourney } from '../journey.ts'
import { webhookOf } from '../webhooks.ts'

/** Awkward values that a payload may contain: markup, and text without a line break opportunity. */
const awkward = `<img src=x onerror="window.broken = true">${'W'.repeat(120)}`
const awkwardLead = {
  name: awkward,
  phone: '+91 98200 99887',
  email: `${'e'.repeat(60)}@${'d'.repeat(60)}.example.com`,
  city: awkward,
  source: awkward,
  tags: [awkward.slice(0, 100), '=1+1'],
  notes: `${awkward}\n\n${awkward}`,
}

// An account with much data, and with awkward values.
const journey = await startJourney()
after(() => journey.close())
const { acme, asha, bela, url, pageOf } = journey
await fillAccount(journey.connection, journey.database, acme, {
  leads: 120,
  days: 20,
  now: new Date(),
  firstSerial: 1,
})
const { body } = await asha.send('POST', '/api/v1/leads', awkwardLead)
await bela.send('POST', '/api/v1/call-logs', { lead_id: body.data.id, call_type: 'Inbound', duration_seconds: 0 })
const webhook = await webhookOf(journey, acme, { name: awkward })
await webhook.send({
  lead: { buyer_name: 'Meera Iyer', mob: '9820011223', req: '3 BHK', nested: [{ deep: awkward }] },
})
await webhook.send({ event: 'nobody', note: awkward })
const duplicate = await asha.send('POST', '/api/v1/leads', { name: awkward, email: 'duplicate@example.com' })
await webhook.send({ name: 'Meera', phone: awkwardLead.phone, email: 'duplicate@example.com' })
const pages = {
  Overview: '/',
  'Call next': `/queue?of=${bela.email}`,
  Today: '/today?of=team',
  Leads: '/leads',
  'Leads of a search': '/leads?search=zzzz',
  'Adding a lead': '/leads?search=zzzz&add=true',
  'A lead': `/leads/${body.data.id}?search=9820099887`,
  'Importing leads': '/leads/import',
  'Bulk changes': '/leads/bulk-changes',
  Calls: '/calls',
  'Report by user': '/reports',
  'Report by source': '/reports?by=source',
  Profile: '/profile',
  'First steps': '/start',
  'API quick start': '/first-request',
  'API keys': '/settings/api-keys',
  Webhooks: '/settings/webhooks',
  'A webhook': `/settings/webhooks/${webhook.id}`,
  'Mapping of a webhook': `/settings/webhooks/${webhook.id}?tab=mapping`,
  'Defaults of a webhook': `/settings/webhooks/${webhook.id}?tab=defaults`,
  'Request log': '/settings/requests',
  'A logged request': `/settings/requests?request=${duplicate.headers.get('x-request-id')}`,
  Team: '/settings/team',
  'Invite users': '/settings/team/invite',
  Distribution: '/settings/distribution',
  'Audit log': '/settings/audit',
  Account: '/settings/account',
  'Page not found': '/nowhere',
  'Possible duplicates': '/leads/duplicates',
  'Merging leads': `/leads/merge?keep=${body.data.id}&other=${duplicate.body.data.id}`,
}

const page = await pageOf(asha)
const browser = await page.context().newCDPSession(page)

/** In full, each page has both themes on both screens; otherwise one of these, and the next page another one. */
const looks = [
  ['light', 'desk'],
  ['dark', 'phone'],
  ['light', 'phone'],
  ['dark', 'desk'],
] as const
for (const [at, [name, path]] of Object.entries(pages).entries()) {
  const shown = isThorough ? looks : [looks[at % looks.length]!]
  test(`${name}: accessible and fits, ${shown.map((look) => look.join(' on ')).join(', ')}`, async () => {
    for (const [place, [colorScheme, screen]] of shown.entries()) {
      await whole(async () => {
        await showOn(screen === 'desk' ? desk : phone)
        if (place === 0) await page.goto(path)
      })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      await assertWellMade(page)
      if (colorScheme === 'light' && screen === 'desk') await assertTabReachesEverything()
    }
    assert.equal(await page.evaluate('window.broken'), undefined, 'it runs stored text')
    assert.match(await page.title(), / · Lead Engine$/)
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, 'one heading')
  })
}

test('closing what a menu opened returns the focus to the button of the menu', async () => {
  await showOn(desk)
  const rule = { name: 'Fairs', people: [{ user_id: bela.id, weight: 1 }] }
  await page.request.post('/web/distribution-rules', { data: rule, headers: { origin: url } })
  for (const [path, button, item] of [
    [pages['A lead'], 'More actions', 'Delete lead'],
    [pages.Calls, /^Actions for the/, 'Delete call'],
    [pages.Team, 'Actions for Bela', 'Edit'],
    [pages['A webhook'], 'More actions', 'Connect a source'],
    [pages.Distribution, 'Actions for Fairs', 'Delete'],
    [pages['API keys'], /^Actions for/, 'Revoke'],
  ] as const) {
    await whole(() => page.goto(path))
    const opener = page.getByRole('button', { name: button }).first()
    await press(opener)
    await press(page.getByRole('menuitem', { name: item, exact: true }))
    const dialog = page.getByRole('dialog').filter({ has: page.locator(':focus') })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await opener.and(page.locator(':focus')).waitFor()
  }
})

test('j goes past the last row to the next page, k back, and Tab stops at the controls of one row', async () => {
  await showOn(desk)
  await whole(() => page.goto('/leads?days=36500'))
  const rows = page.locator('tbody tr')
  assert.ok((await page.locator('tbody tr :is(a, button):not([tabindex="-1"])').count()) <= 2)
  await rows.last().getByRole('link').first().focus()
  await page.keyboard.press('j')
  await page.waitForURL(/offset=50/)
  await rows.first().getByRole('link').first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('k')
  await page.waitForURL(/days=36500$/)
  await rows.last().getByRole('link').first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Open lead' }).getByRole('heading').first().waitFor()
  await page.keyboard.press('j')
  await page.waitForURL(/offset=50/)
  await page.locator('tbody tr:first-child[data-open]').waitFor()
})

test('Escape asks before it discards what was typed, and a new lead survives a reload', async () => {
  await whole(() => page.goto('/settings/webhooks'))
  await press(page.getByRole('button', { name: 'Create webhook' }).first())
  const dialog = page.getByRole('dialog', { name: 'Create webhook' })
  await dialog.getByLabel('Name', { exact: true }).fill('Portal')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Portal')
  await page.keyboard.press('Escape')
  await press(question.getByRole('button', { name: 'Discard' }))
  await dialog.waitFor({ state: 'detached' })
  await whole(() => page.goto('/leads?add=true'))
  const form = page.getByRole('dialog', { name: 'Add lead' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Half typed')
  await whole(() => page.reload())
  assert.equal(await form.getByRole('textbox', { name: 'Name' }).inputValue(), 'Half typed')
  await press(form.getByRole('button', { name: 'Clear form' }))
})

test('on a phone, Back closes what is open over the page, asks for what was typed, and leaves the page after that', async () => {
  const page = await pageOf(asha, { viewport: phone })
  const back = () => page.evaluate('history.back()')
  await page.goto('/calls')
  await page.goto('/leads')
  const more = page.getByRole('dialog', { name: 'More' })
  const search = page.getByRole('dialog', { name: 'Find a lead' })
  for (const [opener, dialog] of [
    ['More', more],
    ['Search', search],
    ['Filters', page.getByRole('dialog', { name: 'Filters' })],
  ] as const) {
    await page.getByRole('button', { name: opener }).first().click()
    await dialog.waitFor()
    await back()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(new URL(page.url()).pathname, '/leads')
  }
  // Going forward opens nothing, and the next dialog closes again.
  await page.evaluate('history.forward()')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await more.waitFor()
  await back()
  await more.waitFor({ state: 'hidden' })
  // Chosen in the dialog, which stays in the URL.
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('dialog', { name: 'Filters' }).getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Won' }).click()
  await page.waitForURL(/status=Won/)
  await back()
  await page.getByRole('dialog', { name: 'Filters' }).waitFor({ state: 'hidden' })
  assert.match(page.url(), /status=Won/)

  // By a link of the dialog to another page, where a form is typed in.
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await more.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'Create webhook' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create webhook' })
  await dialog.getByLabel('Name', { exact: true }).fill('Portal')
  await back()
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
  await question.waitFor()
  await back()
  await question.waitFor({ state: 'hidden' })
  assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Portal')
  await back()
  await question.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'hidden' })
  // One step is one page, whatever was opened over them.
  await back()
  await page.waitForURL(/leads\?status=Won/)
  await back()
  await page.waitForURL(/\/leads$/)
  await back()
  await page.waitForURL(/\/calls$/)
})

test('a path of no page has a landmark, and the frame is shown until the app has drawn a page', async () => {
  await whole(() => page.goto('/nowhere'))
  await page.getByRole('main').getByText('This page does not exist').waitFor()
  await page.route('**/web/me', async (route) => {
    await page.locator('#waiting').waitFor()
    await route.continue()
  })
  await page.goto('/leads')
  await page.locator('#waiting').waitFor({ state: 'hidden' })
  await page.unroute('**/web/me')
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))

/** A phone cannot hover, and shows controls that a desktop shows under the mouse. A desktop can again once a page is loaded. */
async function showOn(screen: typeof desk) {
  await page.setViewportSize(screen)
  await browser.send('Emulation.setTouchEmulationEnabled', { enabled: screen === phone })
}

/** Waits for all that an action makes the page fetch: no request is open, and the page has nothing left to do. */
async function whole(act: () => Promise<unknown>) {
  const open = new Set<Request>()
  const begin = (request: Request) => {
    // The stream of live pages stays open.
    if (request.resourceType() !== 'eventsource') open.add(request)
  }
  const end = (request: Request) => void open.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await act()
  // What has arrived may lead to the next request.
  const deadline = Date.now() + 90_000
  for (let idle = 0; idle < 3; idle = open.size === 0 ? idle + 1 : 0) {
    await page.evaluate(untilIdle)
    assert.ok(Date.now() < deadline, `no answer: ${[...open].map((request) => request.url())}`)
  }
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}

/** A busy machine gives a page no idle time, and may give it no frame. */
const untilIdle = `
  new Promise((resolve) => {
    requestAnimationFrame(() => requestIdleCallback(() => resolve(true), { timeout: 5000 }))
    setTimeout(() => resolve(true), 10000)
  })
`

async function assertTabReachesEverything() {
  const usable = await page.evaluate<string[]>(markUsable)
  let missed = usable
  for (let left = usable.length + 60; missed.length > 0 && left > 0; left -= missed.length) {
    for (const _ of missed) await page.keyboard.press('Tab')
    missed = await page.evaluate<string[]>('usable.filter((element) => !focused.has(element)).map(described)')
  }
  assert.deepEqual(missed, [])
}

/**
 * Notes what a mouse can use, and what of it has the focus from here on; answers what each is. In a group with arrow keys
 * one of them stands for all.
 */
const markUsable = `
  var described = (element) =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 60) + ' ' + element.outerHTML.slice(0, 120)
  var focused = new Set()
  document.addEventListener('focusin', ({ target }) => focused.add(target))
  var usable = [...(document.querySelector('[role=dialog]') ?? document).querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      const inGroup = element.closest('[role=tablist], [role=radiogroup], [role=menu], [role=listbox], [role=tree]')
      return width > 0 && height > 0 && !element.disabled && element.tabIndex >= 0 && element.type !== 'radio' && !inGroup
    })
  usable.map(described)
`
