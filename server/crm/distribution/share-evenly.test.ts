import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Credits, giveBack, nextAssignee, type Share } from './share-evenly.ts'

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 })
const named = (list: number[]): Share[] => list.map((weight, index) => ({ user_id: `user ${index}`, weight }))
const totalOf = (people: Share[]) => people.reduce((sum, { weight }) => sum + weight, 0)

function run(people: Share[], leads: number, credits: Credits = {}) {
  const order: string[] = []
  let left = credits
  for (let n = 0; n < leads; n++) {
    const next = nextAssignee(left, people)
    order.push(next.user_id)
    left = next.credits
  }
  return { order, credits: left }
}

test('weights of 2 and 1 alternate two to one, and the first user starts', () => {
  const people = named([2, 1])
  assert.deepEqual(
    run(people, 6).order.map((id) => id.at(-1)),
    ['0', '1', '0', '0', '1', '0'],
  )
})

test('each share differs from its weight by at most one lead, and is exact after as many leads as the weights add up to', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const people = named(list)
      const { order } = run(people, totalOf(people))
      const had = list.map(() => 0)
      for (const [index, id] of order.entries()) {
        had[Number(id.split(' ')[1])]!++
        for (const [at, weight] of list.entries())
          assert.ok(Math.abs(had[at]! - ((index + 1) * weight) / totalOf(people)) <= 1 + 1e-6, `${list} at ${index}`)
      }
      assert.deepEqual(had, list)
    }),
  )
})

test('two hundred users with the largest weight come one after another', () => {
  const { order } = run(named(Array.from({ length: 200 }, () => 999)), 400)
  assert.equal(new Set(order.slice(0, 200)).size, 200)
  assert.deepEqual(order.slice(200), order.slice(0, 200))
})

test('a user with a large weight is never left out twice in a row', () => {
  const { order } = run(named([20, 1, 1, 1, 1, 1, 1, 1]), 270)
  for (let n = 0; n < 269; n++) assert.ok(order[n] === 'user 0' || order[n + 1] === 'user 0', `${order}`)
})

/** Users who are available while so many leads come. At least one is. */
const spells = fc.array(
  fc.tuple(fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), fc.integer({ min: 1, max: 30 })),
  {
    minLength: 1,
    maxLength: 20,
  },
)

test('while users come and go, each gets their share of the leads of their time, within two leads', () => {
  fc.assert(
    fc.property(weights, spells, (list, spells) => {
      const everyone = named(list)
      const [fair, had] = [list.map(() => 0), list.map(() => 0)]
      let credits: Credits = {}
      for (const [isThere, leads] of spells) {
        const some = everyone.filter((_, index) => isThere[index])
        const people = some.length > 0 ? some : everyone
        const done = run(people, leads, credits)
        credits = done.credits
        for (const { user_id, weight } of people)
          fair[Number(user_id.split(' ')[1])]! += (leads * weight) / totalOf(people)
        for (const id of done.order) had[Number(id.split(' ')[1])]!++
        for (const [index, share] of fair.entries())
          assert.ok(Math.abs(had[index]! - share) < 2, `${list}: ${had}, ${fair}`)
      }
    }),
    { numRuns: 300 },
  )
})

test('a user who comes back does not catch up', () => {
  const [asha, bela] = named([1, 1]) as [Share, Share]
  const { credits } = run([asha], 50)
  assert.deepEqual(run([asha, bela], 4, credits).order.filter((id) => id === bela.user_id).length, 2)
})

test('a lead that is given back changes nothing, in any order', () => {
  fc.assert(
    fc.property(weights, fc.nat(50), (list, leads) => {
      const people = named(list)
      const { credits } = run(people, leads)
      const [one, other] = [nextAssignee(credits, people), nextAssignee(nextAssignee(credits, people).credits, people)]
      const back = giveBack(giveBack(other.credits, people, one.user_id), people, other.user_id)
      for (const { user_id } of people) assert.ok(Math.abs((back[user_id] ?? 0) - (credits[user_id] ?? 0)) < 1e-9)
    }),
  )
})
