import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeadFields, OtherContact } from '../../crm/leads/lead.ts'
import { type Merged, takeBack } from './take-back.ts'

const base = {
  name: 'Asha',
  phone: '98200 00001',
  email: 'asha@example.com',
  city: 'Pune',
  tags: ['A', 'B'],
  notes: null,
}
const contact: OtherContact = { kind: 'phone', value: '98200 00002', key: '+919820000002' }

for (const [what, now, merges, expected, isWhole = true, removed = [] as OtherContact[]] of [
  ['a field that was filled', {}, [{ changes: [{ field: 'city', before: null, after: 'Pune' }] }], { city: null }],
  ['a field that was changed since', {}, [{ changes: [{ field: 'city', before: null, after: 'Goa' }] }], {}, false],
  [
    'two rows for one lead, the newest first',
    {},
    [
      { changes: [{ field: 'tags', added: ['B'], removed: [] }] },
      { changes: [{ field: 'city', before: null, after: 'Pune' }] },
    ],
    { tags: ['A'], city: null },
  ],
  ['a tag that is gone already', {}, [{ changes: [{ field: 'tags', added: ['C'], removed: [] }] }], {}],
  ['first notes', { notes: 'Row' }, [{ changes: [{ field: 'notes', before: null, after: 'Row' }] }], { notes: null }],
  [
    'notes with others around them',
    { notes: 'First\n\n[1 Nov]\nRow\n\n[2 Nov]\nThird' },
    [{ changes: [{ field: 'notes', added: '[1 Nov]\nRow' }] }],
    { notes: 'First\n\n[2 Nov]\nThird' },
  ],
  ['notes that were written again', { notes: 'Ours' }, [{ changes: [{ field: 'notes', added: 'Row' }] }], {}, false],
  [
    'other contacts',
    {},
    [{ changes: [{ field: 'other_contacts', added: ['98200 00002', '98200 00003'], removed: [] }] }],
    {},
    true,
    [contact],
  ],
  [
    'an email that was a further contact of the lead before',
    {},
    [{ changes: [{ field: 'email', before: null, after: 'asha@example.com' }], matched: ['email'] }],
    {},
  ],
  ['a row that changed nothing', {}, [{}], {}],
] as [string, object, Merged[], object, boolean?, OtherContact[]?][]) {
  test(`taken back: ${what}`, () => {
    const fields = { ...base, ...now } as unknown as LeadFields
    const back = takeBack({ fields, contacts: [contact] }, merges)
    assert.deepEqual(back, { fields: { ...fields, ...expected }, removed, isWhole })
  })
}
