import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setSuspended } from '../../server/access/account/suspension.ts'
import { assertWellMade, startJourney } from '../journey.ts'
import { until } from '../until.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney({ BACKUP_DIR: '/backups', CONTINUOUS_BACKUP: '/backups' })
})
after(() => journey.close())

test('what is typed or chosen is saved at once, and can be undone', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/settings/account')
  const name = page.getByLabel('Company name')
  const country = page.getByRole('combobox', { name: 'Default country' })
  const saved = async () => {
    const { data } = await (await page.request.get('/web/account')).json()
    return [data.name, data.default_country]
  }
  await name.fill(' ')
  await name.press('Enter')
  await page.getByText('Enter a name.').waitFor()
  await name.fill('Other')
  await name.press('Enter')
  await page.getByText('There is already an account named “Other”.').waitFor()
  assert.deepEqual(await saved(), ['Acme', 'IN'])

  await name.fill('Acme Homes')
  await name.blur()
  await page.getByText('Account saved').waitFor()
  await country.focus()
  await page.getByRole('option', { name: 'Afghanistan' }).waitFor()
  await country.pressSequentially('Nepal')
  await page.getByRole('option', { name: 'Afghanistan' }).waitFor({ state: 'detached' })
  await country.press('Enter')
  await until(async () => (await saved())[1] === 'NP')
  await page.getByText('Account saved').nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  assert.deepEqual([await name.inputValue(), await country.inputValue()], ['Acme Homes', 'India (+91)'])
  assert.deepEqual(await saved(), ['Acme Homes', 'IN'])
})

test('a name that is typed stays while another one is saved, and does not replace what another Admin saved', async () => {
  const { asha, owner, acme } = journey
  const page = await journey.pageOf(asha)
  await page.goto('/settings/account')
  const name = page.getByLabel('Company name')
  const first = await name.inputValue()
  const answer = Promise.withResolvers<void>()
  await page.route('/web/account', async (route) => {
    if (route.request().method() === 'PATCH') await answer.promise
    await route.continue()
  })
  await name.fill('Acme Pune')
  await name.press('Enter')
  await name.fill('Acme of Pune')
  answer.resolve()
  await page.getByText('Account saved').waitFor()
  assert.equal(await name.inputValue(), 'Acme of Pune')
  const saved = async () => (await owner`select name from accounts where id = ${acme.account_id}`)[0]!.name
  assert.equal(await saved(), 'Acme Pune')

  await owner`update accounts set name = 'Acme by another' where id = ${acme.account_id}`
  await name.press('Enter')
  await page.getByText(/was changed by someone else since you opened this form/).waitFor()
  assert.equal(await saved(), 'Acme by another')
  await owner`update accounts set name = ${first} where id = ${acme.account_id}`
})

/** Holds the answers to changes in the page: `answerNewest` gives the newest of them, once those to all that were sent are there. */
const holdAnswers = `
  const held = []
  let sent = 0
  const send = window.fetch
  window.fetch = async (path, init) => {
    if (init?.method !== 'PATCH') return send(path, init)
    sent++
    const answer = await send(path, init)
    await new Promise((give) => held.push(give))
    return answer
  }
  let given = 0
  window.answerNewest = () => {
    if (held.length > 0 && held.length === sent - given) held.pop()(given++)
    return given
  }
`

test('of two quick changes the page shows the newer, and both are saved', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.addInitScript(holdAnswers)
  await page.goto('/settings/account')
  const answer = (count: number) => until(async () => (await page.evaluate<number>('answerNewest()')) === count)
  const alert = page.getByRole('combobox', { name: 'Alert if a lead is not called within' })
  for (const minutes of ['30 minutes', '2 hours']) {
    await alert.click()
    await page.getByRole('option', { name: minutes, exact: true }).click()
  }
  const days = page.getByRole('group', { name: 'Working days' })
  await answer(2)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.equal(await alert.inputValue(), '2 hours')
  for (const day of ['Mon', 'Tue']) await days.getByText(day).click()
  await answer(4)
  const { data } = await (await page.request.get('/web/account')).json()
  assert.equal(data.alert_after, 120)
  assert.ok(!data.work_days.includes(1) && !data.work_days.includes(2), data.work_days)
})

test('Admins see when the server was backed up, and that a backup failed', async () => {
  const page = await journey.pageOf(journey.asha)
  const at = new Date(Date.now() - 3 * 3_600_000)
  await journey.owner`insert into backup_runs ${journey.owner({ id: randomUUID(), started_at: at, finished_at: at, file: 'a' })}`
  await page.goto('/settings/account')
  await page.getByText(/^Last backup: .* · 3 h ago$/).waitFor()
  const failed = {
    id: randomUUID(),
    started_at: new Date(),
    finished_at: new Date(),
    file: 'b',
    error: 'The disk is full.',
  }
  await journey.owner`insert into backup_runs ${journey.owner(failed)}`
  await page.goto('/overview')
  await page.getByRole('link', { name: 'Daily backup failed, the last good one was 3 h ago' }).click()
  await page.getByText('The daily backup failed. Ask the operator of the server: its log says why.').waitFor()
})

test('Admins see that each change is saved, and that a restore drill failed', async () => {
  const page = await journey.pageOf(journey.asha)
  const at = new Date(Date.now() - 3 * 3_600_000)
  const state = {
    target: '/backups',
    history: 'one',
    base_at: at,
    saved_at: new Date(),
    drill_at: at,
    drill_restored_to: at,
  }
  await journey.owner`insert into continuous_backup ${journey.owner(state)}`
  await page.goto('/settings/account')
  await page.getByText('Each change is saved at another place within seconds.').waitFor()
  await page.getByText(/^Last restore drill passed: .* · 3 h ago$/).waitFor()

  await journey.owner`update continuous_backup set drill_error = 'base/1 is damaged'`
  await page.goto('/overview')
  await page.getByRole('link', { name: 'Continuous backup the last restore drill failed' }).click()
  await page.getByText('The last restore drill failed. Ask the operator of the server: its log says why.').waitFor()

  await journey.owner`update continuous_backup set error = 'The bucket is full.'`
  await page.goto('/overview')
  await page.getByRole('link', { name: 'Continuous backup failed, changes are not saved' }).click()
  await page.getByText('Changes are not saved. Ask the operator of the server: its log says why.').waitFor()
})

test('users of a suspended account read why they cannot go on, and go on when it is resumed', async () => {
  const { asha, acme, database, complaints } = journey
  const page = await journey.pageOf(asha)
  await setSuspended(database, acme.account_id, true)
  await page.goto('/leads')
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'Account suspended' }).waitFor()
  await main.getByText(/^This account is suspended\. Its data is kept/).waitFor()
  // Before the page is drawn, a cover is over it.
  assert.equal(await page.locator('#waiting').isVisible(), false)
  await assertWellMade(page)
  // The router logs the error that it shows.
  for (const one of complaints.splice(0)) assert.match(one, /This account is suspended\./)

  await setSuspended(database, acme.account_id, false)
  await page.reload()
  await main.getByRole('heading', { name: 'Leads' }).waitFor()
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
