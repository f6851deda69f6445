import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { workbookOfSheets } from '#test/workbook.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const admin = await signedIn(app, asha)

const send = (file: string | Uint8Array, query = '') =>
  admin.send('POST', `/web/leads/import${query}`, file, { 'content-type': 'text/csv' })

async function previewOf(file: string | Uint8Array, query = '') {
  const { status, body } = await send(file, `?dry_run=true${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  const { data } = body
  const columns = data.columns.map(({ name, field }: { name: string; field: string }) => `${name}: ${field}`)
  return { ...data, columns: columns.join(', '), lead: data.first_rows[0].lead }
}

const people3 = ['Asha,9820000001,Pune', 'Bela,9820000002,Nagpur', 'Chand,9820000003,Surat']
const lines = (...rows: string[]) => `${rows.join('\n')}\n`
const unnamed = 'Column 1: answer, Column 2: phone, Column 3: city'
const named = 'Name: name, Phone: phone, City: city'

test('the row with the column names is found, and can be chosen', async () => {
  for (const [what, file, query, header, rows, columns, reason] of [
    ['first row', lines('Name,Phone,City', ...people3), '', 1, 3, named, null],
    ['none', lines(...people3), '', 0, 3, unnamed, /^The first row looks like a person/],
    ['titles', lines('Leads', 'On,2026-07-01', '', 'Name,Phone,City', ...people3), '', 4, 3, named, /^Row 4 has/],
    ['contact of a company', lines('Acme,sales@acme.in', 'Name,Phone,City', ...people3), '', 2, 3, named, /^Row 2 has/],
    ['unknown names', lines('Report', 'नाम,मोबाइल,x', ...people3), '', 2, 3, undefined, /^Row 2 has/],
    ['unknown names first', lines('नाम,मोबाइल,x', 'Only a name', ...people3), '', 1, 4, undefined, null],
    ['a lead without contact', lines('Name,Phone,City', 'Zoya,,Pune', ...people3), '', 1, 4, named, null],
    ['chosen: none', lines('Name,Phone,City', ...people3), '&header=0', 0, 4, unnamed, null],
    ['chosen: first', lines(...people3), '&header=1', 1, 2, 'Asha: answer, 9820000001: phone, Pune: city', null],
    ['chosen: later', lines('x', 'Name,Phone,City', ...people3), '&header=2', 2, 3, named, null],
  ] as const) {
    const preview = await previewOf(file, query)
    assert.deepEqual([preview.header, preview.rows], [header, rows], what)
    if (columns) assert.equal(preview.columns, columns, what)
    if (reason === null) assert.equal(preview.header_reason, null, what)
    else assert.match(preview.header_reason, reason, what)
  }
})

test('sheets are named, the first with leads is read, and another can be chosen', async () => {
  const table = [['Name', 'Phone'], ...people3.map((row) => row.split(',').slice(0, 2))]
  const guide = [
    ['How to use this file'],
    ['Write a row for each lead'],
    ['Questions: help@example.com'],
    ['Good luck'],
  ]
  const later = [table[0]!, ['Zoya', '9820000009']]
  for (const [what, sheets, query, sheet, first] of [
    ['one', { Leads: table }, '', 'Leads', 'Asha'],
    ['instructions first', { 'Read me': guide, July: table, August: later }, '', 'July', 'Asha'],
    ['chosen', { 'Read me': guide, July: table, August: later }, '&sheet=August', 'August', 'Zoya'],
    ['empty first', { Empty: [], July: table }, '', 'July', 'Asha'],
  ] as const) {
    const preview = await previewOf(workbookOfSheets(sheets as unknown as Record<string, string[][]>), query)
    assert.deepEqual([preview.sheets, preview.sheet], [Object.keys(sheets), sheet], what)
    assert.equal(preview.lead.name, first, what)
  }
  const wide = await previewOf(workbookOfSheets({ Leads: [...table, ['Zoya', '9820000009', 'beyond']] }))
  assert.equal(wide.columns, 'Name: name, Phone: phone, Column 3: answer')
})

test('separators, texts as formulas and pages as workbooks', async () => {
  for (const [what, file, lead] of [
    ['declared', 'sep=;\nName;Phone;City\nA;9820000001;Pune, west\n', { name: 'A', city: 'Pune, west' }],
    [
      'declared after a mark',
      '\ufeffsep=\t\r\nName\tPhone\tCity\r\nA\t9820000001\tx;y;z\r\n',
      { name: 'A', city: 'x;y;z' },
    ],
    ['pipes', 'Name|Phone|City\nA|9820000001|Pune, west\n', { name: 'A', city: 'Pune, west' }],
    ['below a title', 'Leads, of July\nName;Phone;City\nA;9820000001;Pune\n', { name: 'A', city: 'Pune' }],
    ['formulas', '="Name",="Phone"\n="0012",="09820000001"\n', { name: '0012', phone: '09820000001' }],
    ['formulas in quotes', 'Name,Phone\n"=""A ""B"", c""",9820000001\n', { name: 'A "B", c' }],
  ] as const) {
    const preview = await previewOf(file)
    for (const [field, value] of Object.entries(lead)) assert.equal(preview.lead[field], value, `${what}: ${field}`)
    assert.equal(preview.rows, 1, what)
  }
  for (const page of [
    '<html><table>',
    '\ufeff\n<!DOCTYPE html>',
    '<?xml version="1.0"?><Workbook>',
    '<TABLE border=1>',
  ]) {
    const { status, body } = await send(page)
    assert.equal(status, 400)
    assert.match(body.error.message, /^The file is a web page or XML/)
  }
})

test('a row with too many values is rejected with all of them, or joined with a warning', async () => {
  const rows = ['A,9820000001,3 BHK,corner,Pune', 'B,9820000002,x,Pune,', 'C,9820000003,x,Pune']
  const preview = await previewOf(lines('Name,Phone,Notes,City', ...rows))
  assert.deepEqual([preview.created, preview.rejected], [1, 2])
  const [first] = preview.rejected_rows
  assert.match(first.reason, /^It has 5 values, but the file has 4 columns/)
  assert.deepEqual(first.cells, rows[0]!.split(','))
  const joined = await previewOf(lines('Name,Phone,Notes', 'A,9820000001,3 BHK,corner'))
  assert.deepEqual(joined.lead.notes, '3 BHK,corner')
  assert.equal(joined.warnings[0].examples[0].text, '“3 BHK,corner” is read as one value of Notes')
  const padded = await previewOf(lines('Name,Phone,City', ...[...people3, ...people3].map((row) => `${row},`)))
  assert.equal(padded.rejected, 0, 'each row ends with a separator')
})

test('a sheet or a row that the file has not is rejected, and nothing is imported', async () => {
  const before = await world(app.owner)
  const book = workbookOfSheets({
    July: [
      ['Name', 'Phone'],
      ['Asha', '9820000001'],
    ],
  })
  for (const [file, query, field] of [
    [book, '?sheet=August', 'sheet'],
    [lines(...people3), '?sheet=July', 'sheet'],
    [lines(...people3), '?header=4', 'header'],
    [lines(...people3), '?header=x', 'header'],
  ] as const) {
    const { status, body } = await send(file, query)
    assert.deepEqual([status, body.error?.field], [400, field], query)
  }
  assert.deepEqual(await world(app.owner), before)
})

test('an import uses the chosen row', async () => {
  const { status, body } = await send(lines(...people3), '?header=0')
  assert.equal(status, 200)
  assert.match(String(body), /"created":3/)
})
