import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOfRun } from './audit-words.ts'
import { describeDetails } from './detail-words.ts'
import type { Run } from './runs.ts'

const someEntry = {
  id: '1',
  at: '2026-11-21T05:00:00Z',
  via: 'web' as const,
  via_name: null,
  import_id: null,
  user: null,
  subject_id: null,
  subject_name: null,
}

test('the audit log states no number of what it has not seen the end of, and speaks as the forms do', () => {
  const entry = (action: string, details = {}) => ({ ...someEntry, action, details })
  const leads: Run = [entry('lead.created'), entry('lead.created')]
  assert.equal(sentenceOfRun(leads, false), '{who} created 2 leads')
  assert.equal(sentenceOfRun(leads, true), '{who} created at least 2 leads')
  const replayed: Run = [
    entry('delivery.replayed', { outcome: 'created' }),
    entry('delivery.replayed', { outcome: 'rejected' }),
  ]
  assert.equal(sentenceOfRun(replayed, false), '{who} replayed 2 deliveries: 1 created, 1 rejected')
  assert.equal(sentenceOfRun(replayed, true), '{who} replayed at least 2 deliveries')

  const details = {
    default_assignee: null,
    ip_whitelist: [],
    permissions: ['read', 'write'],
    fields: ['deal_value', 'city'],
    mapping: [
      { path: 'town', field: 'city' },
      { path: 'ref', field: 'ignore' },
    ],
  }
  assert.deepEqual(
    describeDetails(entry('webhook.changed', details), () => undefined).map(({ label, text }) => [label, text]),
    [
      ['Default assignee', 'By distribution rules'],
      ['IP whitelist', 'Any IP'],
      ['Permissions', 'Read\nWrite'],
      ['Fields', 'Deal value\nCity'],
      ['Mapping', 'town → City\nref → Leave out'],
    ],
  )
  const shares = {
    to_users: [
      { user_id: '1', leads: 116 },
      { user_id: '2', leads: 115 },
    ],
    leads: 231,
  }
  const reassigned = entry('user.leads_reassigned', shares)
  assert.equal(sentenceOfRun([reassigned], false), '{who} reassigned 231 leads of {name} to {to}')
  const nameOf = (id: string) => (id === '1' ? 'Bela' : 'Chand')
  assert.deepEqual(describeDetails(reassigned, nameOf)[0], { label: 'To', text: 'Bela (116)\nChand (115)' })
})
