import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { press, startJourney } from '../journey.ts'
import { readTable } from '../read-sheets.ts'
import { workbookOfSheets } from '../workbook.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
  await journey.asha.send('POST', '/api/v1/leads', { name: 'Ravi Kumar', phone: '9810044321', source: 'IVR' })
})
after(() => journey.close())

const file = [
  'Customer name,Mobile no.,Town,Remarks',
  'Ravi K,98100 44321,Pune,merges',
  '=HYPERLINK("x"),98200 11223,Nagpur,a formula',
  '=1+1,12,Surat,rejected',
  '',
].join('\r\n')

test('a file is previewed and imported, and its rejected rows can be downloaded', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads')
  await press(page.getByRole('link', { name: 'Import' }))
  await page
    .getByLabel('CSV or Excel file')
    .setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByLabel('Field for Mobile no.').waitFor()
  assert.equal(await page.getByLabel('Field for Mobile no.').inputValue(), 'phone')
  await page
    .getByRole('listitem')
    .filter({ hasText: /^1 ?rejected$/ })
    .waitFor()
  const total = async () => (await journey.asha.send('GET', '/api/v1/leads')).body.pagination.total
  assert.equal(await total(), 1, 'a dry run changes nothing')

  await press(page.getByRole('button', { name: 'Import 2 of 3 rows' }))
  await page.getByText('All 3 rows of leads.csv were read.').waitFor()
  assert.equal(await total(), 2)
  const saved = page.waitForEvent('download')
  await press(page.getByRole('button', { name: 'Download rejected rows' }))
  const rejected = readFileSync(await (await saved).path(), 'utf8')
  assert.match(rejected, /'=1\+1/, 'no cell of it is a formula')
  assert.doesNotMatch(rejected, /Ravi/)

  await press(page.getByRole('link', { name: 'View leads' }))
  await page.getByRole('link', { name: 'Ravi Kumar' }).waitFor()
  assert.match(page.url(), /import=/)
})

test('a status that is not known is chosen once for all its rows, and warnings are a file by kind', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads/import')
  const lines = ['Name,Phone,Stage,Rating', 'Uma,9870000711,RNR,A1', 'Om,9870000712,rnr,High', '']
  const buffer = Buffer.from(lines.join('\n'))
  await page.getByLabel('CSV or Excel file').setInputFiles({ name: 'stages.csv', mimeType: 'text/csv', buffer })
  await page.getByText('Status not known · 2 rows').waitFor()
  await page.getByLabel('Meaning of RNR').selectOption('Contacted')
  await page.getByText('Status not known').waitFor({ state: 'detached' })
  const saved = page.waitForEvent('download')
  await press(page.getByRole('button', { name: 'Download rows: Priority not known' }))
  assert.match(readFileSync(await (await saved).path(), 'utf8'), /Import warning\r\nUma,9870000711,RNR,A1,/)
  await press(page.getByRole('button', { name: 'Import 2 rows' }))
  await page.getByText('All 2 rows of stages.csv were read.').waitFor()
  await page.getByText('Priority not known · 1 row').last().waitFor()
  const { body } = await journey.asha.send('GET', '/api/v1/leads?status=Contacted')
  assert.equal(body.data.filter(({ phone }: { phone: string }) => phone.startsWith('987000071')).length, 2)
})

test('the preview says which columns are answers and which are left out, and the user decides', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads/import')
  const lines = ['Name,Phone,Property type,Campaign,Tower,Record ID', 'Om,9870000701,3 BHK,Diwali,X-1,4711', '']
  const buffer = Buffer.from(lines.join('\n'))
  await page.getByLabel('CSV or Excel file').setInputFiles({ name: 'own.csv', mimeType: 'text/csv', buffer })
  const chosen = (column: string) => page.getByLabel(`Field for ${column}`).locator('option:checked').textContent()
  await page.getByLabel('Field for Tower').waitFor()
  assert.deepEqual(await Promise.all(['Property type', 'Campaign', 'Tower', 'Record ID'].map(chosen)), [
    'Answer',
    'Origin · Campaign',
    'Answer',
    'Leave out',
  ])
  await page.getByLabel('Field for Tower').selectOption('Leave out')
  await press(page.getByRole('button', { name: 'Import 1 row' }))
  await page.getByText('All 1 row of own.csv were read.').waitFor()
  const [enquiry] =
    await journey.owner`select origin, answers from enquiries join leads on leads.id = lead_id where name = 'Om'`
  assert.deepEqual(enquiry, {
    origin: { campaign: 'Diwali' },
    answers: [{ question: 'Property type', answer: '3 BHK' }],
  })
})

test('the sheet and the row with the column names can be chosen in the preview', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads/import')
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('CSV or Excel file').setInputFiles({ name, mimeType: 'text/csv', buffer })
  const guide = [['How to use this file'], ['Write a row for each lead'], ['Keep the column names']]
  const july = [['Leads of July'], ['Name', 'Phone'], ['Sheela', '98700 00801']]
  const august = [
    ['Name', 'Phone'],
    ['Tara', '98700 00802'],
    ['Uma', '98700 00803'],
  ]
  await choose('book.xlsx', workbookOfSheets({ 'Read me': guide, July: july, August: august }))
  await page.getByText('Only the sheet “July” is imported. Not imported: Read me, August.').waitFor()
  await page.getByText('Row 2 has the column names.').waitFor()
  await page.getByLabel('Sheet').selectOption('August')
  await press(page.getByRole('button', { name: 'Import 2 rows' }))
  await page.getByText('All 2 rows of book.xlsx were read.').waitFor()

  await press(page.getByRole('button', { name: 'Import another file' }))
  await choose('people.csv', Buffer.from('Sheela,9870000801\nVani,9870000804\n'))
  await page.getByText('The first row looks like a person').waitFor()
  await page.getByRole('button', { name: 'Import 2 rows' }).waitFor()
  await page.getByLabel('Column names').selectOption('Row 1: Sheela · 9870000801')
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
})

test('the preview of an interrupted import says how many rows are imported already', async () => {
  const { owner } = journey
  await owner.unsafe(`create function fail() returns trigger language plpgsql as $$ begin
      raise exception 'disk full' using errcode = '53100'; end $$`)
  await owner.unsafe(
    `create trigger fail before insert on leads for each row when (new.name = 'Last') execute function fail()`,
  )
  const names = [...Array.from({ length: 100 }, (_, n) => `Person ${n}`), 'Last']
  const rows = names.map((name, n) => `${name},${9_870_000_000 + n}`)
  const people = {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Name,Phone', ...rows, ''].join('\n')),
  }
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads/import')
  const choose = () => page.getByLabel('CSV or Excel file').setInputFiles(people)
  await choose()
  await press(page.getByRole('button', { name: 'Import 101 rows' }))
  await page.getByRole('heading', { name: 'The import ended early' }).waitFor()
  await owner`drop trigger fail on leads`
  await press(page.getByRole('button', { name: 'Import another file' }))
  await choose()
  await page
    .getByRole('listitem')
    .filter({ hasText: /^100 ?already imported$/ })
    .waitFor()
  await press(page.getByRole('button', { name: 'Import 1 of 101 rows' }))
  await page.getByText('All 101 rows of people.csv were read.').waitFor()
})

test('the export contains the filtered leads, and no cell is a formula', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads?search=982')
  const file = async (name: string) => {
    const saved = page.waitForEvent('download')
    await press(page.getByRole('button', { name: 'Export' }))
    await press(page.getByRole('menuitem', { name }))
    return readFileSync(await (await saved).path())
  }
  const text = (await file('All columns, CSV')).toString()
  assert.match(text, /98200\s?11223/)
  assert.doesNotMatch(text, /9810044321/)
  assert.match(text, /'=HYPERLINK/)
  assert.doesNotMatch(text, /(^|[,"\n])=HYPERLINK/)

  await page.goto('/leads?search=982&sort=name&columns=phone&columns=deal_value')
  await page.getByRole('columnheader', { name: 'Deal value' }).waitFor()
  const rows = await readTable(await file('Columns of the list, Excel (XLSX)'))
  assert.deepEqual(Object.keys(rows[0]!), ['Name', 'Phone', 'Status', 'Deal value'])
  assert.deepEqual(
    rows.map(({ Name }) => Name),
    await page.locator('[data-row] a[href^="/leads/"]').allInnerTexts(),
  )
})

test('the list of imports has their rejected rows, and undoes an import', async () => {
  const page = await journey.pageOf(journey.asha)
  await page.goto('/leads/import')
  const entry = page.getByRole('list', { name: 'Imports' }).getByRole('listitem').filter({ hasText: 'leads.csv' })
  await entry.getByText('3 rows: 1 lead created, 1 row merged, 1 rejected').waitFor()
  await entry.getByRole('link', { name: 'Download rejected rows' }).waitFor()
  await press(entry.getByRole('button', { name: 'Undo import' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It created 1 lead.').waitFor()
  await press(dialog.getByRole('button', { name: 'Undo import' }))
  await entry.getByText('Undone by Asha: 1 lead deleted, 1 lead restored').waitFor()
  const left = await journey.owner`select from leads where name like '=HYPERLINK%'`
  assert.equal(left.length, 0)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
