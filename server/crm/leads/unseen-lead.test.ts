import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unseenLead } from './unseen-lead.ts'

const none = { name: 'Ravi', product: null, source: 'Portal', city: null }

for (const [name, expected] of [
  ['Ravi', 'Ravi'],
  ['Ravi Kumar Sharma', 'Ravi K.'],
  ['Ravi 98640 99999', 'Ravi'],
  ['98640 99999', '•••'],
  ['98 11—22 33 44 Ravi', 'Ravi'],
  ['ravi＠example.com', '•••'],
  ['ra\u200bvi ravi@example.com', 'ravi'],
  ['ravi at example.com', 'ravi a.'],
  ['Ravi९८६४०९९९९९', '•••'],
  ['रवि कुमार', 'रवि क.'],
  ["D'Souza", "D'Souza"],
  ['', '•••'],
] as const)
  test(`“${name}” is shown as “${expected}”`, () => assert.equal(unseenLead({ ...none, name }).name, expected))

test('a value that may hold a contact is left out as a whole, as is a long one', () => {
  for (const text of ['Pune 98 11—22 33 44', 'a＠example', '9\u200b8640\u200b99999', 'x'.repeat(81), ' \u200b'])
    assert.deepEqual(unseenLead({ name: 'Ravi', product: text, source: text, city: text }), {
      name: 'Ravi',
      product: null,
      source: null,
      city: null,
    })
  const lead = { name: 'Ravi', product: '2 BHK', source: '99acres.com', city: 'Pune 411045' }
  assert.deepEqual(unseenLead(lead), lead)
})
