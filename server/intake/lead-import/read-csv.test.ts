import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuLimit, type FileRow, InvalidFile, rowLimits } from './file-limits.ts'
import { csvRows } from './read-csv.ts'

const rowsOf = (text: string): Promise<FileRow[]> => Array.fromAsync(csvRows([text]))

const cells = async (text: string) => (await rowsOf(text)).map((row) => row.cells)

const table = [
  ['a', 'b'],
  ['1', '2'],
]

test('cells are read as RFC 4180 says and as spreadsheets write them', async () => {
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
    [
      'sep=;\r\na;b\r\n1,2;3',
      [
        ['a', 'b'],
        ['1,2', '3'],
      ],
    ],
    ['a|b\n1|2', table],
    ['x, y\na;b\n1;2', [['x, y'], ...table]],
    ['="a",b\n1,="2"', table],
    ['', []],
  ] as [string, string[][]][]) {
    assert.deepEqual(await cells(text), expected, JSON.stringify(text))
  }
})

test('each row has the number of its first line', async () => {
  const lines = async (text: string) => (await rowsOf(text)).map(({ line }) => line)
  assert.deepEqual(await lines('a,b\r\n"1\n2",x\r\n\r\n3,y'), [1, 2, 5])
  assert.deepEqual(await lines('a,b\r\n"1\r\n2",x\r\n"1\r\n2\r\n3",x\r\n3,y'), [1, 2, 4, 7])
  assert.deepEqual(await lines('a\r1\r\r2'), [1, 2, 4])
})

test('a text in pieces gives the same rows', async () => {
  const text = `Name,Phone,😀\n${'😀,"x\r\ny",z\n'.repeat(20_000)}`
  const pieces = text.match(/.{1,1000}/gsu)!
  assert.deepEqual(await Array.fromAsync(csvRows(pieces)), await rowsOf(text))
})

test('a file that cannot be read is rejected with its line', async () => {
  for (const [text, message] of [
    [`a,b\n1,2\n${','.repeat(1_000_000)}`, /^Line 3 has 1,000,001 cells\. Remove/],
    [`a,b\n1,2\n"${'x\n'.repeat(200_000)}`, /^Line 3 is longer than 256 KB/],
    [`a,b\n1,2\n3,"never closed`, /^A quote that opens on line 3 or later is not closed/],
    [`a\n${'x'.repeat(300_000)}`, /^Line 2 is longer/],
  ] as const) {
    await assert.rejects(rowsOf(text), (error: Error) => error instanceof InvalidFile && message.test(error.message))
  }
})

test('a file has at most as many rows as a sheet', () => {
  const limited = rowLimits()
  for (let line = 1; line <= 1_048_576; line++) limited({ line, cells: ['1'] })
  assert.throws(() => limited({ line: 1_048_577, cells: ['1'] }), /^Error: The file has more than 1,048,575 rows/)
})

test('empty lines are not rows', async () => {
  assert.deepEqual(await rowsOf('\r'.repeat(1_000_000)), [])
})

test('a file has limits of characters and of CPU time', () => {
  const limited = rowLimits(10)
  limited({ line: 1, cells: ['12345', '12345'] })
  assert.throws(() => limited({ line: 2, cells: ['1'] }), /^Error: The cells have more than 10 characters/)
  cpuLimit(0)()
  const spent = cpuLimit(-40 * 1024 ** 2)
  assert.throws(() => {
    for (;;) spent()
  }, InvalidFile)
})
