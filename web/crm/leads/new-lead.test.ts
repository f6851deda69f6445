import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDraft, toContact, toNewLead } from './new-lead.ts'

test('empty fields of the form are not sent: a merge would replace values with them', () => {
  assert.deepEqual(toNewLead(emptyDraft), {})
  const draft = { ...emptyDraft, name: 'Ravi', phone: '9820012345', city: '  ', tags: [], deal_value: '1,25,000' }
  assert.deepEqual(toNewLead(draft), { name: 'Ravi', phone: '9820012345', deal_value: 125_000 })
  assert.deepEqual(toNewLead({ ...emptyDraft, status: 'New', tags: ['hot'] }), { status: 'New', tags: ['hot'] })
})

for (const [phone, email, contact] of [
  ['98200', '', {}],
  ['98200 12345', 'asha@', { phone: '98200 12345' }],
  ['', ' asha@x.in ', { email: 'asha@x.in' }],
  ['call 98200', 'asha@x', {}],
  ['Mob. ९८२००१२३४५', '', { phone: 'Mob. ९८२००१२३४५' }],
  ['', 'Asha <asha@x.in>', { email: 'Asha <asha@x.in>' }],
] as const) {
  test(`"${phone}" and "${email}" are looked for as ${JSON.stringify(contact)}`, () => {
    assert.deepEqual(toContact({ phone, email }), contact)
  })
}
