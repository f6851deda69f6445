import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
  const { asha, bela } = journey
  for (let n = 0; n < 30; n++)
    await asha.send('POST', '/api/v1/leads', {
      name: `Stale ${String(n).padStart(2, '0')}`,
      phone: String(9_810_070_000 + n),
      assigned_to: bela.email,
    })
})
after(async () => {
  await journey.close()
  assert.deepEqual(journey.complaints, [])
})

test('thirty chosen leads get another owner with four clicks, another user sees it, and Undo gives them back', async () => {
  const { asha, bela, chand } = journey
  const admin = await journey.pageOf(asha)
  const owner = await journey.pageOf(bela)
  const receiver = await journey.pageOf(chand)
  await Promise.all([admin.goto('/leads'), owner.goto('/leads'), receiver.goto('/leads')])
  await owner.getByText('30 leads').first().waitFor()
  await receiver.getByRole('heading', { name: 'Leads' }).waitFor()
  await admin.getByText('Stale 29').waitFor()

  const { click, clicks } = countClicks()
  const chosen = admin.getByRole('checkbox', { name: /^Select Stale/ })
  await click(chosen.first())
  await click(chosen.nth(29), { modifiers: ['Shift'] })
  await admin.getByText('30 selected').waitFor()
  await assertWellMade(admin)
  await click(admin.getByRole('combobox', { name: 'Owner' }).last())
  await click(admin.getByRole('option', { name: 'Chand' }))
  assert.equal(clicks(), 4)
  // The message with Undo stays while the pointer is on it.
  await admin.getByText('30 leads changed').hover()
  await receiver.getByText('30 leads were assigned to you').or(receiver.getByText('Stale 29')).first().waitFor()
  await owner.getByText('Stale 29').waitFor({ state: 'detached' })
  await assertWellMade(admin)

  await press(admin.getByRole('button', { name: 'Undo' }))
  await admin.getByText('30 leads restored').waitFor()
  await owner.getByText('Stale 29').first().waitFor()
  await admin.getByText('30 leads restored').waitFor({ state: 'detached' })
  await admin.goto('/leads/bulk-changes')
  await admin.getByText('Owner: Chand').waitFor()
  await assertWellMade(admin)
})

test('rows are selected by x and by ranges, and the selected leads are exported, tagged, split and deleted', async () => {
  const { asha, owner, bela, chand } = journey
  const page = await journey.pageOf(asha)
  await page.goto('/leads?sort=name')
  await page.getByText('Stale 00').waitFor()
  await page.getByRole('link', { name: 'Stale 00' }).focus()
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.getByRole('checkbox', { name: 'Select Stale 03' }).click({ modifiers: ['Shift'] })
  await page.getByText('4 selected').waitFor()
  const more = page.getByRole('button', { name: 'More actions for the selected leads' })
  const saved = page.waitForEvent('download')
  const selected = page.getByRole('region', { name: 'Selected leads' })
  await press(selected.getByRole('button', { name: 'Export' }))
  await press(page.getByRole('menuitem', { name: 'Columns of the list, CSV' }))
  assert.equal(
    readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\r\n').length,
    5,
  )

  await press(more)
  await press(page.getByRole('menuitem', { name: 'Add or remove tags…' }))
  const tags = page.getByRole('dialog')
  await tags.getByLabel('Add tags').fill('Fair')
  await assertWellMade(page)
  await tags.getByLabel('Remove tags').focus()
  await press(tags.getByRole('button', { name: 'Change tags' }))
  await page.getByText('4 leads changed').first().waitFor()
  const tagged = async () => (await owner`select count(*)::int as n from leads where 'Fair' = any (tags)`)[0]!.n
  assert.equal(await tagged(), 4)

  await page.goto('/leads?tag=Fair')
  await page.getByRole('checkbox', { name: 'Select Stale 00' }).click()
  await press(page.getByRole('button', { name: 'Select all 4' }))
  await page.getByText('4 selected').waitFor()
  await press(page.getByRole('combobox', { name: 'Owner' }).last())
  await page.getByRole('option', { name: 'Split among several…' }).click()
  const split = page.getByRole('dialog')
  for (const name of ['Bela', 'Chand']) await split.getByRole('checkbox', { name }).check()
  await split.getByLabel('Weight of Bela').fill('3')
  await assertWellMade(page)
  await press(split.getByRole('button', { name: 'Split leads' }))
  // One of Bela's stays with her.
  await page.getByText('had these values already').first().waitFor()
  const counted =
    await owner`select assigned_to, count(*)::int as n from leads where 'Fair' = any (tags) group by 1 order by 2`
  assert.deepEqual(
    [...counted],
    [
      { assigned_to: chand.id, n: 1 },
      { assigned_to: bela.id, n: 3 },
    ],
  )

  await page.getByRole('checkbox', { name: 'Select Stale 01' }).click()
  await press(page.getByRole('button', { name: 'Select all 4' }))
  await press(more)
  await press(page.getByRole('menuitem', { name: 'Delete…' }))
  const asks = page.getByRole('dialog')
  assert.equal(await asks.getByRole('button', { name: 'Delete 4 leads' }).isDisabled(), true)
  await asks.getByLabel('Type 4 to confirm').fill('4')
  await press(asks.getByRole('button', { name: 'Delete 4 leads' }))
  await page.getByText('4 leads deleted').first().waitFor()
  assert.equal(await tagged(), 0)
})

test('leads that are lost are asked for one reason, or none', async () => {
  const { asha, owner } = journey
  const page = await journey.pageOf(asha)
  await page.goto('/leads?sort=name')
  const lose = async () => {
    await page.getByRole('checkbox', { name: 'Select Stale 10' }).click()
    await page.getByRole('checkbox', { name: 'Select Stale 12' }).click({ modifiers: ['Shift'] })
    await press(page.getByRole('button', { name: 'Status', exact: true }).last())
    await press(page.getByRole('menuitem', { name: 'Lost' }))
    await page.getByText('Why were 3 leads lost?').waitFor()
  }
  const lost = async () =>
    (await owner`select name, lost_reason from leads where status = 'Lost' order by name`).map((lead) =>
      Object.values(lead),
    )
  const done = page.getByRole('status').filter({ hasText: '3 leads changed' })
  await lose()
  await assertWellMade(page)
  // Closed, it changes nothing.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('3 selected').waitFor()
  assert.deepEqual(await lost(), [])
  await press(page.getByRole('button', { name: 'Status', exact: true }).last())
  await press(page.getByRole('menuitem', { name: 'Lost' }))
  await press(page.getByRole('button', { name: 'Not interested' }))
  await done.waitFor()
  assert.deepEqual(
    await lost(),
    ['10', '11', '12'].map((n) => [`Stale ${n}`, 'Not interested']),
  )
  await press(done.getByRole('button', { name: 'Undo' }))
  await page.getByText('3 leads restored').waitFor()
  assert.deepEqual(await lost(), [])
  await lose()
  await press(page.getByRole('dialog').getByRole('button', { name: 'Skip' }))
  await done.waitFor()
  assert.deepEqual(
    await lost(),
    ['10', '11', '12'].map((n) => [`Stale ${n}`, null]),
  )
  await press(done.getByRole('link', { name: /bulk changes/ }))
  await page.getByText('Status: Lost · Lost reason: Not interested').waitFor()
})

test('on a phone leads are selected in a mode of the list', async () => {
  const page = await journey.pageOf(journey.bela, { viewport: phone, hasTouch: true })
  await page.goto('/leads')
  await page.getByText('Stale 29').waitFor()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByText('Select leads').waitFor()
  await page.getByRole('checkbox', { name: 'Select Stale 29' }).click()
  await page.getByText('1 selected').waitFor()
  await assertWellMade(page)
  // Agents assign leads to themselves only.
  assert.equal(await page.getByRole('region', { name: 'Selected leads' }).getByRole('combobox').count(), 0)
  const { id } = (await journey.owner`select id from leads where name = 'Stale 28'`)[0]!
  const changed = await page.request.patch(`/web/leads/${id}`, {
    data: { call_again_at: new Date(Date.now() - 60_000).toISOString() },
    headers: { origin: journey.url },
  })
  assert.equal(changed.status(), 200)
  const message = page.getByRole('alert').filter({ hasText: 'Call due' })
  await message.waitFor()
  const bar = page.getByRole('region', { name: 'Selected leads' })
  await until(async () => {
    const [above, below] = [await message.boundingBox(), await bar.boundingBox()]
    return above!.y + above!.height <= below!.y
  }, 'the message above the bar')
  await press(page.getByRole('button', { name: 'Status', exact: true }).last())
  await press(page.getByRole('menuitem', { name: 'Contacted' }))
  await page.getByText('1 lead changed').waitFor()
  await page.getByText('Contacted').first().waitFor()
  await assertWellMade(page)
})

test('200 filtered leads get another status with five clicks, and the list shows it at once', async () => {
  const { asha } = journey
  for (let n = 0; n < 200; n += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        asha.send('POST', '/api/v1/leads', {
          name: `Fresh ${n + at}`,
          phone: String(9_810_080_000 + n + at),
          source: 'Expo',
        }),
      ),
    )
  const page = await journey.pageOf(asha)
  await page.goto('/leads')
  await page
    .getByText(/^Fresh/)
    .first()
    .waitFor()
  const { click, clicks } = countClicks()
  await click(page.getByRole('combobox', { name: 'Source' }))
  await click(page.getByRole('option', { name: 'Expo' }))
  await click(page.getByRole('button', { name: 'Select all 200' }))
  await page.getByText('200 selected').waitFor()
  await click(page.getByRole('button', { name: 'Status', exact: true }).last())
  await click(page.getByRole('menuitem', { name: 'Contacted' }))
  assert.equal(clicks(), 5)
  await page.getByText('200 leads changed').waitFor()
  const rows = page.getByRole('row', { name: /Fresh/ })
  await until(async () => (await rows.filter({ hasText: 'Contacted' }).count()) === 50, 'the new status in all rows')

  // As after any change of their own, users see the order that it makes: rows keep their places when others change them.
  await page.goto('/leads?sort=updated')
  const third = rows.nth(2)
  const name = await third.getByRole('link').first().innerText()
  await third.getByRole('checkbox').click()
  await press(page.getByRole('button', { name: 'Status', exact: true }).last())
  await press(page.getByRole('menuitem', { name: 'Qualified' }))
  await page.getByText('1 lead changed').waitFor()
  await rows.first().getByText(name).waitFor()
})

test('Esc closes the menu or dialog of the selection, and the next one clears it', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads')
  await page
    .getByRole('checkbox', { name: /^Select Fresh/ })
    .first()
    .click()
  const selected = page.getByText('1 selected')
  await selected.waitFor()
  const bar = page.getByRole('region', { name: 'Selected leads' })
  const owner = bar.getByRole('combobox', { name: 'Owner' })
  const esc = async (closed: Locator) => {
    await page.keyboard.press('Escape')
    await closed.waitFor({ state: 'detached' })
    await selected.waitFor()
  }
  await owner.click()
  await page.getByRole('option', { name: 'Chand' }).waitFor()
  await esc(page.getByRole('option', { name: 'Chand' }))
  const dialogs: [Locator, string][] = [
    [owner, 'Split among several…'],
    [bar.getByRole('button', { name: 'More actions for the selected leads' }), 'Add or remove tags…'],
    [bar.getByRole('button', { name: 'More actions for the selected leads' }), 'Call again at…'],
  ]
  for (const [menu, item] of dialogs) {
    await menu.click()
    await page
      .getByRole('menuitem', { name: item })
      .or(page.getByRole('option', { name: item }))
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    await esc(page.getByRole('dialog'))
  }
  await page.getByRole('combobox', { name: 'Priority' }).click()
  await page.getByRole('option', { name: 'High' }).waitFor()
  await esc(page.getByRole('option', { name: 'High' }))
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
})

test('finished bulk changes are one line, which stays dismissed, and undo stays reachable', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads')
  const line = page.getByRole('status').filter({ hasText: 'changed' })
  await press(line.getByRole('link', { name: /bulk changes finished/ }))
  await page.getByRole('button', { name: 'Undo' }).first().waitFor()
  await press(page.getByRole('link', { name: 'Leads' }).last())
  await page
    .getByRole('checkbox', { name: /^Select Fresh/ })
    .first()
    .waitFor()
  // What is listed on the page of bulk changes was seen there.
  assert.equal(await line.count(), 0)
  for (const [n, status] of ['Qualified', 'Proposal', 'Won'].entries()) {
    await page
      .getByRole('checkbox', { name: /^Select Fresh/ })
      .first()
      .click()
    await press(page.getByRole('button', { name: 'Status', exact: true }).last())
    await press(page.getByRole('menuitem', { name: status }))
    await line.getByText(n === 0 ? 'All bulk changes' : `${n + 1} bulk changes finished`).waitFor()
  }
  assert.equal(await line.count(), 1)
  await assertWellMade(page)
  await page.reload()
  await line.getByText('3 bulk changes finished').waitFor()
  await press(line.getByRole('button', { name: 'Close' }))
  await line.waitFor({ state: 'detached' })
  await page.reload()
  await page
    .getByRole('checkbox', { name: /^Select Fresh/ })
    .first()
    .waitFor()
  assert.equal(await line.count(), 0)
  await press(page.getByRole('link', { name: 'Bulk changes', exact: true }))
  const last = page.getByRole('listitem').filter({ hasText: 'Status: Won' })
  await press(last.getByRole('button', { name: 'Undo' }))
  await last.getByText('1 lead restored').waitFor()
})

/** Presses with the pointer, and counts how often. */
function countClicks() {
  let clicks = 0
  return {
    click: async (target: Locator, options?: Parameters<Locator['click']>[0]) => {
      clicks++
      await target.click(options)
    },
    clicks: () => clicks,
  }
}
