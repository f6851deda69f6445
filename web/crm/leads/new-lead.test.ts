import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, emptyDraft, toContact, toNewLead } from './new-lead.ts'

test('empty fields of the form are not sent: a merge would replace values with them', () => {
  assert.deepEqual(toNewLead(emptyDraft), {})
  const draft = { ...emptyDraft, name: 'Ravi', phone: '9820012345', city: '  ', tags: [], deal_value: '1,25,000' }
  assert.deepEqual(toNewLead(draft), { name: 'Ravi', phone: '9820012345', deal_value: 125_000 })
  assert.deepEqual(toNewLead({ ...emptyDraft, status: 'New', tags: ['hot'] }), { status: 'New', tags: ['hot'] })
})

test('a lead without a name gets the one that the form shows, and a name is not replaced', () => {
  const draft = { ...emptyDraft, name: ' ', phone: '9820012345' }
  assert.deepEqual(toNewLead(draft, 'Caller +91 98200 12345'), { name: 'Caller +91 98200 12345', phone: '9820012345' })
  assert.equal(toNewLead({ ...draft, name: 'Ravi' }, 'Caller +91 98200 12345').name, 'Ravi')
})

for (const [typed, field] of [
  ['98200 12345', 'phone'],
  ['+91 98200-12345', 'phone'],
  ['९८२००१२३४५', 'phone'],
  [' 4321 ', 'phone'],
  ['Ravi Kumar', 'name'],
  ['रवि', 'name'],
  ['Flat 12', 'name'],
  ['ravi@x.in', 'email'],
] as const) {
  test(`“${typed}”, which was not found, is the ${field} of a new lead`, () =>
    assert.deepEqual(draftOf(typed), { ...emptyDraft, [field]: typed.trim() }))
}

for (const [typed, fields] of [
  ['Zubin 9876', { name: 'Zubin', phone: '9876' }],
  ['98765 43210  Zubin Daruwalla', { name: 'Zubin Daruwalla', phone: '98765 43210' }],
  ['ज़ुबिन ९८७६', { name: 'ज़ुबिन', phone: '९८७६' }],
  ['Zubin zubin@x.in +91-98765', { name: 'Zubin', phone: '+91-98765', email: 'zubin@x.in' }],
  ['3 BHK 12', { name: '3 BHK 12' }],
] as const)
  test(`“${typed}” is ${JSON.stringify(fields)} of a new lead`, () =>
    assert.deepEqual(draftOf(typed), { ...emptyDraft, ...fields }))

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
