import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastLoaded } from './least-loaded.ts'

const cases: [title: string, open: Record<string, number>, leads: number, got: Record<string, number>][] = [
  ['equal loads are shared evenly', {}, 7, { a: 3, b: 2, c: 2 }],
  ['who has fewer catches up first', { a: 10, b: 4, c: 0 }, 6, { c: 5, b: 1 }],
  ['one with many more gets none', { a: 500 }, 10, { b: 5, c: 5 }],
]
for (const [title, open, leads, got] of cases)
  test(title, () => {
    const next = leastLoaded([{ id: 'a' }, { id: 'b' }, { id: 'c' }], new Map(Object.entries(open)))
    const counted: Record<string, number> = {}
    for (let n = 0; n < leads; n++) {
      const { id } = next()
      counted[id] = (counted[id] ?? 0) + 1
    }
    assert.deepEqual(counted, got)
  })
