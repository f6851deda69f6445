import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, desk, phone, press, startJourney } from '../journey.ts'
import { webhookOf } from '../webhooks.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let webhook: Awaited<ReturnType<typeof webhookOf>>
before(async () => {
  journey = await startJourney()
  webhook = await webhookOf(journey, journey.acme, { name: 'Portal', default_assignee: journey.bela.id })
})
after(() => journey.close())

const sent = {
  name: 'Meera Iyer',
  phone: '98200 11223',
  project: 'Skyline Heights',
  'what_is_your_budget?': '60–80 lakh',
  'when-to-visit': 'Sunday',
  area: 'Baner',
  floor: 'Above the fifth',
  message: 'Is there a lift?',
  campaign: 'November launch',
  page_url: 'https://www.skyline.example/baner?utm_source=google&gclid=Ea-1',
  consent: 'I agree to be called about this and similar projects',
  dnd: 'Yes',
  ip_address: '203.0.113.9',
}
const onPhone = { viewport: phone, isMobile: true, hasTouch: true }

for (const [width, options] of Object.entries({ phone: onPhone, desk: { viewport: desk } }))
  test(`on a ${width}, what a lead asked for is read before the call, and all of it on its page`, async () => {
    if (width === 'phone') assert.equal((await webhook.send(sent)).status, 200)
    const page = await journey.pageOf(journey.bela, options)
    await page.goto('/queue')
    const asked = page.getByRole('region', { name: 'Next lead' }).getByRole('region', { name: 'Enquiry' })
    await asked.getByText('Skyline Heights').waitFor()
    for (const text of ['What is your budget?', '60–80 lakh', 'When to visit', 'Is there a lift?', 'November launch'])
      await asked.getByText(text, { exact: true }).waitFor()
    await asked.getByText('Do not call').waitFor()
    const link = asked.getByRole('link', { name: 'skyline.example/baner' })
    assert.deepEqual(
      [await link.getAttribute('href'), await link.getAttribute('rel')],
      [sent.page_url, 'noopener noreferrer'],
    )
    assert.equal(await page.getByText('Is there a lift?').count(), 1)
    assert.equal(await page.getByText('Above the fifth').count(), 0)
    const call = page.getByRole('link', { name: 'Call +91 98200 11223' })
    const { y, height } = (await call.boundingBox())!
    assert.ok(y + height <= options.viewport.height, `the call button ends at ${y + height}`)
    await assertWellMade(page)

    await asked.getByRole('link', { name: '1 more answer' }).click()
    await page.waitForURL(/\/leads\//)
    const enquiry = page.getByRole('region', { name: 'Enquiry' })
    for (const text of ['Floor', 'Above the fifth', 'Area', 'Baner', 'Is there a lift?'])
      await enquiry.getByText(text, { exact: true }).waitFor()
    await enquiry.getByText(/^I agree to be called .* — Yes$/).waitFor()
    await enquiry.getByText('Details of the origin').click()
    await enquiry.getByText('Ea-1', { exact: true }).waitFor()
    assert.equal(await page.getByText('Is there a lift?').count(), 1)
    await page.getByText('Only the message of the enquiry.').waitFor()
    await assertWellMade(page)
  })

test('of a lead that enquires again, the page has the newest enquiry in full, and older ones when they are opened', async () => {
  await journey.owner`update enquiries set at = at - interval '1 day', last_at = last_at - interval '1 day'`
  const again = { name: sent.name, phone: sent.phone, project: 'Skyline Greens', message: 'Two rooms are enough' }
  assert.equal((await webhook.send(again)).status, 200)
  const page = await journey.pageOf(journey.bela)
  await page.goto('/leads')
  await press(page.getByRole('link', { name: 'Meera Iyer' }).first())
  const enquiries = page.getByRole('region', { name: 'Enquiries' })
  await enquiries.getByText('Two rooms are enough').waitFor()
  await enquiries.getByText(/^Enquired again/).waitFor()
  assert.equal(await enquiries.getByText('Above the fifth').isVisible(), false)
  await enquiries.getByText('Skyline Heights · What is your budget? 60–80 lakh').click()
  await enquiries.getByText('Above the fifth').waitFor()
})

test('a delivery shows what each value became, and a mapping moves them', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/webhooks')
  await press(page.getByRole('link', { name: 'Portal' }))
  await press(page.getByRole('tab', { name: /Deliveries/ }))
  await press(page.getByRole('row').filter({ hasText: 'Created' }).getByRole('link').first())
  const delivery = page.getByRole('dialog')
  const enquiry = delivery.getByRole('region', { name: 'Enquiry' })
  for (const text of ['Origin · Product', 'Origin · Campaign', 'Answer', 'Consent', 'Do not call'])
    await enquiry.getByText(text, { exact: true }).first().waitFor()
  await enquiry.getByText('1 value left out').click()
  await enquiry.getByText('203.0.113.9').waitFor()
  await press(delivery.getByRole('link', { name: 'Show mapping' }))

  const result = page.getByRole('region', { name: 'Resulting enquiry' })
  await result.getByText('60–80 lakh').waitFor()
  const field = (path: string) => page.getByLabel(`Lead field for ${path}`)
  const shown = (path: string) => field(path).locator('option:checked').textContent()
  assert.deepEqual(
    [await shown('project'), await shown('area'), await shown('ip_address')],
    ['Origin · Product · auto', 'Answer · auto', 'Left out · auto'],
  )
  await field('floor').selectOption('Leave out')
  await field('area').selectOption('City')
  await page.getByRole('region', { name: 'Resulting lead' }).getByText('Baner').waitFor()
  await result.getByText('Above the fifth').waitFor({ state: 'detached' })
  await page.getByText('Would change 1 of the last 2 deliveries').waitFor()
  await assertWellMade(page)
  await press(page.getByRole('button', { name: 'Save 2 changes' }))
  await page.getByText('Mapping saved.').waitFor()
  assert.equal((await webhook.send({ ...sent, name: 'Ravi Rao', phone: '98200 11224' })).status, 200)
  const [lead] = await journey.owner`select city, answers::text from leads join enquiries on lead_id = leads.id
    where name = 'Ravi Rao'`
  assert.equal(lead!.city, 'Baner')
  assert.doesNotMatch(lead!.answers, /fifth/)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
