import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DistributionRule, type LeadToAssign, matchingRule, personAtTurn } from './choose-assignee.ts'

const people = [
  { user_id: 'asha', weight: 2 },
  { user_id: 'bela', weight: 1 },
]
const rule = (conditions: Partial<DistributionRule>): DistributionRule => ({
  ...{ id: 'rule', name: 'Rule', sources: [], cities: [], tags: [], webhook_ids: [], people },
  ...conditions,
})
const lead = (fields: Partial<LeadToAssign> = {}): LeadToAssign => ({
  ...{ source: 'Website', city: 'Pune', tags: ['vip', 'new'], webhook_id: null },
  ...fields,
})

for (const [claim, conditions, fields, fits] of [
  ['without conditions fits every lead', {}, {}, true],
  ['fits a lead of its source', { sources: ['Fair', 'Website'] }, {}, true],
  ['fits without regard to case and blanks', { sources: [' WEBSITE '], cities: ['pune'], tags: ['VIP'] }, {}, true],
  ['does not fit another source', { sources: ['Web'] }, {}, false],
  ['does not fit another city', { cities: ['Goa'] }, {}, false],
  ['with a city does not fit a lead without one', { cities: ['Goa'] }, { city: null }, false],
  ['fits a lead with one of its tags', { tags: ['other', 'new'] }, {}, true],
  ['with tags does not fit a lead without any', { tags: ['vip'] }, { tags: [] }, false],
  ['fits the leads of its webhook', { webhook_ids: ['hook', 'other'] }, { webhook_id: 'hook' }, true],
  ['does not fit another webhook', { webhook_ids: ['hook'] }, { webhook_id: 'other' }, false],
  ['of a webhook does not fit what came otherwise', { webhook_ids: ['hook'] }, {}, false],
  ['fits when all its conditions hold', { sources: ['Website'], cities: ['Pune'], tags: ['vip'] }, {}, true],
  ['does not fit when one of them does not', { sources: ['Website'], cities: ['Goa'], tags: ['vip'] }, {}, false],
] as [string, Partial<DistributionRule>, Partial<LeadToAssign>, boolean][]) {
  test(`a rule ${claim}`, () => {
    const matching = matchingRule([rule(conditions)], lead(fields), () => true)
    assert.equal(matching?.id ?? null, fits ? 'rule' : null)
  })
}

test('the first rule that fits decides, of those with somebody active', () => {
  const rules = [
    rule({ id: 'elsewhere', cities: ['Goa'] }),
    rule({ id: 'of the absent', people: [{ user_id: 'gone', weight: 5 }] }),
    rule({ id: 'of nobody', people: [] }),
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

test('only the active people of a rule take turns', () => {
  const found = matchingRule([rule({})], lead(), (id) => id === 'bela')
  assert.deepEqual(found?.people, [{ user_id: 'bela', weight: 1 }])
})

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 })
const named = (list: number[]) => list.map((weight, index) => ({ user_id: `person ${index}`, weight }))

test('in any run of as many turns as the weights add up to, each person comes as often as their weight', () => {
  fc.assert(
    fc.property(weights, fc.nat(100_000), (list, start) => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const turns = Array.from({ length: total }, (_, turn) => personAtTurn(named(list), start + turn))
      assert.deepEqual(
        list.map((_, index) => turns.filter((who) => who === `person ${index}`).length),
        list,
      )
    }),
  )
})

test('turns are spread: at no time is anybody a whole turn or more from their share', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const had = list.map(() => 0)
      for (let turn = 0; turn < total; turn++) {
        had[Number(personAtTurn(named(list), turn).split(' ')[1])]!++
        for (const [index, weight] of list.entries()) {
          const share = ((turn + 1) * weight) / total
          assert.ok(Math.abs(had[index]! - share) < Math.max(2, list.length / 2), `${list} at ${turn}`)
        }
      }
    }),
  )
})

test('two to one is two to one, in turn', () => {
  const turns = Array.from({ length: 6 }, (_, turn) => personAtTurn(people, turn))
  assert.deepEqual(turns, ['asha', 'bela', 'asha', 'asha', 'bela', 'asha'])
})

test('shares are exact with the largest weights', () => {
  const large = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(large, fc.nat(1_000_000_000), (list, start) => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const had = list.map(() => 0)
      for (let turn = 0; turn < total; turn++) had[Number(personAtTurn(named(list), start + turn).split(' ')[1])]!++
      assert.deepEqual(had, list)
    }),
    { numRuns: 20 },
  )
})

test('two hundred people with the largest weight come one after another', () => {
  const list = named(Array.from({ length: 200 }, () => 999))
  for (const start of [0, 100 * 999, 199 * 999]) {
    assert.equal(new Set(Array.from({ length: 200 }, (_, turn) => personAtTurn(list, start + turn))).size, 200)
  }
})

test('one person with a large weight does not keep the others waiting in a row', () => {
  const list = named([20, 1, 1, 1, 1, 1, 1, 1])
  const turns = Array.from({ length: 27 }, (_, turn) => personAtTurn(list, turn))
  for (let turn = 0; turn < 26; turn++) {
    assert.ok(turns[turn] === 'person 0' || turns[turn + 1] === 'person 0', `${turns}`)
  }
})
