/**
 * `npm run screenshots`: the pictures of the README and the docs, of the real app with sample users. It takes port 8080
 * for itself, so that the URLs in the pictures are those of a reader.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillAccount } from '../operations/demo/fill.ts'
import { createUser } from '../server/access/account/store.ts'
import { setPassword } from '../server/access/sign-in/credentials.ts'
import { asActor } from '../server/platform/database/actor.ts'
import { testApp } from './app.ts'
import { desk, openWindows, password, signInBehind } from './journey.ts'
import { type Answer, account, ask } from './people.ts'

const folder = join(import.meta.dirname, '../docs/pictures')

let app: Awaited<ReturnType<typeof testApp>>
let windows: Awaited<ReturnType<typeof openWindows>>
let send: (method: string, path: string, body?: object) => Promise<Answer['body']>
let webhook: string
before(async () => {
  mkdirSync(folder, { recursive: true })
  app = await testApp({ PORT: '8080' })
  windows = await openWindows(app.url)
  await fill()
})
after(async () => {
  await windows.close()
  await app.close()
})

test('pictures of the overview, of a lead and of deliveries', async () => {
  const page = await signedIn({ viewport: desk })
  await take(page, '/', 'overview')
  await take(page, '/leads', 'lead', async () => {
    await page.getByRole('link', { name: 'Meera Iyer' }).first().click()
    await page.getByRole('list', { name: 'Timeline' }).waitFor()
  })
  await take(page, `/settings/webhooks/${webhook}?tab=deliveries`, 'deliveries')
})

test('pictures of a new webhook: created, connected, with its first delivery', async () => {
  const wide = await signedIn({ viewport: desk })
  await take(wide, '/settings/webhooks', 'webhook-create', async () => {
    await wide.getByRole('button', { name: 'Create webhook' }).click()
    await wide.getByLabel('Name', { exact: true }).fill('Shopify')
  })
  await wide.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
  await wide.getByRole('list', { name: 'Steps for Shopify' }).waitFor()
  await shoot(wide, 'webhook-connect')
  const url = await wide.locator('pre').first().innerText()
  await ask('', null, 'POST', url, sample('shopify'))
  await wide.getByRole('tab', { name: 'Mapping', selected: true }).waitFor()
  await wide.getByText('Resulting lead').waitFor()
  await shoot(wide, 'webhook-first-delivery')
})

async function take(page: Page, path: string, name: string, then?: () => Promise<unknown>) {
  await page.goto(path, { waitUntil: 'networkidle' })
  await then?.()
  await shoot(page, name)
}

async function shoot(page: Page, name: string) {
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

const email = 'asha@sunrise.example.com'

async function signedIn(options: object): Promise<Page> {
  const page = await windows.page(options)
  await signInBehind(page.context(), app.url, email, password)
  return page
}

/** Three users, two months of leads, rules, and webhooks with deliveries. */
async function fill() {
  const sunrise = await account(app.database, 'Sunrise Realty')
  const person = (email: string, name: string, role: 'Admin' | 'Manager' | 'Agent', team: string | null) =>
    asActor(app.database, sunrise, (tx) => createUser(tx, sunrise, { email, name, role, team }))
  const asha = await person(email, 'Asha Rao', 'Admin', null)
  const bela = await person('bela@sunrise.example.com', 'Bela Shah', 'Manager', 'Pune')
  const chand = await person('chand@sunrise.example.com', 'Chand Verma', 'Agent', 'Pune')
  for (const id of [asha, bela, chand]) await setPassword(app.directory, id, password)
  await fillAccount(app.connection, app.database, sunrise, {
    leads: 1500,
    days: 60,
    now: new Date(),
    followsUp: true,
    firstSerial: 1,
  })

  const { request } = (await signedIn({})).context()
  send = async (method, path, body) => {
    const answer = await request.fetch(path, { method, headers: { origin: app.url }, ...(body ? { data: body } : {}) })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (await answer.json()).data
  }
  const weighted = (user_id: string, weight: number) => ({ user_id, weight })
  await send('POST', '/web/distribution-rules', {
    name: 'Pune',
    cities: ['Pune'],
    people: [weighted(bela, 1), weighted(chand, 2)],
  })
  await send('POST', '/web/distribution-rules', {
    name: 'Portals',
    sources: ['Housing', 'IndiaMART'],
    people: [weighted(chand, 1)],
  })
  webhook = await portal()
}

const senders = join(import.meta.dirname, '../server/intake/payload/senders')
const sample = (sender: string) => JSON.parse(readFileSync(join(senders, sender, 'sample.json'), 'utf8')).payload

async function portal(): Promise<string> {
  const create = async (name: string, source_label: string, deliveries: object[]) => {
    const { id, url } = await send('POST', '/web/webhooks', { name, source_label })
    for (const delivery of deliveries) await ask('', null, 'POST', url, delivery)
    return id
  }
  await create('Google Ads', 'Google', [sample('google-ads')])
  await create('IndiaMART', 'IndiaMART', [sample('indiamart')])
  const lead = { buyer_name: 'Meera Iyer', mob: '9820011223', city: 'Pune', message: '3 BHK, Baner', ref_no: 'H-2231' }
  return create('Housing portal', 'Housing', [
    { lead },
    { lead: { ...lead, buyer_name: 'Imran Sheikh', mob: '9820044556', ref_no: 'H-2232' } },
    { who: 'Sunil Shah', order_id: '9820011224' },
    { lead: { ...lead, message: 'Visit on Sunday', ref_no: 'H-2233' } },
  ])
}
