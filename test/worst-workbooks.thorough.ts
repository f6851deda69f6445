import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from './app.ts'
import { people, signedIn } from './people.ts'
import { workbookOfXml } from './workbook.ts'

const app = await testApp()
after(app.close)
const admin = await signedIn(app, (await people(app)).asha)

const start = '<worksheet><sheetData><row r="1"><c t="str"><v>Phone</v></c><c t="str"><v>Notes</v></c></row>'
const end = '</sheetData></worksheet>'
const rowsOf = (row: string, times: number, text: string) =>
  workbookOfXml({ start, part: row.repeat(100), times, end }, `<sst><si><t>${text}</t></si></sst>`)
const row = (phone: string) => `<row><c><v>${phone}</v></c><c t="s"><v>0</v></c></row>`
const million = 10_400

const cases: [name: string, query: string, workbookOf: () => Buffer, says: RegExp][] = [
  [
    'a text of 100,000 in each row',
    '?dry_run=true',
    () => rowsOf(row('9820000001'), million, 'a b '.repeat(25_000)),
    /"INVALID_PARAM".*300,000,000/,
  ],
  [
    '4 GiB of empty rows',
    '?dry_run=true',
    () => workbookOfXml({ start: start + row('9820000001'), part: '<row/>'.repeat(10_000), times: 71_000, end }),
    /too complex/,
  ],
  [
    'as many rejected rows as there may be',
    '',
    () => rowsOf(row('12'), million, 'a b '.repeat(68)),
    /"type":"done","read":1040000,.*"rejected":1040000/,
  ],
]

for (const [name, query, workbookOf, says] of cases) {
  test(`the worst workbooks end within their budget: ${name}`, async (t) => {
    const file = workbookOf()
    const [main, all] = [process.threadCpuUsage(), process.cpuUsage()]
    const { body } = await admin.send('POST', `/web/leads/import${query}`, file, { 'content-type': 'text/csv' })
    const seconds = ({ user, system }: { user: number; system: number }) => (user + system) / 1e6
    const [ofMain, ofAll] = [seconds(process.threadCpuUsage(main)), seconds(process.cpuUsage(all))]
    t.diagnostic(`${file.length} bytes: ${ofMain} s of the main thread, ${ofAll} s of all`)
    const text = typeof body === 'string' ? body.slice(-1000) : JSON.stringify(body)
    assert.match(text, says)
    // Two minutes, three seconds for each MiB, and the other threads.
    assert.ok(ofAll < 200, `${ofAll} s`)
  })
}
