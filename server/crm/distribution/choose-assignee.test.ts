import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  chooseAssignees,
  type DistributionRule,
  type LeadToAssign,
  type Members,
  noEnquiryValues,
} from './choose-assignee.ts'

const people = [
  { user_id: 'asha', weight: 2 },
  { user_id: 'bela', weight: 1 },
]
const rule = (conditions: Partial<DistributionRule>): DistributionRule => ({
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
  people,
  method: 'round_robin',
  pass_on_after: null,
  paused: false,
  daily_limit: null,
  ...conditions,
})
const lead = (fields: Partial<LeadToAssign> = {}): LeadToAssign => ({
  ...noEnquiryValues,
  source: 'Website',
  city: 'Pune',
  tags: ['vip', 'new'],
  webhook_id: null,
  ...fields,
})

const budget = (answers: string[]) => ({ question: 'What is your budget?', answers })
const answered = (answer: string, question = 'what is your budget? ') => ({ answers: [{ question, answer }] })

/** Times are IST. 2026-11-23 is a Monday. */
const ist = (text: string) => new Date(`${text.replace(' ', 'T')}:00+05:30`)
const [monday, night] = [ist('2026-11-23 11:00'), ist('2026-11-23 23:00')]
const hours = { days: [1, 2, 3, 4, 5, 6], from: 540, until: 1140 }
const leave = { id: 'leave', from: ist('2026-11-20 00:00'), until: ist('2026-11-26 00:00') }
const early = { workingHours: { ...hours, from: 360, until: 600 } }

type User = Partial<Members['users'][number]>
const account = (users: Record<string, User>, fallbackOwner: string | null = null): Members => ({
  workingHours: hours,
  fallbackOwner,
  users: ['asha', 'bela', 'chand'].map((id) => ({
    id,
    name: id[0]!.toUpperCase() + id.slice(1),
    active: true,
    workingHours: null,
    absences: [],
    ...users[id],
  })),
})

for (const [claim, conditions, fields, matches] of [
  ['without conditions matches every lead', {}, {}, true],
  ['matches a lead with one of its sources', { sources: ['Fair', 'Website'] }, {}, true],
  ['ignores case and surrounding spaces', { sources: [' WEBSITE '], cities: ['pune'], tags: ['VIP'] }, {}, true],
  ['does not match another source', { sources: ['Web'] }, {}, false],
  ['does not match another city', { cities: ['Goa'] }, {}, false],
  ['with a city does not match a lead without one', { cities: ['Goa'] }, { city: null }, false],
  ['matches a lead with one of its tags', { tags: ['other', 'new'] }, {}, true],
  ['matches a lead of one of its campaigns', { campaigns: ['Diwali', 'दिवाली'] }, { campaign: 'दिवाली' }, true],
  ['does not match part of a campaign', { campaigns: ['Diwali'] }, { campaign: 'Diwali 2026' }, false],
  ['with a campaign does not match a lead without one', { campaigns: ['Diwali'] }, {}, false],
  [
    'ignores case in products and forms',
    { products: ['2 bhk'], forms: ['FORM'] },
    { product: '2 BHK', form: 'form' },
    true,
  ],
  ['needs the product and the form', { products: ['2 BHK'], forms: ['Visit'] }, { product: '2 BHK' }, false],
  ['matches one of the answers', { answers: [budget(['40 lakh', '60 LAKH'])] }, answered('60 lakh '), true],
  [
    'reads several lines as one',
    { answers: [budget(['60 lakh'])] },
    answered('60\nlakh', 'What is\n your budget?'),
    true,
  ],
  ['does not match another answer', { answers: [budget(['40 lakh'])] }, answered('60 lakh'), false],
  [
    'does not match the answer to another question',
    { answers: [budget(['60 lakh'])] },
    answered('60 lakh', 'Loan'),
    false,
  ],
  ['matches one of several chosen values', { answers: [budget(['Wakad'])] }, answered('Baner, Wakad'), true],
  ['matches chosen values together', { answers: [budget(['baner, wakad'])] }, answered('Baner, Wakad'), true],
  ['matches no part of a number', { answers: [budget(['50'])] }, answered('1,50,000'), false],
  [
    'needs an answer to each question',
    { answers: [budget(['60 lakh']), { question: 'Loan', answers: ['Yes'] }] },
    answered('60 lakh'),
    false,
  ],
  ['with an answer does not match a lead without any', { answers: [budget(['60 lakh'])] }, {}, false],
  ['with tags does not match a lead without tags', { tags: ['vip'] }, { tags: [] }, false],
  ['matches the leads of its webhooks', { webhook_ids: ['hook', 'other'] }, { webhook_id: 'hook' }, true],
  ['does not match another webhook', { webhook_ids: ['hook'] }, { webhook_id: 'other' }, false],
  ['for a webhook does not match a lead from elsewhere', { webhook_ids: ['hook'] }, {}, false],
  ['matches if all its conditions match', { sources: ['Website'], cities: ['Pune'], tags: ['vip'] }, {}, true],
  ['does not match if one condition does not', { sources: ['Website'], cities: ['Goa'], tags: ['vip'] }, {}, false],
] as [string, Partial<DistributionRule>, Partial<LeadToAssign>, boolean][]) {
  test(`a rule ${claim}`, () => {
    const chosen = chooseAssignees([rule(conditions)], lead(fields), account({}), monday)
    assert.equal(chosen?.rule.id ?? null, matches ? 'rule' : null)
  })
}

const away = { absences: [leave] }
const inactive = { active: false }
const rules = [
  rule({ id: 'elsewhere', name: 'Goa', cities: ['Goa'], people: [{ user_id: 'chand', weight: 1 }] }),
  rule({ id: 'first', name: 'First' }),
  rule({ id: 'second', name: 'Second', people: [{ user_id: 'chand', weight: 1 }] }),
]
const none = 'No user of the rule “First” is available.'
const cases: [
  claim: string,
  users: Record<string, User>,
  fallback: string | null,
  at: Date,
  rule: string | null,
  to: string,
  because: string,
][] = [
  ['with available users applies', {}, null, monday, 'first', 'asha bela', ''],
  ['skips users who are away', { asha: away }, null, monday, 'first', 'bela', 'Asha is away until 25 Nov.'],
  ['skips deactivated users', { asha: inactive }, null, monday, 'first', 'bela', ''],
  ['skips users outside of their own hours', { bela: early }, null, monday, 'first', 'asha', ''],
  ['leaves the lead to the next one', { asha: away, bela: early }, null, monday, 'second', 'chand', none],
  ['with deactivated users does not count', { asha: inactive, bela: inactive }, null, monday, 'second', 'chand', ''],
  [
    'without available users has the fallback owner',
    { asha: away, bela: away, chand: away },
    'zoya',
    monday,
    'first',
    'asha bela',
    'Asha is away until 25 Nov. Bela is away until 25 Nov.',
  ],
  ['at night has the fallback owner', {}, 'chand', night, 'first', 'chand', none],
  ['does not have a fallback owner who is away', { chand: away }, 'chand', night, 'first', 'asha bela', ''],
  ['does not have a deactivated fallback owner', { chand: inactive }, 'chand', night, 'first', 'asha bela', ''],
  [
    'at night shares among those who are not away',
    { asha: away },
    null,
    night,
    'first',
    'bela',
    'Asha is away until 25 Nov.',
  ],
  [
    'at night leaves it to the next one if all are away',
    { asha: away, bela: away },
    null,
    night,
    'second',
    'chand',
    '',
  ],
  [
    'shares among all if all are away',
    { asha: away, bela: away, chand: away },
    null,
    night,
    'first',
    'asha bela',
    'Asha is away until 25 Nov. Bela is away until 25 Nov.',
  ],
  ['needs an active user', { asha: inactive, bela: inactive, chand: inactive }, 'asha', monday, null, '', ''],
]
for (const [claim, users, fallback, at, id, to, because] of cases) {
  test(`a matching rule ${claim}`, () => {
    const chosen = chooseAssignees(rules, lead(), account(users, fallback), at)
    assert.deepEqual(
      [chosen?.rule.id ?? null, chosen?.people.map(({ user_id }) => user_id).join(' ') ?? '', chosen?.because ?? ''],
      [id, to, because],
    )
  })
}

test('a paused rule is skipped as if it did not exist', () => {
  const paused = rules.map((one) => ({ ...one, paused: one.id === 'first' }))
  const chosen = chooseAssignees(paused, lead(), account({}), monday)
  assert.deepEqual([chosen?.rule.id, chosen?.because, chosen?.isFirst], ['second', '', true])
  const all = rules.map((one) => ({ ...one, paused: true }))
  assert.equal(chooseAssignees(all, lead(), account({}, 'asha'), monday), null)
})

const limited = rules.map((one) => ({ ...one, daily_limit: one.id === 'second' ? 1 : 20 }))
const ofLimits: [
  claim: string,
  full: Record<string, string[]>,
  users: Record<string, User>,
  fallback: string | null,
  at: Date,
  rule: string,
  to: string,
  because: string,
][] = [
  [
    'skips users who have reached it',
    { first: ['asha'] },
    {},
    null,
    monday,
    'first',
    'bela',
    'Asha has reached the limit of 20 leads today.',
  ],
  [
    'is of one rule: another one still gives them leads',
    { first: ['asha', 'bela'] },
    {},
    null,
    monday,
    'second',
    'chand',
    `${none} Asha and Bela have reached the limit of 20 leads today.`,
  ],
  [
    'leaves the lead to the fallback owner',
    { first: ['asha', 'bela'], second: ['chand'] },
    {},
    'bela',
    monday,
    'first',
    'bela',
    `${none} Asha and Bela have reached the limit of 20 leads today.`,
  ],
  [
    'holds at night',
    { first: ['asha'] },
    {},
    null,
    night,
    'first',
    'bela',
    'Asha has reached the limit of 20 leads today.',
  ],
  [
    'holds if all others are away',
    { first: ['asha'] },
    { bela: away, chand: away },
    null,
    night,
    'first',
    'bela',
    'Bela is away until 25 Nov. Asha has reached the limit of 20 leads today.',
  ],
  [
    'leaves the lead unassigned if all have reached it',
    { first: ['asha', 'bela'], second: ['chand'] },
    {},
    null,
    monday,
    'first',
    '',
    'All users of the matching rules have reached their limits today.',
  ],
]
for (const [claim, full, users, fallback, at, id, to, because] of ofLimits) {
  test(`a daily limit ${claim}`, () => {
    const chosen = chooseAssignees(limited, lead(), account(users, fallback), at, new Map(Object.entries(full)))
    assert.deepEqual(
      [chosen?.rule.id, chosen?.people.map(({ user_id }) => user_id).join(' '), chosen?.because],
      [id, to, because],
    )
  })
}

test('at most three users are named', () => {
  const many = ['asha', 'bela', 'chand', 'dev', 'esha'].map((id) => ({ user_id: id, weight: 1 }))
  const members = account({})
  const users = many.map(({ user_id }) => ({ ...members.users[0]!, id: user_id, name: user_id, ...away }))
  const chosen = chooseAssignees([rule({ people: many })], lead(), { ...members, users }, monday)
  assert.match(chosen!.because, /chand is away until 25 Nov\. 2 more are away\.$/)
})
