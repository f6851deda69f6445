import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assigneeAt, type DistributionRule, type LeadToAssign, matchingRule } from './choose-assignee.ts'

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
  people,
  ...conditions,
})
const lead = (fields: Partial<LeadToAssign> = {}): LeadToAssign => ({
  source: 'Website',
  city: 'Pune',
  tags: ['vip', 'new'],
  webhook_id: null,
  ...fields,
})

for (const [claim, conditions, fields, matches] of [
  ['without conditions matches every lead', {}, {}, true],
  ['matches a lead with one of its sources', { sources: ['Fair', 'Website'] }, {}, true],
  ['ignores case and surrounding spaces', { sources: [' WEBSITE '], cities: ['pune'], tags: ['VIP'] }, {}, true],
  ['does not match another source', { sources: ['Web'] }, {}, false],
  ['does not match another city', { cities: ['Goa'] }, {}, false],
  ['with a city does not match a lead without one', { cities: ['Goa'] }, { city: null }, false],
  ['matches a lead with one of its tags', { tags: ['other', 'new'] }, {}, true],
  ['with tags does not match a lead without tags', { tags: ['vip'] }, { tags: [] }, false],
  ['matches the leads of its webhooks', { webhook_ids: ['hook', 'other'] }, { webhook_id: 'hook' }, true],
  ['does not match another webhook', { webhook_ids: ['hook'] }, { webhook_id: 'other' }, false],
  ['for a webhook does not match a lead from elsewhere', { webhook_ids: ['hook'] }, {}, false],
  ['matches if all its conditions match', { sources: ['Website'], cities: ['Pune'], tags: ['vip'] }, {}, true],
  ['does not match if one condition does not', { sources: ['Website'], cities: ['Goa'], tags: ['vip'] }, {}, false],
] as [string, Partial<DistributionRule>, Partial<LeadToAssign>, boolean][]) {
  test(`a rule ${claim}`, () => {
    const matching = matchingRule([rule(conditions)], lead(fields), () => true)
    assert.equal(matching?.id ?? null, matches ? 'rule' : null)
  })
}

test('the first matching rule with an active user applies', () => {
  const rules = [
    rule({ id: 'elsewhere', cities: ['Goa'] }),
    rule({ id: 'inactive', people: [{ user_id: 'gone', weight: 5 }] }),
    rule({ id: 'empty', people: [] }),
    rule({ id: 'this' }),
    rule({ id: 'too late' }),
  ]
  assert.equal(matchingRule(rules, lead(), (id) => id !== 'gone')?.id, 'this')
  assert.equal(
    matchingRule(rules, lead(), () => false),
    null,
  )
  assert.equal(
    matchingRule([], lead(), () => true),
    null,
  )
})

test('only the active users of a rule get leads', () => {
  const found = matchingRule([rule({})], lead(), (id) => id === 'bela')
  assert.deepEqual(found?.people, [{ user_id: 'bela', weight: 1 }])
})

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 })
const named = (list: number[]) => list.map((weight, index) => ({ user_id: `person ${index}`, weight }))

test('in any run as long as the sum of the weights, each user comes as often as their weight', () => {
  fc.assert(
    fc.property(weights, fc.nat(100_000), (list, start) => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const order = Array.from({ length: total }, (_, position) => assigneeAt(named(list), start + position))
      assert.deepEqual(
        list.map((_, index) => order.filter((who) => who === `person ${index}`).length),
        list,
      )
    }),
  )
})

test('positions are spread: no user is ever far from their share', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const had = list.map(() => 0)
      for (let position = 0; position < total; position++) {
        had[Number(assigneeAt(named(list), position).split(' ')[1])]!++
        for (const [index, weight] of list.entries()) {
          const share = ((position + 1) * weight) / total
          assert.ok(Math.abs(had[index]! - share) < Math.max(2, list.length / 2), `${list} at ${position}`)
        }
      }
    }),
  )
})

test('weights of 2 and 1 alternate two to one', () => {
  const order = Array.from({ length: 6 }, (_, position) => assigneeAt(people, position))
  assert.deepEqual(order, ['asha', 'bela', 'asha', 'asha', 'bela', 'asha'])
})

test('shares are exact with the largest weights', () => {
  const large = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(large, fc.nat(1_000_000_000), (list, start) => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const had = list.map(() => 0)
      for (let position = 0; position < total; position++)
        had[Number(assigneeAt(named(list), start + position).split(' ')[1])]!++
      assert.deepEqual(had, list)
    }),
    { numRuns: 20 },
  )
})

test('two hundred users with the largest weight come one after another', () => {
  const list = named(Array.from({ length: 200 }, () => 999))
  for (const start of [0, 100 * 999, 199 * 999]) {
    assert.equal(new Set(Array.from({ length: 200 }, (_, position) => assigneeAt(list, start + position))).size, 200)
  }
})

test('a user with a large weight never comes three times in a row', () => {
  const list = named([20, 1, 1, 1, 1, 1, 1, 1])
  const order = Array.from({ length: 27 }, (_, position) => assigneeAt(list, position))
  for (let position = 0; position < 26; position++) {
    assert.ok(order[position] === 'person 0' || order[position + 1] === 'person 0', `${order}`)
  }
})
