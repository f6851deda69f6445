import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePlace } from './free-place.ts'

const screen = { top: 0, bottom: 400 }
const [title, save] = [
  { top: 0, bottom: 60 },
  { top: 340, bottom: 400 },
]

for (const [what, others, expected] of [
  ['nothing is there', [], 342],
  ['the field is above', [{ top: 100, bottom: 140 }], 342],
  ['the field is at the bottom', [{ top: 350, bottom: 390 }], 292],
  ['Save is at the bottom', [{ top: 100, bottom: 140 }, title, save], 282],
  ['the field is above Save', [{ top: 290, bottom: 330 }, title, save], 232],
  ['there is no room beside all', [{ top: 70, bottom: 110 }, title, { top: 115, bottom: 400 }], 342],
  ['the field fills the screen', [{ top: 10, bottom: 400 }], 8],
] as const)
  test(`a box finds its place: ${what}`, () => assert.equal(freePlace(50, screen, others), expected))
