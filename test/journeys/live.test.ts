import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertWellMade, phone, press, startJourney, untilTrue } from '../journey.ts'
import { until } from '../until.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let ravi: string
before(async () => {
  journey = await startJourney()
  const { asha, bela } = journey
  ravi = (
    await asha.send('POST', '/api/v1/leads', { name: 'Ravi Kumar', phone: '9810044321', assigned_to: bela.email })
  ).body.data.id
})
after(async () => {
  await journey.close()
  assert.deepEqual(journey.complaints, [])
})

test('a lead that comes while two users look at their lists appears in both, without moving their rows', async () => {
  const { asha, bela, chand } = journey
  const admin = await journey.pageOf(asha)
  const agent = await journey.pageOf(bela, { viewport: phone })
  const overview = await journey.pageOf(asha)
  await Promise.all([admin.goto('/leads'), agent.goto('/leads'), overview.goto('/')])
  for (const page of [admin, agent]) await page.getByText('Ravi Kumar').first().waitFor()
  await overview
    .getByText('Ravi Kumar')
    .or(overview.getByRole('heading', { name: 'Overview' }))
    .first()
    .waitFor()

  const places = () =>
    admin.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
  const before = await places()
  await asha.send('POST', '/api/v1/leads', { name: 'Meera Iyer', phone: '9820011223', assigned_to: bela.email })
  for (const page of [admin, agent]) await page.getByRole('button', { name: '1 new lead' }).waitFor()
  assert.deepEqual(await places(), before)
  await Promise.all([assertWellMade(admin), assertWellMade(agent)])

  // A lead of a user whose leads Bela does not see.
  await asha.send('POST', '/api/v1/leads', { name: 'Sunita Devi', phone: '9810055555', assigned_to: chand.email })
  await press(admin.getByRole('button', { name: '2 new leads' }))
  await admin.locator('[data-row]').getByText('Sunita Devi').waitFor()
  assert.equal(await admin.getByRole('button', { name: 'new lead' }).count(), 0)
  await press(agent.getByRole('button', { name: '1 new lead' }))
  await agent.locator('[data-row]').getByText('Meera Iyer').waitFor()
  assert.equal(await agent.getByText('Sunita Devi').count(), 0)
  await admin.getByText('1–3 of 3').waitFor()
  await overview.getByText('3', { exact: true }).first().waitFor()
})

test('an open lead and the list show what another user changes, in place', async () => {
  const { asha, bela } = journey
  const admin = await journey.pageOf(asha)
  const agent = await journey.pageOf(bela)
  await Promise.all([admin.goto('/leads'), agent.goto(`/leads/${ravi}`)])
  await agent.getByRole('heading', { name: 'Ravi Kumar' }).waitFor()
  const row = admin.getByRole('row').filter({ hasText: 'Ravi Kumar' })
  await row.waitFor()
  await asha.send('POST', '/api/v1/leads', { name: 'Ravi Kumar', phone: '9810044321', status: 'Qualified' })
  await row.getByText('Qualified').waitFor()
  await agent.getByRole('article').getByText('Qualified').first().waitFor()

  // What the user types meanwhile stays.
  await press(agent.getByRole('button', { name: 'Add details' }))
  await press(agent.getByRole('button', { name: /^City/ }))
  await agent.getByLabel('City').fill('Nagp')
  const queue = await journey.pageOf(bela)
  await queue.goto('/queue')
  const card = queue.getByRole('region', { name: 'Next lead' })
  const number = card.getByRole('link', { name: /^Call / })
  const called = (await number.getAttribute('href'))!.replace('tel:', '')
  for (const phone of new Set([called, '+919810044321']))
    await asha.send('POST', '/api/v1/leads', { name: 'Closed', phone, status: 'Won' })
  await card.getByText('Won', { exact: true }).waitFor()
  await agent.getByRole('article').getByText('Won', { exact: true }).first().waitFor()
  assert.equal(await agent.getByLabel('City').inputValue(), 'Nagp')

  // A lead that is deleted leaves the lists.
  await asha.send('DELETE', `/api/v1/leads/${ravi}`)
  await row.waitFor({ state: 'detached' })
  await agent.getByText('You no longer have this lead').waitFor()
})

test('a lead that comes to a user is shown at once, and in the title of a hidden page', async () => {
  const { asha, chand } = journey
  const page = await journey.pageOf(chand, { viewport: phone })
  // From then on, the page is notified and knows which leads are new.
  const follows = ['**/web/live*', '**/web/notices*'].map((path) => page.waitForResponse(path))
  await page.goto('/calls')
  await Promise.all([page.getByRole('heading', { name: 'Calls' }).waitFor(), ...follows])
  const assign = (name: string, phone: string) =>
    asha.send('POST', '/api/v1/leads', { name, phone, assigned_to: chand.email })
  await assign('Kiran Bedi', '9830011111')
  const notification = page.getByRole('alert').filter({ hasText: 'New lead' })
  await notification.getByText('Kiran Bedi').waitFor()
  await assertWellMade(page)
  await press(notification.getByRole('link', { name: 'Kiran Bedi' }))
  await page.getByRole('heading', { name: 'Kiran Bedi' }).waitFor()

  await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
  await assign('Lata Nair', '9830022222')
  await untilTrue(page, "document.title.startsWith('(1) ')")
  await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
  await untilTrue(page, "!document.title.startsWith('(')")
})

test('a user chooses notifications, and an Admin the working hours', async () => {
  const { asha, bela } = journey
  const own = await journey.pageOf(bela)
  await own.goto('/profile')
  const quiet = own.getByRole('checkbox', { name: 'Quiet hours' })
  await quiet.waitFor()
  assert.equal(await own.getByRole('checkbox', { name: 'Daily email about your team' }).count(), 0)
  const saved = (page: Page) => page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  const isOn = saved(own)
  await press(quiet, 'Space')
  await isOn
  const isLater = saved(own)
  await own.getByLabel('Quiet from').fill('21:30')
  await own.getByLabel('Quiet from').blur()
  await isLater
  await own.getByText('Notifications saved').first().waitFor()
  await assertWellMade(own)
  await own.reload()
  await untilTrue(own, "[...document.querySelectorAll('input[type=time]')].some(({ value }) => value === '21:30')")

  const account = await journey.pageOf(asha, { viewport: phone })
  await account.goto('/settings/account')
  await press(account.getByRole('checkbox', { name: 'Sun' }), 'Space')
  await account.getByText('Account saved').first().waitFor()
  const isLonger = saved(account)
  await account.getByLabel('Until').fill('20:15')
  await account.getByLabel('Until').blur()
  await isLonger
  await assertWellMade(account)
  await account.reload()
  await account.getByRole('checkbox', { name: 'Sun', checked: true }).waitFor({ state: 'attached' })
  await untilTrue(account, "[...document.querySelectorAll('input[type=time]')].some(({ value }) => value === '20:15')")
})

test('pages of one browser share a stream, and a page that signs out on another device asks to sign in', async () => {
  const { meena, owner } = journey
  const streams = async () =>
    Number(/lead_engine_live_streams (\d+)/.exec(await (await fetch(`${journey.url}/metrics`)).text())![1])
  const one = await journey.pageOf(meena)
  await until(async () => (await streams()) === 0, 'no stream of the windows of other tests')
  const two = await one.context().newPage()
  const share = () => until(async () => (await streams()) === 1, 'one stream for both pages')
  await Promise.all([one.goto('/leads'), two.goto('/leads')])
  await Promise.all([one, two].map((page) => page.getByRole('heading', { name: 'Leads' }).waitFor()))
  await share()
  await two.close()
  await one.reload()
  await one.getByRole('heading', { name: 'Leads' }).waitFor()
  await share()
  await owner`delete from sessions where user_id = ${meena.id}`
  await one.getByRole('dialog').getByRole('textbox', { name: 'Password' }).waitFor()
})

test('without a connection the app says so', async () => {
  const page = await journey.pageOf(journey.asha, { serviceWorkers: 'allow' })
  await page.goto('/calls')
  await page.getByRole('heading', { name: 'Calls' }).waitFor()
  await until(() => page.evaluate<boolean>("caches.match('/').then(Boolean)"), 'the app is kept')
  await page.context().setOffline(true)
  // Its code was not loaded.
  await page.goto('/settings/team')
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Team' }).waitFor()
  assert.ok(journey.complaints.splice(0).every((complaint) => /TeamPage-|Lazy|[Pp]reload/.test(complaint)))
})

test('a page whose files did not load is tried again with one press, and then has its design', async () => {
  const page = await journey.pageOf(journey.asha)
  const files = '**/assets/LeadsPage-*'
  await page.route(files, (route) => route.abort())
  await page.goto('/leads')
  await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor()
  await page.unroute(files)
  await press(page.getByRole('button', { name: 'Try again' }))
  await page.getByRole('heading', { name: 'Leads' }).waitFor()
  assert.ok(await page.evaluate("[...document.styleSheets].some(({ href }) => href?.includes('LeadsPage-'))"))
  assert.ok(journey.complaints.splice(0).every((complaint) => /LeadsPage-|Lazy/.test(complaint)))
})

test('while nothing can be saved, the page says so, reads on, and keeps what was entered', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads?add=true')
  const form = page.getByRole('dialog', { name: 'Add lead' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Kiran Rao')
  await form.getByRole('textbox', { name: 'Phone' }).fill('98100 66666')
  await journey.owner.unsafe(`create function full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on leads for each row execute function full_disk()`)
  await press(form.getByRole('button', { name: 'Add lead' }))
  const bar = page.getByText('Changes cannot be saved: the disk of the database is full. You can still read.')
  await bar.waitFor()
  await form.getByText('its disk is full').waitFor()
  assert.equal(await page.getByText('No connection to the server').count(), 0)
  await journey.owner`drop function full_disk cascade`
  await bar.waitFor({ state: 'detached' })
  await press(form.getByRole('button', { name: 'Add lead' }))
  await page.getByRole('heading', { name: 'Kiran Rao' }).waitFor()
  assert.ok(journey.complaints.splice(0).every((complaint) => complaint.includes('503')))
})
