import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Invitee, maxInvitees, noInvitee, readInvitees } from './invitees.ts'

const ravi = { name: 'Ravi Kumar', email: 'ravi@acme.in' }

for (const [text, ...expected] of [
  ['ravi.kumar@acme.in', { name: 'Ravi Kumar', email: 'ravi.kumar@acme.in' }],
  ['Ravi Kumar ravi@acme.in', ravi],
  ['Ravi Kumar <ravi@acme.in>', ravi],
  ['"Ravi Kumar" <mailto:ravi@acme.in>,', ravi],
  ['1. Ravi Kumar - ravi@acme.in', ravi],
  ['• Ravi Kumar, ravi@acme.in', ravi],
  ['Ravi\tKumar\travi@acme.in', ravi],
  ['ravi@acme.in; Ravi Kumar; Manager', { ...ravi, role: 'Manager' }],
  [
    'Ravi Kumar, ravi@acme.in, +91 98100 44321, telecaller, 201',
    { ...ravi, phone: '+91 98100 44321', extension: '201' },
  ],
  ['Ravi Kumar, 9810044321', { name: 'Ravi Kumar', phone: '9810044321' }],
  ['Ravi Kumar, ravi@acme.in, Pune office', { ...ravi, team: 'Pune office' }],
  ['Ravi, North, ravi@acme.in', { name: 'Ravi', email: 'ravi@acme.in', team: 'north' }],
  ['Ravi Kumar | ravi@acme.in | ext 17 | Team Lead', { ...ravi, extension: '17', role: 'Manager' }],
  ['रवि कुमार, ravi@acme.in, मैनेजर', { name: 'रवि कुमार', email: 'ravi@acme.in', role: 'Manager' }],
  [
    'First name,Last name,Email,Role,Team,Extension\r\nRavi,Kumar,ravi@acme.in,Admin,,\r\nMeera,,meera@acme.in,Agent,South,12\r\n',
    { ...ravi, role: 'Admin' },
    { name: 'Meera', email: 'meera@acme.in', team: 'South', extension: '12' },
  ],
  [' \n\n--\n', ...[]],
] as [string, ...Partial<Invitee>[]][])
  test(`reads users from ${JSON.stringify(text)}`, () =>
    assert.deepEqual(
      readInvitees(text, ['north']),
      expected.map((one) => ({ ...noInvitee, ...one })),
    ))

test('of many lines, one more is read than may be invited at once', () => {
  assert.equal(readInvitees('a@example.com\n'.repeat(5000), []).length, maxInvitees + 1)
})
