import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { assertWellMade, phone, press, startJourney } from '../journey.ts'
import { until } from '../until.ts'

const silence = wav(8000)

/** Samples of 8 bits, 8,000 a second. */
function wav(samples: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, samples],
  ] as const)
    head.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at)
  head.write('data', 36)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}

let journey: Awaited<ReturnType<typeof startJourney>>
let recording: string
let ravi: string
/** A second of silence as a telephone system serves it. */
const recordings = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'audio/wav' }).end(silence),
)
before(async () => {
  await new Promise<void>((resolve) => recordings.listen(0, '127.0.0.1', resolve))
  recording = `http://127.0.0.1:${(recordings.address() as AddressInfo).port}/1`
  journey = await startJourney()
  const { asha, bela, chand, owner } = journey
  const log = async (lead_id: string, called_by: string | null, agent: string | null, outcome: string) => {
    const call = { lead_id, call_type: 'Outbound', duration_seconds: outcome === 'Completed' ? 75 : 0, outcome }
    const { id } = (await asha.send('POST', '/api/v1/call-logs', call)).body.data
    await owner`update call_logs set called_by = ${called_by}, agent = ${agent},
      recording_url = ${outcome === 'Completed' ? recording : null} where id = ${id}`
  }
  const lead = async (name: string, phone: string) =>
    (await asha.send('POST', '/api/v1/leads', { name, phone, assigned_to: bela.email })).body.data.id
  ravi = await lead('Ravi Kumar', '9810044321')
  await log(ravi, chand.id, null, 'Completed')
  await log(ravi, null, 'Desk 2', 'Busy')
  await log(await lead('Sunita Devi', '9810055555'), bela.id, null, 'No Answer')
})
after(async () => {
  await journey.close()
  recordings.close()
})

test('calls are searched by lead, filtered by who called, summed, exported, and their recordings play in the list', async () => {
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

  const play = page.getByRole('button', { name: 'Play recording of the outbound call with Ravi Kumar' })
  await press(play)
  const audio = page.getByLabel('Recording', { exact: true })
  await until(
    () => audio.evaluate((player: object) => 'ended' in player && player.ended === true),
    'the end of the recording',
  )
  const inTab = page.getByRole('link', { name: 'Open in another tab' })
  assert.deepEqual(
    [await inTab.getAttribute('target'), await inTab.getAttribute('rel')],
    ['_blank', 'noopener noreferrer'],
  )
  await assertWellMade(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await audio.waitFor({ state: 'detached' })

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

test('an Admin finds the longest calls and reviews one, and who called reads it', async () => {
  const { asha, chand, bela } = journey
  const page = await journey.pageOf(asha)
  await page.goto('/calls')
  await page.getByRole('button', { name: 'Duration' }).click()
  await page.waitForURL('**/calls?sort=longest')
  const rows = page.locator('[data-row]')
  await rows.first().getByText('1:15').waitFor()
  await page.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('combobox', { name: 'Duration' }).click()
  await page.getByRole('option', { name: 'At least 1 minute' }).click()
  await page.getByRole('button', { name: 'Show results' }).click()
  await until(async () => (await rows.count()) === 1, 'one row')
  await page.getByRole('button', { name: 'Actions for the outbound call with Ravi Kumar' }).click()
  await page.getByRole('menuitem', { name: 'Review call' }).click()
  const dialog = page.getByRole('dialog', { name: /^Review of the call on/ })
  await dialog.getByRole('button', { name: 'Save review' }).click()
  await dialog.getByText('Choose a mark').waitFor()
  await dialog.getByRole('radio', { name: 'To improve' }).check()
  await dialog.getByLabel('Remark').fill('Ask for the budget first.')
  await assertWellMade(page)
  await dialog.getByRole('button', { name: 'Save review' }).click()
  await rows.getByText('Ask for the budget first.').waitFor()
  await page.goto('/calls?review=good')
  await page.getByText('No matches').waitFor()
  await page.goto('/calls?review=to_improve')
  await rows.getByText('To improve').waitFor()
  await assertWellMade(page)

  // The lead is Bela's, and the review is for Chand, who called.
  const others = await journey.pageOf(bela)
  await others.goto(`/leads/${ravi}`)
  await others.getByText('Called by Chand').waitFor()
  assert.equal(await others.getByText('Ask for the budget first.').count(), 0)
  await journey.owner`update leads set assigned_to = ${chand.id} where id = ${ravi}`
  await journey.owner`update call_logs set assigned_to = ${chand.id} where lead_id = ${ravi}`
  const callers = await journey.pageOf(chand, { viewport: phone })
  await callers.goto('/calls')
  await callers.getByText('To improve').waitFor()
  await callers.getByRole('button', { name: 'Actions for the outbound call with Ravi Kumar' }).first().click()
  await callers.getByRole('menuitem', { name: 'Read review' }).click()
  await callers
    .getByRole('dialog')
    .getByText(/^Reviewed by Asha/)
    .waitFor()
  await assertWellMade(callers)
  await callers.goto(`/leads/${ravi}`)
  await callers.getByText('Ask for the budget first.').waitFor()
  await journey.owner`update leads set assigned_to = ${bela.id} where id = ${ravi}`
  await journey.owner`update call_logs set assigned_to = ${bela.id} where lead_id = ${ravi}`
})

test('a lead that was opened from the list of calls closes to that list', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/calls?sort=longest&outcome=Completed')
  const lead = page.getByRole('region', { name: 'Open lead' })
  for (const close of [() => page.keyboard.press('Escape'), () => press(lead.getByRole('link', { name: 'Close' }))]) {
    await page.getByRole('link', { name: 'Ravi Kumar' }).click()
    await lead.getByRole('heading', { name: 'Ravi Kumar' }).waitFor()
    await close()
    await page.waitForURL('**/calls?sort=longest&outcome=Completed')
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor()
  }
  // Another lead was opened from the list of leads.
  await page.getByRole('link', { name: 'Ravi Kumar' }).click()
  await page.getByRole('link', { name: 'Sunita Devi' }).click()
  await lead.getByRole('heading', { name: 'Sunita Devi' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/leads')
})

test('on a phone, calls and the page of their lead say who called', async () => {
  const page = await journey.pageOf(journey.bela, { viewport: phone })
  await page.goto('/calls?search=kumar')
  await page.getByRole('list', { name: 'Calls', exact: true }).getByText('Desk 2').waitFor()
  await assertWellMade(page)
  await page.goto(`/leads/${ravi}`)
  await page.getByText('Called by Desk 2').waitFor()
  await page.getByText('Called by Chand').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Play recording' }).count(), 1)
  assert.deepEqual(journey.complaints, [])
})
