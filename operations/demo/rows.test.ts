import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountActor } from '../../server/platform/database/actor.ts'
import type { SampleCall } from '../../server/setup/demo/sample-call.ts'
import { sampleLead } from '../../server/setup/demo/sample-lead.ts'
import { callColumns, leadColumns, toRows } from './rows.ts'

test('of two calls in one second, the lead keeps the outcome of the one with the greater id', () => {
  const called_at = new Date('2026-11-20T06:00:00Z')
  const calls = (['No Answer', 'Busy'] as const).map((outcome): SampleCall => {
    return { call_type: 'Outbound', duration_seconds: 0, outcome, notes: null, called_at, created_at: called_at }
  })
  const made = sampleLead({
    serial: 1,
    created_at: called_at,
    now: called_at,
    ownerOf: () => ({ id: null, rule: null }),
    followsUp: false,
    random: Math.random,
  })
  const lead = { ...made, calls }
  const { leads, calls: lines } = toRows(
    accountActor('00000000-0000-4000-8000-000000000001'),
    Array(50).fill(lead),
    String,
  )
  const outcomeIn = (line: string, columns: readonly string[], name: string) =>
    line.trimEnd().split('\t')[columns.indexOf(name)]
  for (const [at, line] of leads.entries()) {
    const last = lines
      .slice(2 * at, 2 * at + 2)
      .toSorted()
      .at(-1)!
    assert.equal(outcomeIn(line, leadColumns, 'last_call_outcome'), outcomeIn(last, callColumns, 'outcome'))
  }
})
