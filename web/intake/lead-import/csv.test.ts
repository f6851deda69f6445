import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleLines, rejectedLines } from './csv.ts'

test('rejected rows are written unchanged, except cells that a spreadsheet would run as formulas', () => {
  const [head, row] = rejectedLines(
    ['Name', 'Phone', 'City'],
    [{ reason: 'It has no phone, no email', cells: ['=HYPERLINK("x")', ' ＋91'] }],
  )
    .join('')
    .split(/(?<=\n)/)
  assert.equal(head, 'Name,Phone,City,Why rejected\r\n')
  assert.equal(row, `"'=HYPERLINK(""x"")",' ＋91,,"It has no phone, no email"\r\n`)
  const [names, example] = exampleLines
    .join('')
    .split('\n')
    .map((line) => line.split(',').length)
  assert.equal(names, example)
})
