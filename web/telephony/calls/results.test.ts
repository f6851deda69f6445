import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CalledLead, type Chosen, missing, nextStepAfter, outcomeOf, statusAfter } from './results.ts'

const now = Date.parse('2026-11-24T05:00:00Z')
const lead: CalledLead = { status: 'New', call_again_at: null, other_phones: [] }
const chosen: Chosen = {
  result: 'spoke',
  status: '',
  lost_reason: null,
  call_again_at: '',
  no_next_step: '',
  language: '',
  number: '',
}
const [soon, later] = ['2026-11-24T05:10:00Z', '2026-11-30T04:30:00Z']
const promised = { ...lead, call_again_at: later }
const twoPhones = { ...lead, other_phones: ['+919810000002'] }
const inFive = { call_again_at: '2026-11-24T05:05:00Z' }

for (const [what, choice, of, asked, step, status] of [
  ['spoken, nothing chosen', {}, lead, 'next_step', {}, 'Contacted'],
  ['spoken, a time chosen', { call_again_at: later }, lead, null, { call_again_at: later }, 'Contacted'],
  ['spoken, a reason chosen', { no_next_step: 'Waits' }, lead, null, { no_next_step: 'Waits' }, 'Contacted'],
  ['spoken, promised for later', {}, promised, null, {}, 'Contacted'],
  ['spoken, promised for now', {}, { ...lead, call_again_at: soon }, 'next_step', {}, 'Contacted'],
  ['spoken, promise moved', { call_again_at: soon }, promised, null, { call_again_at: soon }, 'Contacted'],
  ['spoken, promise ended', { no_next_step: 'Waits' }, promised, null, { no_next_step: 'Waits' }, 'Contacted'],
  ['spoken and won', { status: 'Won' }, lead, null, {}, 'Won'],
  ['spoken and lost, with a time', { status: 'Lost', call_again_at: later }, lead, null, {}, 'Lost'],
  ['spoken with a lost lead', {}, { ...lead, status: 'Lost' }, null, {}, 'Lost'],
  ['spoken and opened again', { status: 'New' }, { ...lead, status: 'Lost' }, 'next_step', {}, 'Contacted'],
  ['spoken, of unknown status', {}, { ...lead, status: undefined }, 'next_step', {}, undefined],
  ['spoken, qualified', {}, { ...lead, status: 'Qualified' }, 'next_step', {}, 'Qualified'],
  ['not answered', { result: 'no_answer' }, lead, null, {}, 'New'],
  [
    'not answered, a time chosen',
    { result: 'no_answer', call_again_at: later },
    lead,
    null,
    { call_again_at: later },
    'New',
  ],
  ['busy', { result: 'busy' }, promised, null, {}, 'New'],
  ['voicemail', { result: 'voicemail' }, lead, null, {}, 'New'],
  ['missed', { result: 'missed' }, lead, null, {}, 'New'],
  ['wrong number, the only one', { result: 'wrong_number' }, lead, null, { no_next_step: 'Wrong' }, 'New'],
  ['wrong number, promised', { result: 'wrong_number' }, promised, null, { no_next_step: 'Wrong' }, 'New'],
  ['wrong number of two', { result: 'wrong_number' }, twoPhones, 'number', {}, 'New'],
  [
    'wrong number, the other one is next',
    { result: 'wrong_number', number: '+919810000002' },
    twoPhones,
    null,
    {},
    'New',
  ],
  [
    'wrong number, no other one',
    { result: 'wrong_number', number: 'none' },
    twoPhones,
    null,
    { no_next_step: 'Wrong' },
    'New',
  ],
  ['not interested', { result: 'not_interested' }, promised, 'lost_reason', {}, 'Lost'],
  ['not interested, reason known', { result: 'not_interested', lost_reason: 'Price' }, lead, null, {}, 'Lost'],
  ['not interested, without a reason', { result: 'not_interested', lost_reason: '' }, lead, null, {}, 'Lost'],
  ['not interested, lost before', { result: 'not_interested' }, { ...lead, status: 'Lost' }, null, {}, 'Lost'],
  [
    'not interested, a time chosen',
    { result: 'not_interested', call_again_at: later, lost_reason: '' },
    lead,
    null,
    {},
    'Lost',
  ],
  ['other language', { result: 'other_language' }, lead, 'language', {}, 'New'],
  ['other language, known', { result: 'other_language', language: 'Tamil' }, lead, 'next_step', {}, 'New'],
  ['other language, promised', { result: 'other_language', language: 'Tamil' }, promised, null, {}, 'New'],
  ['dropped', { result: 'dropped' }, lead, null, inFive, 'New'],
  ['dropped, a time chosen', { result: 'dropped', call_again_at: later }, lead, null, { call_again_at: later }, 'New'],
  ['dropped, promised for later', { result: 'dropped' }, promised, null, {}, 'New'],
  ['dropped, promised for now', { result: 'dropped' }, { ...lead, call_again_at: soon }, null, inFive, 'New'],
] as [string, Partial<Chosen>, CalledLead, ReturnType<typeof missing>, object, string | undefined][])
  test(`after a call: ${what}`, () => {
    const made = { ...chosen, ...choice }
    assert.equal(missing(made, of, now), asked)
    assert.deepEqual(nextStepAfter(made, of, { now, wrongNumber: 'Wrong' }), step)
    assert.equal(statusAfter(made, of), status)
  })

test('a wrong number was not reached, unless they called', () => {
  assert.equal(outcomeOf('wrong_number', 'Outbound'), 'No Answer')
  assert.equal(outcomeOf('wrong_number', 'Inbound'), 'Completed')
})
