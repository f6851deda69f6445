import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'
import { webhookOf } from '../webhooks.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
  const { owner, acme, asha } = journey
  await owner`insert into users (account_id, id, email, name, role, created_at)
    select ${acme.account_id}::uuid, gen_random_uuid(), 'user' || n || '@acme.example', 'User ' || lpad((60 - n)::text, 2, '0'), 'Agent', now()
    from generate_series(1, 59) as n`
  journey.database.cache.invalidate(acme.account_id)
  for (let n = 0; n < 60; n++)
    await asha.send('POST', '/api/v1/leads', { name: `Lead ${n}`, phone: String(9_810_070_000 + n) })
  for (let n = 0; n < 60; n++)
    await webhookOf(journey, acme, {
      name: `Portal ${String(60 - n).padStart(2, '0')}`,
      source_label: n === 7 ? 'Housing' : 'Portal',
    })
})
after(async () => {
  await journey.close()
  assert.deepEqual(journey.complaints, [])
})

test('owners are offered by name, searched in the bar of the selection, and the header of the list stays in sight', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads')
  await page
    .getByRole('checkbox', { name: /^Select Lead/ })
    .first()
    .click()
  const bar = page.getByRole('region', { name: 'Selected leads' })
  await bar.getByRole('combobox', { name: 'Owner' }).click()
  const names = (await page.getByRole('option').allInnerTexts()).filter((name) => name.startsWith('User'))
  assert.equal(names.length, 59)
  assert.deepEqual(names, names.toSorted())
  await page.getByRole('textbox', { name: 'Search owner' }).fill('user 07')
  await page.getByRole('option', { name: 'User 08' }).waitFor({ state: 'detached' })
  await assertWellMade(page)
  await page.keyboard.press('Enter')
  await page.getByText('1 lead changed').waitFor()
  await page.getByRole('cell', { name: 'User 07' }).waitFor()

  await page.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('textbox', { name: 'Search owner' }).fill('user 07')
  await page.getByRole('option', { name: 'User 07' }).click()
  await page.getByText('1 lead', { exact: false }).first().waitFor()
  await page.goto('/leads')
  await page.getByRole('link', { name: /^Lead/ }).nth(49).scrollIntoViewIfNeeded()
  const header = page.getByRole('columnheader', { name: 'Phone' })
  await until(async () => ((await header.boundingBox())?.y ?? -1) >= 0, 'the header in sight')
  // Below the line of the bulk change.
  const line = await page.getByRole('status').filter({ hasText: '1 lead changed' }).boundingBox()
  assert.ok((await header.boundingBox())!.y >= line!.y + line!.height - 1)
})

test('webhooks are listed by name, searched, filtered and sorted, and the URL keeps it', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/webhooks')
  const names = async () =>
    (await page.getByRole('link', { name: /^Portal \d/ }).allInnerTexts()).map((name) => Number(name.slice(-2)))
  await until(async () => (await names()).length === 60, 'all webhooks')
  assert.deepEqual(
    await names(),
    Array.from({ length: 60 }, (_, at) => at + 1),
  )
  await assertWellMade(page)
  await press(page.getByRole('button', { name: 'Name' }))
  await until(async () => (await names())[0] === 60, 'the reverse order')
  await page.getByRole('searchbox', { name: 'Name, source label…' }).fill('housing')
  await until(async () => (await names()).join() === '53', 'the webhook of that source')
  await page.reload()
  await until(async () => (await names()).join() === '53', 'the same after a reload')
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Disabled' }).click()
  await page.getByText('No webhook matches all filters.').waitFor()
  await press(page.getByRole('button', { name: 'Clear filters' }))
  await until(async () => (await names()).length === 60, 'all webhooks again')
})

test('on a phone the list of webhooks is searched too', async () => {
  const page = await journey.pageOf(journey.asha, { viewport: phone, hasTouch: true })
  await page.goto('/settings/webhooks')
  await page.getByRole('searchbox', { name: 'Name, source label…' }).fill('portal 12')
  await page.getByRole('link', { name: 'Portal 11' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Portal 12' }).waitFor()
  await assertWellMade(page)
})
