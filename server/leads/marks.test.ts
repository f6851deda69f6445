import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staleMarks } from './marks.ts'

const day = '2026-11-20'
const created_at = new Date('2026-11-20T06:00:00Z')
const lead = { created_at, status: 'New', source: 'Fair', priority: 'High' } as const
const contacted = { ...lead, status: 'Contacted' } as const

for (const [what, changes, expected] of [
  ['nothing', [], []],
  ['a new lead', [{ lead, n: 1 }], ['all ', 'priority High', 'source Fair', 'status New']],
  ['a lead that is removed', [{ lead, n: -1 }], ['all ', 'priority High', 'source Fair', 'status New']],
  [
    'a lead with another status',
    [
      { lead, n: -1 },
      { lead: contacted, n: 1 },
    ],
    ['status Contacted', 'status New'],
  ],
  [
    'a lead with another assignee',
    [
      { lead, n: -1 },
      { lead, n: 1 },
    ],
    [],
  ],
  [
    'two leads that exchange their status',
    [
      { lead, n: -1 },
      { lead: contacted, n: 1 },
      { lead: contacted, n: -1 },
      { lead, n: 1 },
    ],
    ['all ', 'priority High', 'source Fair', 'status Contacted', 'status New'],
  ],
  [
    'two new leads',
    [
      { lead, n: 1 },
      { lead: contacted, n: 1 },
    ],
    ['all ', 'priority High', 'source Fair', 'status Contacted', 'status New'],
  ],
] as [string, Parameters<typeof staleMarks>[0], string[]][]) {
  test(`${what} makes these marks wrong: ${expected.join(', ') || 'none'}`, () => {
    const wrong = staleMarks(changes)
    assert.deepEqual(
      wrong.map(({ field, value }) => `${field} ${value}`),
      expected,
    )
    for (const mark of wrong) assert.deepEqual([mark.day, mark.created_at], [day, created_at])
  })
}

test('of several leads of a day, the oldest decides whether marks include it', () => {
  const earlier = new Date('2026-11-19T19:00:00Z')
  const [all] = staleMarks([
    { lead, n: 1 },
    { lead: { ...lead, created_at: earlier }, n: 1 },
  ])
  assert.deepEqual([all!.day, all!.created_at], [day, earlier])
})
