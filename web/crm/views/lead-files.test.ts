import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsInFile } from './lead-files.ts'

test('a file has the columns of the list, in its order', () => {
  const own = { isAgent: false, time: 'created' } as const
  for (const [wanted, expected] of [
    [{ ...own, shown: ['created', 'phone'] }, 'name phone status created'],
    [{ ...own, shown: ['created', 'phone'], time: 'updated' }, 'name phone status updated'],
    [{ ...own, shown: ['created', 'phone'], time: 'closed' }, 'name phone status closed'],
    [{ ...own, shown: ['phone'], time: 'updated' }, 'name phone status'],
    [{ ...own, shown: ['created', 'updated'], time: 'updated' }, 'name status created updated'],
    [{ ...own, shown: ['notes', 'email', 'lost_reason', 'tags'] }, 'name email status lost_reason tags notes'],
    [
      { ...own, shown: ['owner', 'answer:Budget?', 'priority', 'source', 'last_call'] },
      'name source status priority answer:Budget? owner last_call',
    ],
    [{ ...own, shown: ['owner', 'city'], isAgent: true }, 'name status city'],
  ] as const)
    assert.equal(columnsInFile(wanted).join(' '), expected)
})
