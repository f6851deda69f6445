import assert from 'node:assert/strict'
import { test } from 'node:test'
import keyNames from '#test/key-names.json' with { type: 'json' }
import { recognisedFields as read } from '#test/recognised-fields.ts'

/** Keys and questions as senders write them, each beside a contact: parents are joined by dots. */
const { notTheLeads, ...fields } = keyNames

const values: Record<keyof typeof fields, string> = {
  name: 'Ravi Kumar',
  email: 'ravi@example.com',
  phone: '9876543210',
  company: 'Sharma Traders',
  city: 'Pune',
  source: 'Facebook',
  notes: 'I need 20 chairs for my office',
}
const lead = { name: 'Asha Rao', email: 'asha.rao@example.com', phone: '9820012345' }

for (const [field, paths] of Object.entries(fields) as [keyof typeof fields, string[]][]) {
  test(`keys of the ${field}`, () => {
    const beside = field === 'phone' ? 'email' : 'phone'
    for (const path of paths) {
      const found = read(recordOf(path, { [path]: values[field], [beside]: lead[beside] }))
      // A whole name under a key that asks for its parts is read as the first name.
      assert.equal(field === 'name' ? (found.name ?? found.first_name) : found[field], values[field], path)
    }
  })
}

test('keys of values that are not the lead’s', () => {
  for (const [path, value] of Object.entries(notTheLeads))
    assert.deepEqual(read({ ...recordOf(path, { [path]: value }), ...lead }), lead, path)
})

/** Puts values into the record that the path of the first is in. */
function recordOf(path: string, values: Record<string, string>): Record<string, unknown> {
  const isQuestion = /\s/.test(path)
  const parents = isQuestion ? [] : path.split('.').slice(0, -1)
  const own = Object.entries(values).map(([key, value]) => [
    key === path && !isQuestion ? key.split('.').at(-1)! : key,
    value,
  ])
  return parents.reduceRight<Record<string, unknown>>((inner, parent) => ({ [parent]: inner }), Object.fromEntries(own))
}
