import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldRows } from './held-rows.ts'

/** Rows as text: a letter for the key, and what they show. */
const rows = (text: string) => text.split(' ').filter((row) => row !== '')

const cases: [what: string, shown: string, now: string, held: string, added: number][] = [
  ['nothing changed', 'a b c', 'a b c', 'a b c', 0],
  ['a new row comes first', 'a b c', 'd a b c', 'a b c', 1],
  ['new rows push others off the page', 'a b c', 'e d a', 'a b c', 2],
  ['a row changes in place', 'a b c', 'a b2 c', 'a b2 c', 0],
  ['a row that moves to the top keeps its place', 'a b c', 'c2 a b', 'a b c2', 0],
  ['a row that is gone disappears', 'a b c', 'a c', 'a c', 0],
  ['a row that is gone disappears while another comes', 'a b c', 'd a c', 'a c', 1],
  ['more rows come than the page has', 'a b', 'd e', 'a b', 2],
  ['a row comes in between', 'a c', 'a b c', 'a c', 1],
  ['all rows are gone', 'a b', '', '', 0],
  ['rows move up where others are gone', 'a b c', 'a d e', 'a d e', 0],
  ['rows move up behind one that moved to the end', 'a b c', 'c a d', 'a c d', 0],
  ['rows move up while one comes', 'a b c', 'd a e', 'a e', 1],
]

for (const [what, shown, now, held, added] of cases) {
  test(what, () => {
    assert.deepEqual(
      heldRows(rows(shown), rows(now), (row) => row[0]!),
      { rows: rows(held), added },
    )
  })
}

test('rows move up where all are gone, because the list is shorter', () => {
  assert.deepEqual(
    heldRows(rows('a b'), rows('d e'), (row) => row, true),
    { rows: ['d', 'e'], added: 0 },
  )
})
