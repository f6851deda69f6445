import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines, csvOf, escapeFormulas, unescapeFormulas } from './csv.ts'

test('cells are written as RFC 4180 says', () => {
  assert.equal(csvLines([['a', null, 1.5, 'x,y', 'q"r', 'l\nm', 'x;y', '']]), 'a,,1.5,"x,y","q""r","l\nm","x;y",\r\n')
})

test('no cell starts a formula, whatever precedes the sign', () => {
  const signs = ['=1+1', '+1+1', '+91', '+91-98', '-1', '@x', '\u{FF1D}1']
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

test('a phone is written in groups of digits, without an apostrophe, and nothing else with a plus is', async () => {
  const written = async (cell: string) => {
    const columns = [{ header: 'Phone', kind: 'phone' as const, cell: (row: string) => row }]
    const [, line] = await Array.fromAsync(csvOf({ name: 'Phones', columns, rows: [[cell]] }))
    return line!.trimEnd()
  }
  for (const [phone, cell] of [
    ['+919820000001', '+91 9820000001'],
    ['+91 98200 00001', '+91 98200 00001'],
    ['+91-98200-00001', '+91 98200 00001'],
    ['+1 (213) 373-4253', '+1 213 373 4253'],
    ['+12133734253', '+1 2133734253'],
    ['+971501234567', '+971 501234567'],
    ['9820000001', '9820000001'],
    ['022-2673 1234', '022-2673 1234'],
    ['+91 98200 00001; +912226731234; a@example.com', '"+91 98200 00001; +91 2226731234; a@example.com"'],
    ['+91 98200 00001; +x@example.com', `"+91 98200 00001;' +x@example.com"`],
    ['+91', "'+91"],
    ['+91 98200 00001+1', "'+91 98200 00001+1"],
    ['+cmd|1', "'+cmd|1"],
    ['=1;+91 98', `"'=1;+91 98"`],
    ['+91 98\n=1', `"'+91 98\n=1"`],
  ] as const)
    assert.equal(await written(phone), cell, phone)
  assert.equal(unescapeFormulas("'+91 98200 00001"), '+91 98200 00001')
})
