import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertWellMade, password, phone, press, startJourney } from '../journey.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let ravi: string
let sunita: string
before(async () => {
  journey = await startJourney()
  const { asha, bela, chand } = journey
  const lead = async (name: string, phone: string, person: { email: string }) =>
    (await asha.send('POST', '/api/v1/leads', { name, phone, assigned_to: person.email })).body.data.id
  ravi = await lead('Ravi Kumar', '9810044321', bela)
  sunita = await lead('Sunita Devi', '9810055555', chand)
})
after(() => journey.close())

test('an Agent sees only their own leads, in lists, navigation and by URL', async () => {
  const page = await journey.pageOf(journey.bela, { viewport: phone })
  await page.goto('/leads')
  await page.getByText('Ravi Kumar').first().waitFor()
  assert.equal(await page.getByText('Sunita Devi').count(), 0)

  await page.goto(`/leads/${sunita}`)
  await page.getByText('Lead not found').first().waitFor()
  assert.equal(await page.getByText('Sunita').count(), 0)

  for (const path of ['/settings/api-keys', '/settings/team', '/settings/webhooks', '/leads/import']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  }
  await page.goto('/leads')
  await press(page.getByRole('button', { name: 'More' }))
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  for (const place of ['API keys', 'Webhooks', 'Team', 'Lead distribution', 'Audit log', 'Account', 'API quick start'])
    assert.equal(await page.getByRole('dialog').getByText(place, { exact: true }).count(), 0, place)

  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('button', { name: 'Import, export and duplicates' }).count(), 0)
  await page.goto(`/leads/${ravi}`)
  await page.getByRole('heading', { name: 'Ravi Kumar' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'More actions' }).count(), 0)

  const ask = (path: string) => page.request.get(path).then((answer) => answer.status())
  assert.deepEqual(
    [await ask(`/web/leads/${sunita}`), await ask('/web/api-keys'), await ask('/web/audit')],
    [404, 403, 403],
  )
})

test('a customer of a colleague is sent to the colleague, who is notified', async () => {
  const colleague = await journey.pageOf(journey.chand)
  const asked = colleague.waitForResponse(/\/web\/notices/)
  await colleague.goto('/leads')
  await asked
  const page = await journey.pageOf(journey.bela)
  await page.goto('/leads?add=true')
  const form = page.getByRole('dialog', { name: 'Add lead' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Walk-in')
  await form.getByRole('textbox', { name: 'Phone' }).fill('98100 55555')
  await form.getByText('This customer belongs to a colleague. Send adds your note to their lead.').waitFor()
  await form.getByText('Owner: Chand').waitFor()
  await press(form.getByRole('button', { name: 'Send' }))
  await page.getByText('Sent to Chand').waitFor()
  await colleague.getByText('New note from Bela').waitFor()
  await press(colleague.getByRole('alert').getByRole('link', { name: 'Sunita Devi' }))
  await colleague.getByText(/^Submitted again through the web app by Bela/).waitFor()
})

test('a lead is found, opened, changed and called by keyboard, and the timeline shows it', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto('/leads')
  await page.getByText('Ravi Kumar').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('98100 443')
  await page.waitForURL(/search=/)
  await page.getByText('Ravi Kumar').first().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/leads/${ravi}`))
  await page.getByRole('heading', { name: 'Ravi Kumar' }).waitFor()

  await press(page.getByRole('button', { name: 'Log call' }))
  const call = page.getByRole('region', { name: 'Log a call with Ravi Kumar' })
  await call.getByLabel('Duration').fill('1:35')
  await call.getByLabel(/Notes/).fill('Wants a visit on Sunday')
  await page.keyboard.press('Control+Enter')
  await press(call.getByRole('button', { name: 'Tomorrow' }))
  await call.waitFor({ state: 'detached' })
  await page.getByRole('list', { name: 'Timeline' }).getByText('Wants a visit on Sunday').waitFor()

  await press(page.getByRole('button', { name: 'Add details' }))
  await press(page.getByRole('button', { name: /City/ }))
  await page.keyboard.type('Pune')
  await page.keyboard.press('Enter')
  await page
    .getByText(/city .*Pune/i)
    .first()
    .waitFor()
  await page.keyboard.press('s')
  // The call made it Contacted, where the choice begins.
  await page.getByRole('option', { name: 'New' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Status changed to Qualified').waitFor()
  const { body } = await journey.bela.send('GET', '/api/v1/leads')
  assert.deepEqual([body.data[0].city, body.data[0].status], ['Pune', 'Qualified'])
})

test('adding an existing person says so first, and merges', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto('/leads')
  await page.getByText('Ravi Kumar').first().waitFor()
  await page.keyboard.press('n')
  const form = page.getByRole('dialog', { name: 'Add lead' })
  await form.getByLabel('Name').fill('R. Kumar')
  await form.getByLabel('Phone').fill('+91 98100 44321')
  await press(form.getByRole('button', { name: /Merge into Ravi Kumar/ }))
  await page.waitForURL(new RegExp(`/leads/${ravi}`))
  const { body } = await journey.asha.send('GET', '/api/v1/leads')
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name).sort(),
    ['R. Kumar', 'Sunita Devi'],
    'one person stays one lead',
  )
})

test('an Admin deletes a lead after a warning that names it', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto(`/leads/${sunita}`)
  await page.getByRole('heading', { name: 'Sunita Devi' }).waitFor()
  await press(page.getByRole('button', { name: /Actions|More/ }).last())
  await press(page.getByRole('menuitem', { name: /Delete/ }))
  const warning = page.getByRole('dialog', { name: /Delete/ })
  assert.match(await warning.innerText(), /Sunita Devi/)
  await press(warning.getByRole('button', { name: /Delete/ }))
  await page.waitForURL(/\/leads(\?|$)/)
  assert.equal((await journey.asha.send('GET', '/api/v1/leads')).body.pagination.total, 1)
})

test('a draft survives Esc and the end of the session, and the user signs in again on the page', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto(`/leads/${ravi}`)
  await press(page.getByRole('button', { name: 'Add note' }))
  await page.keyboard.type('Asked for the price of 3 BHK')
  await page.keyboard.press('Escape')
  await page.context().clearCookies()
  await press(page.getByRole('button', { name: 'Add note' }))
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.waitFor()
  await assertWellMade(page)
  await again.getByLabel(/^Password/).fill(password)
  await press(again.getByRole('button', { name: 'Sign in' }))
  await again.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('New note').inputValue(), 'Asked for the price of 3 BHK')
  await press(page.getByRole('button', { name: 'Add note' }))
  await page.getByText('Note added').waitFor()

  const call = page.getByRole('region', { name: /^Log a call/ })
  const duration = call.getByLabel('Duration')
  await press(page.getByRole('button', { name: 'Log call' }))
  await duration.fill('2:30')
  // Out of the text, then out of the form.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await call.waitFor({ state: 'detached' })
  await press(page.getByRole('button', { name: 'Log call' }))
  assert.equal(await duration.inputValue(), '2:30')
  await press(call.getByRole('button', { name: 'Cancel' }))
  await call.waitFor({ state: 'detached' })
  await press(page.getByRole('button', { name: 'Log call' }))
  assert.equal(await duration.inputValue(), '')
  await press(call.getByRole('button', { name: 'Close' }))
  await call.waitFor({ state: 'detached' })

  await press(page.getByRole('button', { name: 'Add note' }))
  await page.keyboard.type('Half a note')
  await page.getByRole('link', { name: 'Calls' }).click()
  await page.waitForURL('/calls')
  await page.goBack()
  assert.equal(await page.getByLabel('New note').inputValue(), 'Half a note')
})

test('rupees are typed as people write them, and undo reverts only the user’s own change', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto(`/leads/${ravi}`)
  const value = page.getByRole('button', { name: /^Deal value/ })
  await press(value)
  await page.keyboard.type('ten')
  await page.keyboard.press('Enter')
  await page.getByText(/Enter an amount in rupees/).waitFor()
  await page.getByLabel('Deal value').fill('1,25,000')
  await page.keyboard.press('Enter')
  await value.getByText('₹1,25,000').waitFor()

  await journey.asha.send('POST', '/api/v1/leads', { name: 'R. Kumar', phone: '9810044321', city: 'Delhi' })
  await press(page.getByRole('button', { name: /^City/ }))
  await page.getByLabel('City').fill('Nagpur')
  await page.keyboard.press('Enter')
  const notice = page.getByRole('alert').filter({ hasText: 'Nagpur' })
  await press(notice.getByRole('button', { name: 'Undo' }))
  await page.getByRole('button', { name: /^City/ }).getByText('Delhi').waitFor()
})

test('simultaneous notes are all saved, and a user who edits older notes sees the newer ones first', async () => {
  const { body } = await journey.asha.send('POST', '/api/v1/leads', {
    name: 'Nita Shah',
    phone: '9810077777',
    assigned_to: journey.bela.email,
    notes: 'Known.',
    tags: ['a', 'b'],
  })
  const { id } = body.data
  const pages = [await journey.pageOf(journey.asha), await journey.pageOf(journey.bela)] as const
  const [hers, his] = pages
  const stored = async () =>
    (await journey.asha.send('GET', '/api/v1/leads')).body.data.find((lead: { id: string }) => lead.id === id)
  for (const page of pages) await page.goto(`/leads/${id}`)
  for (const [page, text] of [
    [hers, 'Wants a garden'],
    [his, 'Visits on Sunday'],
  ] as const) {
    await press(page.getByRole('button', { name: 'Add note' }))
    await page.getByLabel('New note').fill(text)
  }
  for (const page of pages) await press(page.getByRole('button', { name: 'Add note' }))
  for (const page of pages) await page.getByText('Note added').waitFor()
  assert.match((await stored()).notes, /^Known\.\n\n\[.*\]\n.*\n\n\[.*\]\n.*$/)
  assert.match((await stored()).notes, /, Asha\]\nWants a garden/)
  assert.match((await stored()).notes, /, Bela\]\nVisits on Sunday/)

  for (const page of pages) {
    await page.reload()
    await press(page.getByRole('button', { name: 'Edit notes' }))
  }
  await hers.getByLabel('Notes', { exact: true }).fill('Hers, newer')
  await press(hers.getByRole('button', { name: 'Save notes' }))
  // The message with Undo stays while the pointer is on it.
  await hers.getByRole('alert').filter({ hasText: 'Notes changed' }).hover()
  await his.getByLabel('Notes', { exact: true }).fill('His, older')
  await press(his.getByRole('button', { name: 'Save notes' }))
  await his.getByText(/Another user changed these notes/).waitFor()
  await his.getByRole('region', { name: 'Current notes' }).getByText('Hers, newer').waitFor()
  assert.equal(await his.getByLabel('Notes', { exact: true }).inputValue(), 'His, older')
  assert.equal((await stored()).notes, 'Hers, newer')
  await assertWellMade(his)
  await his.getByLabel('Notes', { exact: true }).fill('Hers, newer. His too')
  await press(his.getByRole('button', { name: 'Save notes' }))
  await his.getByRole('alert').filter({ hasText: 'Notes changed' }).waitFor()
  assert.equal((await stored()).notes, 'Hers, newer. His too')
  // Hers are no longer as she left them: undoing must not take his away.
  await press(hers.getByRole('button', { name: 'Undo' }))
  await hers.getByText(/Another user changed these notes/).waitFor()
  assert.equal((await stored()).notes, 'Hers, newer. His too')

  await press(his.getByRole('button', { name: /^Tags/ }))
  await journey.asha.send('POST', '/api/v1/leads', { name: 'Nita Shah', phone: '9810077777', tags: ['c'] })
  await his.getByRole('combobox', { name: 'Tags' }).fill('d')
  await his.keyboard.press('Enter')
  await his.keyboard.press('Enter')
  await his.getByRole('alert').filter({ hasText: 'Tags changed' }).waitFor()
  assert.deepEqual((await stored()).tags, ['a', 'b', 'c', 'd'])

  await press(his.getByRole('button', { name: 'Add details' }))
  await press(his.getByRole('button', { name: /^Other contacts/ }))
  await his.getByRole('combobox', { name: 'Other contacts' }).fill('98100 77778')
  await his.keyboard.press('Enter')
  await his.keyboard.press('Enter')
  await his.getByRole('alert').filter({ hasText: 'Other contacts changed' }).waitFor()
  assert.equal(await his.getByRole('link', { name: '+91 98100 77778' }).getAttribute('href'), 'tel:+919810077778')
  await assertWellMade(his)
  const again = await journey.asha.send('POST', '/api/v1/leads', { name: 'Nita Shah', phone: '09810077778' })
  assert.equal(again.body.data.id, (await stored()).id)
})

test('without a connection the page says so, and sends nothing silently later', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto(`/leads/${ravi}`)
  await page.getByRole('button', { name: /^City/ }).waitFor()
  await page.context().setOffline(true)
  await page.getByText('No connection to the server').waitFor()
  await press(page.getByRole('button', { name: /^City/ }))
  await page.getByLabel('City').fill('Surat')
  await page.keyboard.press('Enter')
  await page.getByText('No answer from the server').waitFor()
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)
  await page.getByText('No connection to the server').waitFor({ state: 'detached' })
  const { body } = await journey.bela.send('GET', `/api/v1/leads/${ravi}`)
  assert.notEqual(body.data?.city, 'Surat')
})

test('while a dialog is open, the shortcuts of the page do nothing', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto(`/leads/${ravi}`)
  await press(page.getByRole('button', { name: 'More actions' }))
  await press(page.getByRole('menuitem', { name: 'Delete lead' }))
  const question = page.getByRole('dialog', { name: /^Delete/ })
  await question.getByRole('button', { name: 'Cancel' }).focus()
  for (const key of ['c', 'm', 'e', '/', '?', 'n', 'j', 'g', 'o']) await page.keyboard.press(key)
  assert.equal(await page.getByRole('dialog').count(), 1)
  assert.match(page.url(), new RegExp(ravi))
  await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
})

test('on a phone a sheet is as high as its content, and its choices do not widen the page', async () => {
  const page = await journey.pageOf(journey.bela, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto('/leads')
  await press(page.getByRole('button', { name: 'Filters' }))
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await press(sheet.getByRole('combobox', { name: 'Status' }))
  await page.getByRole('option', { name: 'Won' }).waitFor()
  assert.equal(await page.evaluate('innerWidth'), phone.width)
  assert.ok((await sheet.boundingBox())!.height < phone.height * 0.8)
})

test('on a phone, calls and timeline come before what is not filled in, which one button opens', async () => {
  const page = await journey.pageOf(journey.bela, { viewport: phone, isMobile: true, hasTouch: true })
  await page.goto(`/leads/${ravi}`)
  const add = page.getByRole('button', { name: 'Add details' })
  const top = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())!.y
  await add.waitFor()
  // What selling changes comes before the calls.
  for (const name of [/^Deal value/, /^Expected closing/]) {
    const { y, height } = (await page.getByRole('button', { name }).boundingBox())!
    assert.ok(y + height < (await top('Calls')), `${name} at ${y}`)
  }
  // The number is seen without scrolling, and calls are listed once, at the time of the call.
  for (const action of [
    page.getByRole('link', { name: 'Call +91 98100 44321' }),
    page.getByRole('button', { name: 'Log call' }),
  ]) {
    const { y, height } = (await action.boundingBox())!
    assert.ok(
      height >= 44 && y > phone.height / 2 && y + height < phone.height,
      `${await action.textContent()} at ${y}`,
    )
  }
  const timeline = page.getByRole('list', { name: 'Timeline' })
  assert.equal(await timeline.getByText('Wants a visit on Sunday').count(), 0)
  await page.getByRole('radiogroup', { name: 'Timeline filter' }).getByText('Calls').tap()
  const timeOf = (list: string) =>
    page
      .getByRole('list', { name: list, exact: true })
      .getByRole('listitem')
      .first()
      .locator('time')
      .getAttribute('datetime')
  assert.equal(await timeOf('Timeline'), await timeOf('Calls'))
  assert.ok((await top('Calls')) < (await top('Timeline')))
  assert.ok((await top('Timeline')) < (await add.boundingBox())!.y)
  const company = page.getByRole('button', { name: 'Company' })
  assert.equal(await company.count(), 0)
  await add.tap()
  await company.waitFor()
  await page
    .getByRole('button', { name: /^Email/ })
    .and(page.locator(':focus'))
    .waitFor()
  await assertWellMade(page)
})

test('an Agent’s shortcuts and command palette contain no pages for Admins', async () => {
  const page = await journey.pageOf(journey.bela)
  await page.goto('/leads')
  await page.getByText('R. Kumar').first().waitFor()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Overview').waitFor()
  assert.equal(await keys.getByText('API keys').count(), 0)
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Go to a page or find a lead').waitFor()
  await page.keyboard.type('nobody is called so')
  await page.getByText('No matches').waitFor()
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
