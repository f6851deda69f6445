import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleLines, refusedLines } from './csv.ts'

test('refused rows go back as they came, but for what a spreadsheet would run', () => {
  const [head, row] = refusedLines(
    ['Name', 'Phone', 'City'],
    [{ reason: 'It has no phone, no email', cells: ['=HYPERLINK("x")', ' ＋91'] }],
  )
    .join('')
    .split(/(?<=\n)/)
  assert.equal(head, 'Name,Phone,City,Why refused\r\n')
  assert.equal(row, `"'=HYPERLINK(""x"")",' ＋91,,"It has no phone, no email"\r\n`)
  const [names, example] = exampleLines
    .join('')
    .split('\n')
    .map((line) => line.split(',').length)
  assert.equal(names, example)
})
