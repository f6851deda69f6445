import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlAfterSignIn } from './url-after-sign-in.ts'

const origin = 'https://leads.example.com'

test('signing in leads to the requested page of this site', () => {
  for (const next of ['/', '/leads?status=New&page=2', '/settings/team#bela', '/leads/1'])
    assert.equal(urlAfterSignIn(next, origin), `${origin}${next}`)
})

test('signing in never leads to another site or a script, in any spelling', () => {
  const spelled = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '\t//evil.example',
    '///evil.example',
    '/\r/\n/evil.example',
    'https://evil.example',
    'https:evil.example',
    'http://leads.example.com/',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    `blob:${origin}/1`,
    'https://leads.example.com@evil.example/',
    '//leads.example.com@evil.example',
    '',
    ' ',
    'leads',
    '//',
    '//[',
  ]
  for (const next of [...spelled, undefined]) assert.equal(urlAfterSignIn(next, origin), '/', JSON.stringify(next))
  for (const next of ['/.//evil.example', '/%2e//evil.example', '/leads/..//evil.example', '/%5cevil.example'])
    assert.equal(new URL(urlAfterSignIn(next, origin), origin).origin, origin, next)
})
