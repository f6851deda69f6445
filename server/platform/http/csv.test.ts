import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines, escapeFormulas, unescapeFormulas } from './csv.ts'

test('cells are written as RFC 4180 says', () => {
  assert.equal(csvLines([['a', null, 1.5, 'x,y', 'q"r', 'l\nm', 'x;y', '']]), 'a,,1.5,"x,y","q""r","l\nm","x;y",\r\n')
})

test('no cell starts a formula, whatever precedes the sign', () => {
  const signs = ['=1+1', '+91 98', '-1', '@x', '\u{FF1D}1']
  const hidden = ['', ' ', '\u00a0', '\u200b', '\u00ad', '\u2060\u200e', '\ufeff', '\u3164', '\u0001', '\u{E0001}']
  for (const before of hidden)
    for (const sign of signs) assert.match(csvLines([[before + sign]]), /^"?'/, JSON.stringify(before + sign))
  for (const text of ['\tx', '\rx']) assert.match(csvLines([[text]]), /^"'/)
  for (const text of ['Asha', 'a=b', '1-2', 'क्‍ष = x', '']) {
    assert.doesNotMatch(csvLines([[text]]), /^"?'/)
  }
  // A number of ours is no formula.
  assert.equal(csvLines([[-5]]), '-5\r\n')
})

test('no part between semicolons starts a formula, and all is read back', () => {
  for (const [text, written] of [
    [';=1+1', ";'=1+1"],
    ['; \u200b=1+1;', ";' \u200b=1+1;"],
    [';"=1+1"', `;'"=1+1"`],
    [',=1', "',=1"],
    ['|@x', "'|@x"],
    ['"=1', `'"=1`],
    [';;+1;-1', ";;'+1;'-1"],
    ['x;=1+1;y', "x;'=1+1;y"],
    ['=1;=2', "'=1;'=2"],
    ['\tx', "'\tx"],
    ['a;b', 'a;b'],
    ['a, -b | =c', 'a, -b | =c'],
  ] as const) {
    assert.equal(escapeFormulas(text), written)
    assert.equal(unescapeFormulas(written), text)
  }
})
