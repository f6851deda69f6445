import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { someOf } from '#test/budget.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { workbookOfXml } from '#test/workbook.ts'

const app = await testApp()
after(app.close)
const admin = await signedIn(app, (await people(app)).asha)

const start = '<worksheet><sheetData><row r="1"><c t="str"><v>Phone</v></c></row><row r="2"><c t="str"><v>'
const end = '</v></c></row></sheetData></worksheet>'
const much = 20 * 1024 ** 2
const many = 'a'.repeat(much)
const complex = /^The workbook is too complex/

const cases: [name: string, workbookOf: () => Buffer, message: RegExp][] = [
  ['elements that are nested deeply', () => workbookOfXml(start + '<a>'.repeat(1_000_000)), complex],
  ['a text without an end', () => workbookOfXml(start + many), complex],
  ['a comment without an end', () => workbookOfXml(`${start}<!--${many}`), complex],
  ['an attribute without an end', () => workbookOfXml(`${start}<a b="${many}`), complex],
  ['a tag with a million attributes', () => workbookOfXml(`${start}<a ${'bcdefghij="1" '.repeat(1_000_000)}`), complex],
  ['only spaces', () => workbookOfXml(start + ' '.repeat(much)), complex],
  [
    'one cell with many values',
    () => workbookOfXml(start + 'a</v><v>'.repeat(1_000_000) + end),
    /^Row 2 is longer than 256 KB/,
  ],
  [
    'too many cells',
    () => workbookOfXml(`${start}1</v></c>${'<c><v>1</v></c>'.repeat(1_000_000)}`),
    /^Row 2 has a cell beyond/,
  ],
  [
    'one cell many times',
    () => workbookOfXml(start + `</v></c><c r="A2"><v>1`.repeat(1_000_000) + end),
    /^Row 2 is longer/,
  ],
  [
    'more than 256 MiB of shared texts',
    () => workbookOfXml(start + end, ' '.repeat(257 * 1024 ** 2)),
    /^The workbook is too large/,
  ],
  [
    'one long shared text',
    () => workbookOfXml(start + end, `<sst><si>${'<t>abcd</t>'.repeat(1_000_000)}</si></sst>`),
    complex,
  ],
  [
    'a long shared text in many rows',
    () =>
      workbookOfXml(
        start + end.replace('</sheetData>', `${'<row><c t="s"><v>0</v></c></row>'.repeat(3001)}</sheetData>`),
        `<sst><si><t>${'a b '.repeat(25_000)}</t></si></sst>`,
      ),
    /^The cells have more than 300,000,000 characters/,
  ],
  ['entities', () => workbookOfXml(`<!DOCTYPE a [<!ENTITY b "c">]>${start}&b;${end}`), /^The workbook is damaged/],
  ['a sheet that ends half-way', () => workbookOfXml(`${start}9820000001</v></c></row>`), /^The workbook is damaged/],
]

for (const [name, workbookOf, message] of someOf(cases, 0)) {
  test(`a workbook is rejected before it takes much memory: ${name}`, async () => {
    const before = await world(app.owner)
    const { status, body } = await admin.send('POST', '/web/leads/import', workbookOf(), { 'content-type': 'text/csv' })
    assert.deepEqual([status, body.error.code], [400, 'INVALID_PARAM'], JSON.stringify(body))
    assert.match(body.error.message, message)
    assert.deepEqual(await world(app.owner), before)
  })
}
