import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'

/** In milliseconds. */
let ahead = 0
const journey = await startJourney({}, () => new Date(Date.now() + ahead))
after(() => journey.close())
const { asha, meena, bela } = journey

const create = async (lead: object): Promise<string> => {
  const { status, body } = await asha.send('POST', '/api/v1/leads', { assigned_to: bela.email, ...lead })
  assert.ok(status < 300, JSON.stringify(body))
  return body.data.id
}

test('a submission of two leads lists them, a user merges them, and another browser is led to the kept lead', async () => {
  const ravi = await create({
    name: 'Ravi Kumar',
    phone: '98100 00001',
    city: 'Pune',
    notes: 'Wants 3 BHK',
    tags: ['site'],
  })
  // The lead that came first is kept, and times are whole seconds.
  ahead = 1000
  const raj = await create({
    name: 'R. Kumar',
    email: 'ravi@example.com',
    status: 'Qualified',
    notes: 'Call after six',
  })
  await create({ name: 'Ravi Kumar', phone: '98100 00001', email: 'ravi@example.com' })
  const agents = await journey.pageOf(bela)
  await agents.goto(`/leads/${raj}`)
  await agents.getByRole('article', { name: 'R. Kumar' }).waitFor()
  assert.equal(await agents.getByText('Possible duplicate').count(), 0)

  const page = await journey.pageOf(meena)
  await page.goto(`/leads/${ravi}`)
  await page.getByText('Possible duplicate: R. Kumar').waitFor()
  await assertWellMade(page)
  await page.goto('/leads')
  await page.getByRole('link', { name: 'Duplicates' }).click()
  const pairs = page.getByRole('list', { name: 'Possible duplicates' })
  await pairs.getByText('A submission had contacts of both').waitFor()
  await assertWellMade(page)
  await press(pairs.getByRole('link', { name: 'Compare Ravi Kumar and R. Kumar' }))

  await page.getByRole('heading', { name: 'Merge leads' }).waitFor()
  const status = page.getByRole('radiogroup', { name: 'Status' })
  assert.equal(await status.getByLabel('Qualified').isChecked(), true)
  await page.getByRole('radiogroup', { name: 'Name' }).getByLabel('Ravi Kumar').check()
  await page.getByText('Both, one below the other').waitFor()
  await assertWellMade(page)
  await page.getByText('1 of 1').waitFor()
  await press(page.getByRole('button', { name: 'Merge leads' }))
  await page.getByText('No possible duplicates').waitFor()
  await page.goto(`/leads/${ravi}`)
  await page.getByRole('article', { name: 'Ravi Kumar' }).waitFor()
  await page.getByText('Meena merged another lead into this one.').waitFor()

  await agents.getByText('This lead was merged into another one, which is shown now').waitFor()
  await agents.waitForURL(`**/leads/${ravi}`)
  await agents.getByRole('article', { name: 'Ravi Kumar' }).waitFor()

  await press(page.getByRole('button', { name: 'Undo merge' }))
  await page.getByText('Merge undone. R. Kumar is a separate lead again').waitFor()
  await page.goto(`/leads/${raj}`)
  await page.getByRole('article', { name: 'R. Kumar' }).waitFor()
  await page.goto('/leads/duplicates')
  await press(pairs.getByRole('button', { name: 'Not the same person' }))
  await page.getByText('No possible duplicates').waitFor()
})

test('a Manager works through the list: merges, skips, and says of several pairs at once that they are two people', async () => {
  for (const [n, name] of ['Dev Shah', 'Esha Iyer', 'Farid Khan', 'Gita Rao', 'Hari Das'].entries()) {
    const phone = `98100 0003${n}`
    const email = `duplicate${n}@example.com`
    await create({ name, phone })
    ahead += 1000
    await create({ name: `${name} again`, email })
    await create({ name, phone, email })
  }
  const page = await journey.pageOf(meena)
  await page.goto('/leads')
  await press(page.getByRole('link', { name: 'Duplicates 5' }))
  const pairs = page.getByRole('list', { name: 'Possible duplicates' }).getByRole('listitem')
  await pairs.filter({ hasText: 'Hari Das' }).waitFor()
  // The latest first.
  await press(page.getByRole('link', { name: 'Compare Hari Das and Hari Das again' }))
  await page.getByText('1 of 5').waitFor()
  await press(page.getByRole('button', { name: 'Merge leads' }))
  await page.getByText('Merged “Hari Das again” into “Hari Das”').waitFor()
  await page.getByText('2 of 5').waitFor()
  await page.getByRole('link', { name: 'Gita Rao', exact: true }).first().waitFor()
  await assertWellMade(page)
  await press(page.getByRole('button', { name: 'Skip' }))
  await page.getByText('3 of 5').waitFor()
  await page.getByRole('link', { name: 'Farid Khan', exact: true }).first().waitFor()
  await press(page.getByRole('button', { name: 'Not the same person' }))
  await page.getByText('4 of 5').waitFor()
  await page.getByRole('link', { name: 'Esha Iyer', exact: true }).first().waitFor()
  await press(page.getByRole('link', { name: 'Possible duplicates' }))
  await until(async () => (await pairs.count()) === 3, 'three pairs')

  await page.getByLabel('Select all').check()
  await page.getByLabel('3 pairs selected').waitFor()
  await page.getByLabel('Select Gita Rao and Gita Rao again').uncheck()
  await assertWellMade(page)
  const requests: string[] = []
  page.on('request', (request) => request.method() === 'POST' && requests.push(request.url()))
  await page.getByRole('button', { name: 'Not the same person', exact: true }).first().click()
  await page.getByText('2 pairs are kept as two leads each').waitFor()
  await pairs.filter({ hasText: 'Dev Shah' }).waitFor({ state: 'detached' })
  assert.deepEqual([await pairs.count(), requests.length], [1, 1])

  const onPhone = await journey.pageOf(meena, { viewport: phone })
  const counts: string[] = []
  onPhone.on('request', (request) => request.url().endsWith('/duplicates/count') && counts.push(request.url()))
  await onPhone.goto('/leads')
  await onPhone.getByRole('link', { name: 'Gita Rao', exact: true }).waitFor()
  assert.deepEqual(counts, [])
  await onPhone.getByRole('button', { name: 'Import, export and duplicates' }).click()
  await onPhone.getByRole('menuitem', { name: 'Possible duplicates 1' }).waitFor()
  await onPhone.goto('/leads/duplicates')
  await onPhone.getByText('Gita Rao again').waitFor()
  await assertWellMade(onPhone)
})

test('on a phone a user finds the other lead, and keeps it', async () => {
  const one = await create({ name: 'Anita Shah', phone: '98100 00011' })
  const other = await create({ name: 'Anita S', phone: '98100 00012', company: 'Shah & Sons' })
  const page = await journey.pageOf(asha, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto(`/leads/${one}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Merge with another lead…' }).click()
  await page.getByRole('textbox', { name: 'Other lead' }).fill('00012')
  const dialog = page.getByRole('dialog', { name: 'Merge Anita Shah with another lead' })
  await dialog.getByRole('link', { name: /Anita S/ }).waitFor()
  await assertWellMade(page)
  await dialog.getByRole('link', { name: /Anita S/ }).click()
  const compared = page.waitForResponse(`**/leads/${other}/comparison?*`)
  await page.getByRole('link', { name: 'Keep the other lead' }).click()
  await page.waitForURL(`**/leads/merge?keep=${other}&other=${one}`)
  await compared
  await assertWellMade(page)
  // Changed since: the page compares again.
  await asha.send('POST', '/api/v1/leads', { name: 'Anita Shah', phone: '98100 00011', city: 'Surat' })
  await page.getByRole('button', { name: 'Merge leads' }).click()
  await page.getByText('One of the leads was changed since you compared them').waitFor()
  await page.getByRole('button', { name: 'Compare again' }).click()
  await page.getByRole('radiogroup', { name: 'City' }).waitFor()
  await page.getByRole('button', { name: 'Merge leads' }).click()
  await page.waitForURL(`**/leads/${other}`)
  await page.getByText(/Asha merged “Anita/).waitFor()
  await assertWellMade(page)
  assert.deepEqual(journey.complaints, [])
})
