import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyText } from './fields.ts'
import type { GivenFields, LeadFields } from './lead.ts'
import { mergeByFilling, mergeByReplacing } from './merge-lead.ts'

const received = new Date('2026-11-21T05:00:00Z')

const lead: LeadFields = {
  name: 'Ravi',
  email: 'ravi@x.in',
  phone: '9810044321',
  ...everyText(() => null),
  city: 'Pune',
  source: 'Website',
  status: 'Contacted',
  priority: 'Low',
  tags: ['a', 'b'],
  deal_value: null,
  notes: 'First.',
  assigned_to: 'bela',
}

const everything = {
  name: 'Ravi K',
  email: 'r@y.in',
  phone: '+91 98100 44321',
  company: 'Acme',
  city: 'Goa',
  source: 'Fair',
  status: 'Won',
  priority: 'High',
  tags: ['b', 'c'],
  deal_value: 5,
  notes: 'Second.',
  assigned_to: 'asha',
} as const satisfies GivenFields | { tags: readonly string[] }

for (const [claim, given, changed] of [
  ['nothing given changes nothing', {}, {}],
  ['what is given replaces', { name: 'Ravi K', city: 'Goa' }, { name: 'Ravi K', city: 'Goa' }],
  ['what was empty is filled', { company: 'Acme', deal_value: 5 }, { company: 'Acme', deal_value: 5 }],
  ['a value that is there already is no change', { city: 'Pune', notes: 'First.', tags: ['b', 'a'] }, {}],
  ['tags are united in their order', { tags: ['c', 'a', 'd', 'c'] }, { tags: ['a', 'b', 'c', 'd'] }],
  ['no tags given take none away', { tags: [] }, {}],
  ['a deal value of nothing is a value', { deal_value: 0 }, { deal_value: 0 }],
  ['every field can be replaced', everything, { ...everything, tags: ['a', 'b', 'c'] }],
] as [string, GivenFields, Partial<LeadFields>][]) {
  test(`through the REST interface, ${claim}`, () => {
    const merge = mergeByReplacing(lead, given)
    assert.deepEqual(merge.fields, { ...lead, ...changed })
    assert.deepEqual(merge.not_taken, [])
    assert.deepEqual(
      merge.changes.toSorted((one, other) => one.field.localeCompare(other.field)),
      Object.entries(changed)
        .map(([field, after]) => {
          if (field === 'tags') {
            return { field, added: (after as string[]).filter((tag) => !lead.tags.includes(tag)), removed: [] }
          }
          if (field === 'notes') return { field, before: lead.notes }
          return { field, before: lead[field as keyof LeadFields], after }
        })
        .toSorted((one, other) => one.field.localeCompare(other.field)),
    )
  })
}

const has = 'the lead already has one'
const never = 'a webhook never changes it'

for (const [claim, given, changed, notTaken] of [
  ['nothing given changes nothing', {}, {}, []],
  ['what was empty is filled', { company: 'Acme', deal_value: 0 }, { company: 'Acme', deal_value: 0 }, []],
  [
    'what holds something else stays',
    { city: 'Goa', name: 'R' },
    {},
    [
      ['name', 'R', has],
      ['city', 'Goa', has],
    ],
  ],
  ['what is the same already is not offered', { city: 'Pune', email: 'ravi@x.in', status: 'Contacted' }, {}, []],
  [
    'status, priority, assignee and source never change',
    { status: 'Won', priority: 'High', assigned_to: 'asha', source: 'Fair' },
    {},
    [
      ['source', 'Fair', never],
      ['status', 'Won', never],
      ['priority', 'High', never],
      ['assigned_to', 'asha', never],
    ],
  ],
  ['tags are united', { tags: ['c', 'b'] }, { tags: ['a', 'b', 'c'] }, []],
  [
    'a message is appended to the notes under its time',
    { notes: 'Call me.' },
    { notes: 'First.\n\n[21 Nov 2026, 10:30]\nCall me.' },
    [],
  ],
  ['a message that stands there already is not repeated', { notes: 'First.' }, {}, []],
  [
    'a name that was made from the phone is no name to offer',
    { name: '98 1', phone: '98 1' },
    {},
    [['phone', '98 1', has]],
  ],
] as [string, GivenFields, Partial<LeadFields>, [string, unknown, string][]][]) {
  test(`through a webhook, ${claim}`, () => {
    const merge = mergeByFilling(lead, given, received)
    assert.deepEqual(merge.fields, { ...lead, ...changed })
    assert.deepEqual(
      merge.not_taken,
      notTaken.map(([field, offered, reason]) => ({ field, offered, reason })),
    )
    assert.deepEqual(merge.changes.map(({ field }) => field).sort(), Object.keys(changed).sort())
  })
}

test('through a webhook, a real name replaces one that was derived from the email or phone', () => {
  for (const name of ['ravi@x.in', '9810044321']) {
    assert.equal(mergeByFilling({ ...lead, name }, { name: 'Ravi' }, received).fields.name, 'Ravi')
  }
})

test('a repeated message is added again only with another time', () => {
  const once = mergeByFilling(lead, { notes: 'Call.' }, received).fields
  assert.equal(mergeByFilling(once, { notes: 'Call.' }, received).fields.notes, once.notes)
  const later = mergeByFilling(once, { notes: 'Call.' }, new Date('2026-11-22T05:00:00Z')).fields
  assert.equal(later.notes, `${once.notes}\n\n[22 Nov 2026, 10:30]\nCall.`)
})

test('a message is saved once: the change has the added text, not the notes before and after', () => {
  const { changes, message } = mergeByFilling(lead, { notes: 'Call.' }, received)
  assert.deepEqual(changes, [{ field: 'notes', added: '[21 Nov 2026, 10:30]\nCall.' }])
  assert.equal(message, null)
})

test('through the REST interface, extended notes record the added text, and replaced notes the previous text', () => {
  const change = (notes: string) => mergeByReplacing(lead, { notes }).changes
  assert.deepEqual(change('First.\nSecond.'), [{ field: 'notes', added: 'Second.' }])
  assert.deepEqual(change('Firstly.'), [{ field: 'notes', before: 'First.' }])
})

test('a lead has at most 200 tags, and the merge names those beyond the limit', () => {
  const tags = Array.from({ length: 199 }, (_, n) => `t${n}`)
  for (const merge of [
    mergeByReplacing({ ...lead, tags }, { tags: ['x', 't1', 'y', 'z'] }),
    mergeByFilling({ ...lead, tags }, { tags: ['x', 't1', 'y', 'z'] }, received),
  ]) {
    assert.deepEqual(merge.fields.tags, [...tags, 'x'])
    assert.deepEqual(merge.not_taken, [{ field: 'tags', offered: ['y', 'z'], reason: 'a lead holds at most 200 tags' }])
    assert.deepEqual(merge.changes, [{ field: 'tags', added: ['x'], removed: [] }])
  }
})

test('merging does not modify its arguments', () => {
  const frozen = (object: object) => Object.freeze(structuredClone(object))
  const still = { ...frozen(lead), tags: Object.freeze([...lead.tags]) } as unknown as LeadFields
  const given = { ...everything, tags: Object.freeze(['z']) } as unknown as GivenFields
  mergeByReplacing(still, given)
  mergeByFilling(still, given, received)
})
