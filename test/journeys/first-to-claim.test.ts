import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { sendNotices } from '../../server/selling/notifications/send-notices.ts'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'

const journey = await startJourney()
after(() => journey.close())
const { asha, bela, chand, database } = journey

/** Open pages hear of offers from what sends notices. */
const notices = sendNotices(
  database,
  {
    push: { send: async () => 'sent' } as never,
    mailer: null,
    baseUrl: journey.url,
    clock: () => new Date(),
    metrics: new Registry(),
    onError: (error) => assert.fail(String(error)),
  },
  async function* () {},
)
after(() => notices.stop())

let sent = 0
const send = (name: string) =>
  asha.send('POST', '/api/v1/leads', {
    name,
    phone: `98110 6600${++sent}`,
    source: 'Portal',
    city: 'Pune',
    notes: 'Two rooms near the park. Call 98110 12345.',
  })
before(async () => {
  for (const name of ['First Lead', 'Second Lead']) await send(name)
})

test('a rule is tried before it is saved, offers its leads, and is paused by one press', async () => {
  const page = await journey.pageOf(asha)
  await page.goto('/settings/distribution')
  await press(page.getByRole('button', { name: 'Create rule' }))
  const form = page.getByRole('dialog', { name: 'Create rule' })
  await form.getByLabel('Name').fill('Pool')
  const add = form.getByRole('combobox', { name: 'Add an assignee' })
  for (const typed of ['Bel', 'Chan']) {
    await add.pressSequentially(typed)
    await add.press('Enter')
  }
  await form.getByLabel('Daily limit').fill('5')
  await press(form.getByRole('button', { name: 'Try with the last leads' }))
  await form.getByText('2 of 2 leads would go elsewhere.').waitFor()
  await form.getByRole('link', { name: 'Second Lead' }).waitFor()
  await assertWellMade(page)
  await form.getByLabel('First to claim').check()
  await form.getByText('2 of 2 leads would go elsewhere.').waitFor({ state: 'detached' })
  assert.equal(await form.getByRole('combobox', { name: 'Pass on if unclaimed after' }).inputValue(), '15 minutes')
  await press(form.getByRole('button', { name: 'Create rule' }))
  await form.waitFor({ state: 'detached' })
  await page
    .getByText('First to claim · At most 5 leads per user and day · Passes on after 15 minutes unclaimed')
    .waitFor()
  const applies = page.getByRole('switch', { name: 'Pool applies' })
  await applies.press('Space')
  await page.getByText('Paused', { exact: true }).waitFor()
  await assertWellMade(page)
  await applies.press('Space')
  await page.getByText('Paused', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Test a lead' }).getByText('Bela or Chand').waitFor()
})

test('of two users the first to claim a lead owns it, and it leaves the page of the other', async () => {
  const [desk, mobile] = [await journey.pageOf(bela), await journey.pageOf(chand, { viewport: phone })]
  for (const page of [desk, mobile]) await page.goto('/queue')
  await desk.getByText('No one to call').waitFor()
  const offersOf = (page: typeof desk) => page.getByRole('region', { name: /to claim$/ })
  assert.equal((await send('Ravi Kumar')).body.data.assigned_to, null)
  for (const page of [desk, mobile]) {
    await offersOf(page).getByText('Ravi K.').waitFor()
    assert.equal(await offersOf(page).getByText('Two rooms near the park').count(), 0)
    await assertWellMade(page)
  }
  await press(offersOf(mobile).getByRole('button', { name: 'Claim Ravi K.' }))
  await mobile.getByRole('region', { name: 'Next lead' }).getByRole('link', { name: 'Call +91 98110 66003' }).waitFor()
  await offersOf(desk).waitFor({ state: 'detached' })

  // The other one presses before the page has heard of it.
  await send('Sita Rao')
  await offersOf(desk).getByText('Sita R.').waitFor()
  await desk.route('**/web/offers', (route) => route.abort())
  await desk.route('**/web/live*', (route) => route.abort())
  await press(offersOf(mobile).getByRole('button', { name: 'Claim Sita R.' }))
  await offersOf(mobile).waitFor({ state: 'detached' })
  await press(offersOf(desk).getByRole('button', { name: 'Claim Sita R.' }))
  await desk.getByText('Chand has claimed this lead.').waitFor()
  await desk.unroute('**/web/offers')
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
