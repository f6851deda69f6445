import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from './read-csv.ts'

const cells = (text: string) => [...readCsv(text)].map((row) => row.cells)

test('cells are read as RFC 4180 has them, and as spreadsheets write them', () => {
  for (const [text, expected] of [
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\n"1\t";2\t',
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
    ['a\n"never closed', [['a'], ['never closed']]],
    ['"a"x,b\n', [['ax', 'b']]],
    ['', []],
  ] as [string, string[][]][]) {
    assert.deepEqual(cells(text), expected, JSON.stringify(text))
  }
})

test('each row knows the line it begins on', () => {
  const rows = [...readCsv('a,b\r\n"1\n2",x\r\n\r\n3,y')]
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 2, 5],
  )
})
