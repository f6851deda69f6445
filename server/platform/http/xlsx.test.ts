import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { readSheets } from '#test/read-sheets.ts'
import type { Table, TableColumn } from './table.ts'
import { sheetLimits, xlsxOf } from './xlsx.ts'

interface Row {
  text?: string
  phone?: string
  number?: number
  money?: number
  time?: Date
}

const columns: TableColumn<Row>[] = [
  { header: 'Name', kind: 'text', cell: ({ text = null }) => text },
  { header: 'Phone', kind: 'phone', cell: ({ phone = null }) => phone },
  { header: 'Attempts', kind: 'number', cell: ({ number = null }) => number },
  { header: 'Deal value', kind: 'money', cell: ({ money = null }) => money },
  { header: 'Created (IST)', kind: 'time', cell: ({ time = null }) => time },
]

const sheetsOf = async (rows: Table<Row>['rows'], limits?: Partial<typeof sheetLimits>) =>
  readSheets(await buffer(xlsxOf({ name: 'Leads', columns, rows }, { ...sheetLimits, ...limits })))
const firstRow = async (row: Row) => (await sheetsOf([[row]])).Leads![1]!

test('numbers and times are numbers with a format, and phones and formulas are texts', async () => {
  const row = await firstRow({
    text: '=HYPERLINK("https://evil.example")',
    phone: '+91 98200 00001',
    number: 3,
    money: 1_25_000.5,
    time: new Date('2026-11-21T05:00:30Z'),
  })
  const { A, B, C, D, E } = row
  assert.deepEqual(A, { type: 'inlineStr', format: '49', value: '=HYPERLINK("https://evil.example")' })
  assert.deepEqual(B, { type: 'inlineStr', format: '49', value: '+91 98200 00001' })
  assert.deepEqual(C, { type: 'n', format: '0', value: '3' })
  assert.deepEqual([D!.type, D!.value], ['n', '125000.5'])
  assert.deepEqual([E!.type, E!.format], ['n', String.raw`dd\ mmm\ yyyy\ hh:mm`])
  // Days since 30 December 1899, at the time of day in India.
  const inIndia = new Date(Date.UTC(1899, 11, 30) + Math.round(Number(E!.value) * 86_400) * 1000)
  assert.equal(inIndia.toISOString(), '2026-11-21T10:30:30.000Z')
})

test('every text comes back, and one that Excel cannot hold is shortened', async () => {
  for (const text of [
    'a & b <c> "d"',
    ' x ',
    'l\nm',
    'क्ष 🏠',
    'tab\tx',
    'cr\rx',
    'bell\u0007',
    '_x0041_',
    '_x_',
    '\ufffe',
  ])
    assert.equal((await firstRow({ text })).A!.value, text, JSON.stringify(text))
  assert.equal((await firstRow({ text: '' })).A, undefined)
  const long = '🏠'.repeat(20_000)
  const { value, format } = (await firstRow({ text: long })).A!
  assert.deepEqual([value.length, value.at(-1), format], [32_767, '…', '0'])
})

test('a time that Excel does not know is a text', async () => {
  const cell = async (time: string) => (await firstRow({ time: new Date(time) })).E!
  assert.deepEqual(await cell('1899-12-31T00:00:00Z'), {
    type: 'inlineStr',
    format: '49',
    value: '1899-12-31 05:30:00',
  })
  assert.equal((await cell('1900-03-01T00:00:00Z')).type, 'n')
  assert.equal((await cell('9999-12-31T18:29:59Z')).type, 'n')
})

test('rows that a sheet cannot hold are on the next one, below the same header', async () => {
  const rows = Array.from({ length: 250 }, (_, number) => ({ number }))
  for (const limits of [{ rows: 120 }, { xml: 4000 }]) {
    const sheets = await sheetsOf([rows.slice(0, 130), [], rows.slice(130)], limits)
    assert.deepEqual(Object.keys(sheets), ['Leads', 'Leads 2', 'Leads 3'])
    for (const [header] of Object.values(sheets)) assert.equal(header!.E!.value, 'Created (IST)')
    const numbers = Object.values(sheets).flatMap(([, ...more]) => more.map(({ C }) => Number(C!.value)))
    assert.deepEqual(
      numbers,
      rows.map(({ number }) => number),
    )
  }
  assert.deepEqual(Object.keys(await sheetsOf([])), ['Leads'])
})

test('rows are read as fast as the file is taken, and no longer than that', async () => {
  let [read, ended] = [0, false]
  async function* rows() {
    try {
      for (; read < 100_000; read++) yield [{ text: `Asha ${Math.random()}` }]
    } finally {
      ended = true
    }
  }
  const file = xlsxOf({ name: 'Leads', columns, rows: rows() })
  await new Promise((resolve) => file.once('readable', resolve))
  assert.ok(read < 100_000)
  file.destroy()
  await new Promise((resolve) => file.once('close', resolve))
  for (let turn = 0; turn < 100 && !ended; turn++) await new Promise(setImmediate)
  assert.ok(ended)
})

test('a file whose rows cannot be read on does not end as if it were whole', async () => {
  async function* rows() {
    yield [{ text: 'Asha' }]
    throw new Error('gone')
  }
  await assert.rejects(buffer(xlsxOf({ name: 'Leads', columns, rows: rows() })), /gone/)
})
