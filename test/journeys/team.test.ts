import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertWellMade, password, phone, press, startJourney, untilTrue } from '../journey.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
  for (const [name, phone] of [
    ['Ravi Kumar', '9810044321'],
    ['Sunita Devi', '9810055555'],
  ])
    await journey.bela.send('POST', '/api/v1/leads', { name, phone })
})
after(() => journey.close())

test('a user is invited, and the link is shown once', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/team')
  await press(page.getByRole('link', { name: 'Invite users' }))
  await page.getByLabel('Email').fill(journey.bela.email)
  await page.getByLabel('Name').fill('Dev Patel')
  await press(page.getByRole('button', { name: 'Invite 1 user' }))
  await page.getByText(/^Another user already has the email/).waitFor()
  await page.getByLabel('Email').fill('dev@example.com')
  await press(page.getByRole('button', { name: 'Invite 1 user' }))
  await page.getByRole('heading', { name: '1 user is invited' }).waitFor()
  assert.match(await page.locator('pre').innerText(), new RegExp(`^${journey.url}/join/`))
  await press(page.getByRole('link', { name: 'Team' }).last())
  await page.getByText('Dev Patel').first().waitFor()

  await press(page.getByRole('button', { name: 'Actions for Dev Patel' }))
  await press(page.getByRole('menuitem', { name: 'Change email' }))
  const change = page.getByRole('dialog', { name: 'Change the email of Dev Patel' })
  await change.getByText('The link that was sent to the previous email stops working.').waitFor()
  await change.getByLabel('New email').fill('dev.patel@example.com')
  await change.getByLabel('Your own password').fill(password)
  await press(change.getByRole('button', { name: 'Change email' }))
  await page.getByRole('link', { name: 'dev.patel@example.com' }).waitFor()
})

test('deactivating a user shares their leads among others in the same step, and says before and after who gets how many', async () => {
  const bela = await journey.pageOf(journey.bela)
  await bela.goto('/leads')
  await bela.getByText('Ravi Kumar').first().waitFor()

  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/team')
  await press(page.getByRole('button', { name: 'Actions for Bela' }))
  await press(page.getByRole('menuitem', { name: 'Deactivate' }))
  const dialog = page.getByRole('dialog', { name: 'Deactivate Bela' })
  const field = dialog.getByRole('combobox', { name: 'New owners' })
  await field.press('Escape')
  await press(dialog.getByRole('button', { name: 'Deactivate Bela' }))
  await dialog.getByText('Choose the new owners.').waitFor()
  assert.equal(await focused(page), 'New owners')
  for (const option of ['Chand · Invited', 'Dev Patel · Invited']) {
    await field.fill(option)
    await page.getByRole('option', { name: option }).waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
  }
  await field.press('Escape')
  const shares = 'Chand (1) and Dev Patel (1)'
  await dialog.getByText(`Shared evenly: ${shares}.`).waitFor()
  await press(dialog.getByRole('button', { name: 'Deactivate Bela' }))
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(`2 leads reassigned to ${shares}.`).waitFor()

  assert.equal((await bela.request.get('/web/leads')).status(), 401)
  assert.equal((await journey.bela.send('GET', '/api/v1/leads')).status, 401)
  assert.equal((await journey.chand.send('GET', '/api/v1/leads')).body.pagination.total, 1)
  await bela.reload()
  await bela.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/settings/audit')
  await page.getByText(`Asha reassigned 2 leads of Bela to ${shares}`).waitFor()
})

test('an activated user moves up in the list, and the focus stays on the page', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/team?deactivated=true')
  await press(page.getByRole('button', { name: 'Actions for Bela' }))
  await press(page.getByRole('menuitem', { name: 'Activate' }))
  await page.getByText('Bela can sign in again').waitFor()
  await page.getByRole('table', { name: 'Deactivated users' }).waitFor({ state: 'detached' })
  await untilTrue(page, 'document.activeElement !== document.body')
})

test('inviting a deactivated user again offers to activate them', async () => {
  const page = await journey.pageOf(journey.asha)
  const deactivated = await page.request.post(`/web/users/${journey.bela.id}/deactivation`, {
    headers: { origin: journey.url },
    data: {},
  })
  assert.equal(deactivated.status(), 200)
  await page.goto('/settings/team')
  await press(page.getByRole('link', { name: 'Invite users' }))
  await page.getByLabel('Email').fill(journey.bela.email)
  await page.getByLabel('Name').fill('Bela')
  await press(page.getByRole('button', { name: 'Invite 1 user' }))
  await page.getByText(/is deactivated\. Activate them instead\./).waitFor()
  await press(page.getByRole('button', { name: 'Activate Bela' }))
  await page.getByText('Bela can sign in again').waitFor()
  assert.equal(await page.getByLabel('Email').inputValue(), '')
})

test('a pasted list of users is invited at once, on a phone', async () => {
  const { asha, owner, url } = journey
  const page = await journey.pageOf(asha, { viewport: phone })
  await page.goto('/settings/team/invite')
  const list = [
    'Ravi Kumar\travi@acme.example\t98700 44321\tManager\tWest',
    'meera.iyer@acme.example',
    `Asha, ${asha.email}`,
    'Farhan Sheikh; farhan@acme.example; ext 317',
  ]
  await page.getByLabel('Paste a list').focus()
  await page.evaluate((text) => {
    const data = new (Reflect.get(globalThis, 'DataTransfer'))()
    data.setData('text', text)
    const event = new (Reflect.get(globalThis, 'ClipboardEvent'))('paste', {
      clipboardData: data,
      bubbles: true,
      cancelable: true,
    })
    Reflect.get(globalThis, 'document').activeElement.dispatchEvent(event)
  }, list.join('\n'))
  await assertWellMade(page)
  await press(page.getByRole('button', { name: 'Invite 4 users' }))
  await page.getByRole('heading', { name: '3 users are invited' }).waitFor()
  await page.getByText(/^Another user already has the email/).waitFor()
  assert.equal(await page.getByLabel('Email').inputValue(), asha.email)
  await assertWellMade(page)

  const send = page.getByRole('link', { name: 'Send by WhatsApp to Ravi Kumar' })
  const sent = new URL((await send.getAttribute('href'))!)
  assert.equal(sent.href.split('?')[0], 'https://wa.me/919870044321')
  assert.ok(sent.searchParams.get('text')!.includes(`${url}/join/`))
  const invited = await owner`select name, role, team, coalesce(string_agg(line, ' ' order by line), '') as lines
    from users left join phone_lines on user_id = users.id where email like '%@acme.example' group by users.id order by name`
  assert.deepEqual(
    [...invited],
    [
      { name: 'Farhan Sheikh', role: 'Agent', team: null, lines: '317' },
      { name: 'Meera Iyer', role: 'Agent', team: null, lines: '' },
      { name: 'Ravi Kumar', role: 'Manager', team: 'West', lines: '+919870044321' },
    ],
  )
  // A link works for its user.
  const link = await page.locator('pre').first().innerText()
  const joining = await journey.page()
  await joining.goto(link)
  await joining.getByText('Ravi Kumar').first().waitFor()
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))

const focused = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('aria-label')")

test('an unknown phone agent is connected to a user, who then adds an extension', async () => {
  const { owner, acme, asha, bela } = journey
  await owner`insert into phone_lines (account_id, line, written, seen_at, added_at)
    values (${acme.account_id}, '201', '201', now(), now())`
  const page = await journey.pageOf(asha)
  await page.goto('/settings/team')
  const unknown = page.getByRole('region', { name: 'Unknown phone agents' })
  await unknown.getByRole('combobox', { name: 'Connect 201 to' }).click()
  await page.getByRole('option', { name: 'Bela' }).click()
  await press(unknown.getByRole('button', { name: 'Connect' }))
  await unknown.waitFor({ state: 'hidden' })

  const own = await journey.pageOf(bela)
  await own.goto('/profile')
  const lines = own.getByRole('region', { name: 'Phone numbers and extensions' })
  await lines.getByText('201').waitFor()
  await lines.getByRole('combobox').fill('98200 00001')
  await lines.getByText('Press Enter after each one.').waitFor()
  await lines.getByRole('button', { name: 'Save numbers' }).click()
  await own.getByText('Numbers and extensions saved').waitFor()
  await lines.getByText(/^An Admin has to confirm: 98200 00001\./).waitFor()
  await assertWellMade(own)

  await page.goto('/')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await press(attention.getByRole('link', { name: 'Numbers to confirm 1 number or extension that users added' }))
  const pending = page.getByRole('region', { name: 'Numbers to confirm' })
  await pending.getByText('98200 00001').waitFor()
  await assertWellMade(page)
  await press(pending.getByRole('button', { name: 'Confirm 98200 00001 of Bela' }))
  await pending.waitFor({ state: 'hidden' })
  const saved = await owner`select line from phone_lines where user_id = ${bela.id} order by line`
  assert.deepEqual(
    saved.map(({ line }) => line),
    ['+919820000001', '201'],
  )

  const known = page.getByRole('region', { name: 'Phone numbers and extensions' })
  await press(known.getByRole('button', { name: 'Remove 201' }))
  const asked = page.getByRole('dialog', { name: 'Remove 201 of Bela?' })
  await asked.getByText('Calls that count for Bela because of it: 0.').waitFor()
  await press(asked.getByRole('button', { name: 'Remove number' }))
  await page.getByText('201 removed').waitFor()
  assert.equal((await owner`select from phone_lines where line = '201'`).count, 0)
})
