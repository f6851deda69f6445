import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, User } from '../../access/account/users.ts'
import { nextPassOn, type WaitingLead } from './next-pass-on.ts'

/** Times are IST. 2026-11-23 is a Monday. */
const ist = (text: string) => new Date(`${text.replace(' ', 'T')}:00+05:30`)
const text = (at: Date) => new Date(at.getTime() + 330 * 60_000).toISOString().slice(0, 16).replace('T', ' ')
const [noon, night] = ['2026-11-23 12:00', '2026-11-23 23:00']

const away = { absences: [{ id: 'leave', from: ist('2026-11-23 00:00'), until: ist('2026-11-23 13:00') }] }
const inactive = { active: false }
function accountWith(users: Record<string, Partial<User>>) {
  return {
    workingHours: { days: [1, 2, 3, 4, 5, 6], from: 540, until: 1140 },
    users: ['asha', 'bela', 'chand', 'dev'].map((id) => ({
      id,
      active: true,
      workingHours: null,
      absences: [],
      ...users[id],
    })),
  } as unknown as Account
}
const rule = {
  id: 'rule',
  name: 'Rule',
  sources: [],
  cities: [],
  tags: [],
  webhook_ids: [],
  products: [],
  campaigns: [],
  forms: [],
  answers: [],
  people: ['asha', 'bela', 'chand'].map((user_id) => ({ user_id, weight: 1 })),
  method: 'round_robin' as const,
  pass_on_after: 10 as number | null,
  paused: false,
  daily_limit: null,
}
const waiting: WaitingLead = {
  rule_id: 'rule',
  user_id: 'asha',
  had: ['asha'],
  assigned_to: 'asha',
  since: ist(noon),
  isTouched: false,
  isBeingCalled: false,
}
const nightShift = { workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: 0, until: 1440 } }

const cases: [
  claim: string,
  lead: Partial<WaitingLead>,
  users: Record<string, Partial<User>>,
  changed: Partial<typeof rule>,
  at: string,
  expected: string,
][] = [
  ['goes to another user of the rule', {}, {}, {}, noon, 'to bela chand'],
  ['does not go back to a user who had it', { had: ['asha', 'bela'] }, {}, {}, noon, 'to chand'],
  ['ends when all users had it', { had: ['asha', 'bela', 'chand'] }, {}, {}, noon, 'end'],
  ['does not go to a deactivated user', { had: ['asha', 'bela'] }, { chand: inactive }, {}, noon, 'end'],
  ['skips users who are away', {}, { bela: away }, {}, noon, 'to chand'],
  ['waits until a user is back', {}, { bela: away, chand: away }, {}, noon, 'wait 2026-11-23 13:00'],
  ['waits an hour at most', {}, { bela: away, chand: away }, {}, '2026-11-23 09:30', 'wait 2026-11-23 10:30'],
  ['stays at night', {}, { bela: nightShift }, {}, night, 'wait 2026-11-24 09:01'],
  ['leaves a deactivated owner at night', {}, { asha: inactive, bela: nightShift }, {}, night, 'to bela'],
  ['leaves an owner who is away', {}, { asha: away }, {}, noon, 'to bela chand'],
  ['stays while it is called', { isBeingCalled: true }, {}, {}, noon, 'wait 2026-11-23 12:02'],
  ['ends when it was called or changed', { isTouched: true }, {}, {}, noon, 'end'],
  ['ends when it has another owner', { assigned_to: 'dev' }, {}, {}, noon, 'end'],
  ['ends when it is unassigned', { assigned_to: null }, {}, {}, noon, 'end'],
  ['stays while the rule is paused', {}, {}, { paused: true }, noon, 'wait 2026-11-23 12:01'],
  ['ends when the rule no longer passes on', {}, {}, { pass_on_after: null }, noon, 'end'],
  ['ends when the rule was deleted', {}, {}, { id: 'other' }, noon, 'end'],
]
for (const [claim, lead, users, changed, at, expected] of cases) {
  test(`a lead that waits ${claim}`, () => {
    const surroundings = { account: accountWith(users), rules: [{ ...rule, ...changed }], now: ist(at) }
    const step = nextPassOn({ ...waiting, ...lead }, surroundings)
    const says =
      step.do === 'pass on'
        ? `to ${step.to.map(({ user_id }) => user_id).join(' ')}`
        : step.do === 'wait'
          ? `wait ${text(step.until)}`
          : 'end'
    assert.equal(says, expected)
  })
}
