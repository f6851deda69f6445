import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { fillAccount } from '../server/demo/fill.ts'
import { assertWellMade, type desk, startJourney } from './journey.ts'
import { webhookOf } from './webhooks.ts'

/** An account with much data and awkward values, and the URL of every page by what it shows. */
export async function startEveryPage() {
  const journey = await startJourney()
  const { acme, asha, bela } = journey
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
  const pages = {
    Overview: '/',
    Leads: '/leads',
    'Leads of a search': '/leads?search=zzzz',
    'Adding a lead': '/leads?add=true',
    'A lead': `/leads/${body.data.id}`,
    'Importing leads': '/leads/import',
    Calls: '/calls',
    Profile: '/profile',
    'API quick start': '/first-request',
    'API keys': '/settings/api-keys',
    Webhooks: '/settings/webhooks',
    'A webhook': `/settings/webhooks/${webhook.id}`,
    'Mapping of a webhook': `/settings/webhooks/${webhook.id}?tab=mapping`,
    'Defaults of a webhook': `/settings/webhooks/${webhook.id}?tab=defaults`,
    Team: '/settings/team',
    Distribution: '/settings/distribution',
    'Audit log': '/settings/audit',
    Account: '/settings/account',
    'Page not found': '/nowhere',
  }
  return { ...journey, pages }
}

/** Checks that axe finds nothing serious in either theme, no page is too wide, and no stored text runs as a script. */
export async function assertEveryPageFits(viewport: typeof desk, hasTouch: boolean) {
  const { pages, pageOf, asha, complaints, close } = await startEveryPage()
  try {
    const page = await pageOf(asha, { viewport, hasTouch })
    for (const [name, path] of Object.entries(pages)) {
      await openWhole(page, path)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
        await assertWellMade(page)
      }
      assert.equal(await page.evaluate('window.broken'), undefined, `${name} runs stored text`)
      assert.match(await page.title(), / · Lead Engine$/, `${name} has a title`)
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, `${name} has one heading`)
    }
    assert.deepEqual(complaints, [])
  } finally {
    await close()
  }
}

/** Opens a page with all that it fetches: no request is open, and the page has nothing left to do. */
export async function openWhole(page: Page, path: string) {
  const open = new Set<Request>()
  const begin = (request: Request) => void open.add(request)
  const end = (request: Request) => void open.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await page.goto(path)
  // What has arrived may lead to the next request.
  for (let idle = 0; idle < 3; idle = open.size === 0 ? idle + 1 : 0) await page.evaluate(untilIdle)
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}

const untilIdle = 'new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve(true))))'

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
