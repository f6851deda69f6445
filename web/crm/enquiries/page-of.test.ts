import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from './page-of.ts'

for (const [sent, label, href] of [
  [
    'https://www.sunrise.in/baner/2-bhk/?utm_source=fb#form',
    'sunrise.in/baner/2-bhk',
    'https://www.sunrise.in/baner/2-bhk/?utm_source=fb#form',
  ],
  ['http://sunrise.in', 'sunrise.in', 'http://sunrise.in/'],
  ['https://sunrise.in/%E0%A4%98%E0%A4%B0', 'sunrise.in/घर', 'https://sunrise.in/%E0%A4%98%E0%A4%B0'],
  ['https://sunrise.in/%E0%A4', 'sunrise.in/%E0%A4', 'https://sunrise.in/%E0%A4'],
  [`https://sunrise.in/${'a'.repeat(60)}`, `sunrise.in/${'a'.repeat(36)}…`, `https://sunrise.in/${'a'.repeat(60)}`],
  ['/contact-us', '/contact-us', null],
  ['sunrise.in/contact', 'sunrise.in/contact', null],
  ['javascript:alert(1)', 'javascript:alert(1)', null],
  ['data:text/html,x', 'data:text/html,x', null],
  ['sunrise.in:8080/contact', 'sunrise.in:8080/contact', null],
] as const)
  test(`the page ${sent.slice(0, 60)} is shown short, and is a link only if a browser may open it`, () =>
    assert.deepEqual(pageOf(sent), { label, href }))
