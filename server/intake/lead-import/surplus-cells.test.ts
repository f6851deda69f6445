import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ImportField } from './contract.ts'
import { joinSurplus } from './surplus-cells.ts'

const columnsOf = (fields: string) =>
  fields.split(' ').map((field, at) => ({ name: `${field} ${at}`, field: field as ImportField, reason: '' }))
const read = (fields: string, line: string) => joinSurplus(line.split(','), columnsOf(fields), ',')?.cells.join('|')

test('surplus cells are joined where the row can be read in one way, else the row is not read', () => {
  for (const [fields, line, expected] of [
    ['name phone deal_value', 'A,9820000001,12,50,000', 'A|9820000001|12,50,000'],
    ['name phone notes', 'A,9820000001,3 BHK,corner', 'A|9820000001|3 BHK,corner'],
    ['name phone notes', 'Rao, Asha,9820000001,x', 'Rao, Asha|9820000001|x'],
    ['name phone notes', 'Rao, Asha,9820000001,3 BHK, corner', 'Rao, Asha|9820000001|3 BHK, corner'],
    ['name email ignore', 'A,a@example.com,x,y', 'A|a@example.com|x,y'],
    ['name phone created_at', 'A,9820000001,Dec 31, 2025', 'A|9820000001|Dec 31, 2025'],
    ['deal_value notes phone', '5000,garden,corner,9820000001', '5000|garden,corner|9820000001'],
    // A separator at the end of a line.
    ['name phone', 'A,9820000001,', 'A|9820000001'],
    ['name phone notes', 'A,9820000001,x,,', 'A|9820000001|x'],
    ['name phone notes', 'Rao, Asha,9820000001,', 'Rao, Asha|9820000001|'],
    // More than one way.
    ['name city phone', 'Rao, Asha,Pune,9820000001', undefined],
    ['name phone deal_value notes', 'A,9820000001,5,000,call', undefined],
    ['name phone deal_value notes', 'A,9820000001,5,000,call, later', undefined],
    ['name phone notes city', 'A,9820000001,x,y,', undefined],
    // No way.
    ['name phone', 'A,9820000001,x', undefined],
    ['phone email', '9820000001,x,a@example.com', undefined],
    ['name phone notes', `A,9820000001,${'x,'.repeat(20)}x`, undefined],
  ] as const) {
    assert.equal(read(fields, line), expected, `${fields}: ${line}`)
  }
  const [name, phone] = columnsOf('name phone')
  const reason = { name: 'Why rejected', field: 'ignore' as const, reason: '' }
  assert.equal(joinSurplus(['A', '9820000001', 'why', 'x'], [name!, phone!, reason], ','), undefined)
})

const word = fc.constantFrom('Asha', 'Pune', '3 BHK', 'call later', '', 'N/A')
const prose = fc.array(fc.constantFrom('Rao', ' Asha', 'west', ' 2 lakh'), { minLength: 1, maxLength: 3 })
const values: Record<string, fc.Arbitrary<string>> = {
  name: prose.map((words) => words.join(',')),
  city: fc.oneof(
    word,
    prose.map((words) => words.join(',')),
  ),
  notes: fc.oneof(
    word,
    prose.map((words) => words.join(',')),
  ),
  phone: fc.constantFrom('9820000001', '+91 98200 00001', '', 'N/A'),
  email: fc.constantFrom('a@example.com', ''),
  deal_value: fc.constantFrom('5000', '12,50,000', '5,000', '50-60 lakh', '₹1,25,000', ''),
  created_at: fc.constantFrom('2025-12-31', 'Dec 31, 2025', ''),
}

test('a row without quotes is read as it was meant, or not at all', () => {
  const fields = fc.uniqueArray(fc.constantFrom(...Object.keys(values)), { minLength: 2, maxLength: 6 })
  const rows = fields.chain((names) =>
    fc.tuple(...names.map((name) => values[name]!)).map((meant) => ({ names: names.join(' '), meant })),
  )
  fc.assert(
    fc.property(rows, ({ names, meant }) => {
      const line = meant.join(',')
      if (line.split(',').length === meant.length) return
      const found = read(names, line)
      assert.ok(found === undefined || found === meant.join('|'), `${names}: ${line} is read as ${found}`)
    }),
    { numRuns: 5000 },
  )
})
