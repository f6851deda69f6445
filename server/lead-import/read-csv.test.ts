import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CsvRow, csvRows, eachCsvRow, InvalidCsv } from './read-csv.ts'

function rowsOf(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  eachCsvRow(text, (row) => rows.push(row))
  return rows
}

const cells = (text: string) => rowsOf(text).map((row) => row.cells)

const table = [
  ['a', 'b'],
  ['1', '2'],
]

test('cells are read as RFC 4180 says and as spreadsheets write them', () => {
  for (const [text, expected] of [
    ['a,b\r\n1,2\r\n', table],
    ['a,b\n1,2', table],
    ['a,b\r1,2', table],
    ['a,b\r\n1,2\n\n\r', table],
    ['\ufeffa,b\n1,2', table],
    [
      '"a";b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a;b\r1,5;2\r',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\n"1\t;2"\t',
      [
        ['a', 'b'],
        ['1\t;2', ''],
      ],
    ],
    [
      '"a,1","b ""c"""\n"x\r\ny",',
      [
        ['a,1', 'b "c"'],
        ['x\r\ny', ''],
      ],
    ],
    ['a\n\n \n1', [['a'], ['1']]],
    ['a"b,6" pipe\n', [['a"b', '6" pipe']]],
    ['', []],
  ] as [string, string[][]][]) {
    assert.deepEqual(cells(text), expected, JSON.stringify(text))
  }
})

test('each row has the number of its first line', () => {
  const lines = (text: string) => rowsOf(text).map(({ line }) => line)
  assert.deepEqual(lines('a,b\r\n"1\n2",x\r\n\r\n3,y'), [1, 2, 5])
  assert.deepEqual(lines('a,b\r\n"1\r\n2",x\r\n"1\r\n2\r\n3",x\r\n3,y'), [1, 2, 4, 7])
  assert.deepEqual(lines('a\r1\r\r2'), [1, 2, 4])
})

test('reading rows one after the other gives the same rows as reading all', async () => {
  const text = `Name,Phone,😀\n${'😀,"x\r\ny",z\n'.repeat(20_000)}`
  const streamed: CsvRow[] = []
  for await (const row of csvRows(text)) streamed.push(row)
  assert.deepEqual(streamed, rowsOf(text))
})

test('a file that cannot be read is rejected with its line', () => {
  for (const [text, message] of [
    [`a,b\n1,2\n${','.repeat(1_000_000)}`, /^Line 3 has 1,000,001 cells\. Remove/],
    [`a,b\n1,2\n"${'x\n'.repeat(200_000)}`, /^Line 3 is longer than 256 KB/],
    [`a,b\n1,2\n3,"never closed`, /^A quote that opens on line 3 or later is not closed/],
    [`a\n${'x'.repeat(300_000)}`, /^Line 2 is longer/],
    [`a\n${'1\n'.repeat(500_001)}`, /^The file has more than 500,000 lines/],
  ] as const) {
    assert.throws(
      () => rowsOf(text),
      (error: Error) => error instanceof InvalidCsv && message.test(error.message),
    )
  }
})

test('empty lines are not rows', () => {
  assert.deepEqual(rowsOf('\r'.repeat(1_000_000)), [])
})
