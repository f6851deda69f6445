import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullCards } from './full-cards.ts'

/** A call that began at that minute. */
const call = (id: string, state: 'ringing' | 'answered' | 'ended', minute: number, is_own = true) => ({
  id,
  state,
  is_own,
  started_at: `2026-11-21T05:0${minute}:00Z`,
})
const older = call('older', 'ended', 1)
const others = call('others', 'answered', 2, false)
const spoken = call('spoken', 'answered', 3)
const ended = call('ended', 'ended', 4)
const rings = call('rings', 'ringing', 5)

type Use = { small?: string[]; usedId?: string; edited?: string[]; max?: number }

for (const [what, calls, use, expected] of [
  ['the call of the user is before one that rings', [ended, spoken, rings], {}, ['spoken']],
  ['which is next', [ended, spoken, rings], { max: 2 }, ['spoken', 'rings']],
  ['a call that rings is before those of others', [ended, others, rings], {}, ['rings']],
  ['also if it was made small', [ended, others, rings], { small: ['rings'] }, ['rings']],
  [
    'the call of the user is before newer calls of others',
    [{ ...others, started_at: rings.started_at }, spoken],
    {},
    ['spoken'],
  ],
  ['a card in use keeps its place', [ended, spoken, rings], { usedId: 'ended' }, ['ended']],
  ['beside the call of the user', [ended, spoken, rings], { usedId: 'ended', max: 2 }, ['ended', 'spoken']],
  ['a call made small leaves its place', [ended, spoken, rings], { small: ['spoken'], max: 2 }, ['rings', 'ended']],
  ['the call of the user is before an edited form', [older, spoken], { edited: ['older'] }, ['spoken']],
  ['an edited form is before newer calls', [ended, others, older], { edited: ['older'] }, ['older']],
  ['the form used last is before others', [ended, older], { edited: ['older', 'ended'] }, ['older']],
  ['an edited form can be made small', [ended, older], { edited: ['older'], small: ['older'] }, ['ended']],
  ['the newest of calls that ended', [older, ended], {}, ['ended']],
  ['also if others speak', [older, others, ended], { max: 2 }, ['ended', 'others']],
  ['none, if all were made small', [ended], { small: ['ended'] }, []],
] as [string, Parameters<typeof fullCards>[0], Use, string[]][])
  test(`full cards: ${what}`, () => {
    const { small = [], usedId = null, edited = [], max = 1 } = use
    assert.deepEqual([...fullCards(calls, { small: new Set(small), usedId, edited, max })], expected)
  })
