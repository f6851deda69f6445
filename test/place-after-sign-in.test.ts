import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeAfter } from '../web/sign-in/place-after.ts'

const origin = 'https://leads.example.com'

test('who signs in goes on to the page of ours that they wished', () => {
  for (const wished of ['/', '/leads?status=New&page=2', '/settings/team#bela', '/leads/1'])
    assert.equal(placeAfter(wished, origin), `${origin}${wished}`)
})

test('nobody is sent to another site, or to a script, however it is spelled', () => {
  const spelled = [
    ...[
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n\\evil.example',
      '\t//evil.example',
    ],
    ...[
      '///evil.example',
      '/\r/\n/evil.example',
      'https://evil.example',
      'https:evil.example',
      'http://leads.example.com/',
    ],
    ...['javascript:alert(1)', 'java\tscript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', `blob:${origin}/1`],
    ...['https://leads.example.com@evil.example/', '//leads.example.com@evil.example', '', ' ', 'leads', '//', '//['],
  ]
  for (const wished of [...spelled, undefined]) assert.equal(placeAfter(wished, origin), '/', JSON.stringify(wished))
  for (const wished of ['/.//evil.example', '/%2e//evil.example', '/leads/..//evil.example', '/%5cevil.example'])
    assert.equal(new URL(placeAfter(wished, origin), origin).origin, origin, wished)
})
