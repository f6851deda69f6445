import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { assertWellMade, phone, startJourney } from '../journey.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let ravi: string
before(async () => {
  journey = await startJourney()
  const { asha, bela, chand, owner } = journey
  const log = async (lead_id: string, called_by: string | null, agent: string | null, outcome: string) => {
    const call = { lead_id, call_type: 'Outbound', duration_seconds: outcome === 'Completed' ? 75 : 0, outcome }
    const { id } = (await asha.send('POST', '/api/v1/call-logs', call)).body.data
    await owner`update call_logs set called_by = ${called_by}, agent = ${agent},
      recording_url = ${outcome === 'Completed' ? 'https://recordings.example.com/1' : null} where id = ${id}`
  }
  const lead = async (name: string, phone: string) =>
    (await asha.send('POST', '/api/v1/leads', { name, phone, assigned_to: bela.email })).body.data.id
  ravi = await lead('Ravi Kumar', '9810044321')
  await log(ravi, chand.id, null, 'Completed')
  await log(ravi, null, 'Desk 2', 'Busy')
  await log(await lead('Sunita Devi', '9810055555'), bela.id, null, 'No Answer')
})
after(() => journey.close())

test('calls are searched by lead, filtered by who called, summed, exported, and their recordings open in another tab', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/calls')
  const totals = page.getByRole('list', { name: 'Totals' })
  await totals.getByText('1:15').waitFor()
  assert.equal(
    await totals.innerText().then((text) => text.replace(/\s+/g, ' ')),
    'Calls 3 Connected 1 Talk time 1:15 Missed 0 Not called back 0',
  )
  await page.getByLabel('Name, phone, company, tag…').fill('kumar')
  await page.getByText('Sunita Devi').waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: 'Desk 2' }).waitFor()
  await page.getByRole('combobox', { name: 'Called by' }).click()
  await page.getByRole('option', { name: 'Chand' }).click()
  await page.getByRole('cell', { name: 'Desk 2' }).waitFor({ state: 'detached' })
  assert.match(page.url(), /search=kumar.*called_by=chand/)
  assert.equal(await page.locator('[data-row]').count(), 1)
  await totals
    .locator('li')
    .filter({ hasText: /^Calls1$/ })
    .waitFor()

  const recording = page.getByRole('link', { name: 'Play recording of the outbound call with Ravi Kumar' })
  assert.equal(await recording.getAttribute('target'), '_blank')
  assert.equal(await recording.getAttribute('rel'), 'noopener noreferrer')
  const answer = await page.request.get((await recording.getAttribute('href'))!, { maxRedirects: 0 })
  assert.deepEqual([answer.status(), answer.headers().location], [302, 'https://recordings.example.com/1'])

  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  assert.equal(
    readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n').length,
    2,
  )
  await assertWellMade(page)
})

test('on a phone, calls and the page of their lead say who called', async () => {
  const page = await journey.pageOf(journey.bela, { viewport: phone })
  await page.goto('/calls?search=kumar')
  await page.getByRole('list', { name: 'Calls', exact: true }).getByText('Desk 2').waitFor()
  await assertWellMade(page)
  await page.goto(`/leads/${ravi}`)
  await page.getByText('Called by Desk 2').waitFor()
  await page.getByText('Called by Chand').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Play recording' }).count(), 1)
  assert.deepEqual(journey.complaints, [])
})
