import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasVisibleText } from './visible-text.ts'

for (const [what, text] of [
  ['spaces', ' \u00a0\u2003\u3000'],
  ['zero-width spaces and joiners', '\u200b\u200c\u200d\u2060\ufeff'],
  ['braille blanks', '\u2800\u2800'],
  ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
  ['soft hyphens', '\u00ad'],
  ['tags', '\u{e0041}\u{e007f}'],
  ['direction marks', '\u200e\u200f\u061c\u202a\u202c\u2066\u2069'],
  ['variation selectors', '\ufe0f\u{e0100}\u180b'],
  ['an accent without a letter', '\u0301'],
  ['invisible operators', '\u2061\u2062\u2063\u2064'],
  ['private characters', '\ue000'],
] as const) {
  test(`nothing is visible in ${what}`, () => assert.equal(hasVisibleText(text), false))
}

for (const text of ['A', '7', '.', '😀', 'क्\u200dष', 'می\u200cخواهم', '\u3164x', '李', '\u202a1\u202c', '-']) {
  test(`${JSON.stringify(text)} is visible`, () => assert.equal(hasVisibleText(text), true))
}
