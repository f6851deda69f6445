import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MappingEntry } from '../contract.ts'
import { readPayloadSync } from '../reading.ts'

function readWith(payload: object, mapping: MappingEntry[]) {
  const body = Buffer.from(JSON.stringify(payload))
  const read = readPayloadSync({ body, content_type: 'application/json', mapping, country: 'IN', withValues: true })
  assert.ok('reading' in read)
  return read
}

const unknown = {
  k1: 'abc-1',
  k2: 'OUT',
  k3: '9810044321',
  k4: '0:45',
  k5: 'NOT PICKED',
  k6: '18/11/2026 02:41 PM',
  k7: '201',
}

test('a mapping of parts of a call alone makes a call', () => {
  const mapping: MappingEntry[] = [
    { path: 'k1', field: 'call_id' },
    { path: 'k2', field: 'call_direction' },
    { path: 'k3', field: 'phone' },
    { path: 'k4', field: 'call_talk_time' },
    { path: 'k5', field: 'call_outcome' },
    { path: 'k6', field: 'call_start' },
    { path: 'k7', field: 'call_agent' },
    { path: 'gone', field: 'call_notes' },
  ]
  assert.equal(readWith(unknown, []).call, null)
  const { call, reading, values } = readWith(unknown, mapping)
  assert.deepEqual(call, {
    platform_id: 'abc-1',
    state: 'ended',
    direction: 'Outbound',
    outcome: 'No Answer',
    started_at: '2026-11-18T09:11:00Z',
    answered_at: null,
    ended_at: null,
    talk_seconds: 45,
    agents: ['201'],
    recording_url: null,
    notes: null,
  })
  assert.deepEqual(reading.lead, { phone: '9810044321', name: 'Caller +91 98100 44321' })
  assert.deepEqual(reading.absent, ['gone'])
  const shown = values.map(({ path, field, by }) => [path, field, by])
  assert.deepEqual(shown.slice(0, 2), [
    ['k1', 'call_id', 'owner'],
    ['k2', 'call_direction', 'owner'],
  ])
})

const known = {
  call_id: 'c-1',
  direction: 'inbound',
  caller: '+919810044321',
  called: '+918047110044',
  agent_name: 'Priya',
  duration: 41,
  status: 'completed',
  remark: 'Wants a visit',
}

test('the manual mapping of a part counts before recognition, and what is ignored is not read', () => {
  const automatic = readWith(known, [])
  assert.deepEqual(
    [automatic.call?.direction, automatic.call?.talk_seconds, automatic.call?.notes, automatic.reading.lead.notes],
    ['Inbound', 41, 'Wants a visit', undefined],
  )
  const { call, reading } = readWith(known, [
    { path: 'status', field: 'call_notes' },
    { path: 'agent_name', field: 'ignore' },
    { path: 'remark', field: 'notes' },
    { path: 'called', field: 'phone' },
  ])
  assert.deepEqual([call?.notes, call?.agents, reading.lead.notes], ['completed', [], 'Wants a visit'])
  assert.equal(reading.lead.phone, '+918047110044')
})

test('every part that was read is shown with its reason', () => {
  const picks = readWith(known, []).reading.picks.filter(({ field }) => field.startsWith('call_'))
  assert.deepEqual(picks.map(({ field, path }) => `${field} ${path}`).sort(), [
    'call_agent agent_name',
    'call_direction direction',
    'call_id call_id',
    'call_notes remark',
    'call_outcome status',
    'call_state status',
    'call_talk_time duration',
  ])
  for (const { by, reason } of picks) assert.deepEqual([by, reason !== ''], ['recognised', true])
})

test('a withheld number makes no lead and no mistake', () => {
  const { call, event, reading } = readWith({ ...known, caller: 'anonymous' }, [])
  assert.deepEqual(
    [call?.platform_id, event, reading.lead.phone],
    ['c-1', { challenge: null, plain_token: null, has_contact: false }, undefined],
  )
})

test('a call with thousands of values is read', () => {
  const legs = Array.from({ length: 2000 }, (_, at) => ({
    [`call_leg_${at}`]: `+9198${10_000_000 + at}`,
    agent_name: `A ${at}`,
  }))
  const { call } = readWith({ ...known, legs }, [])
  assert.equal(call?.platform_id, 'c-1')
  assert.ok(call.agents.length <= 20)
})
