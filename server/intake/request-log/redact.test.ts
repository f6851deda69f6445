import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactMessage, redactPath } from './redact.ts'

const id = '0f5b6a3c-2a4e-4c9b-9d0e-5f1f6f0c7a11'
const parameters = { limit: {}, status: { enum: ['New', 'Won'] }, source: {}, from_date: {}, updated_since: {} }

for (const [url, route, shown] of [
  ['/api/v1/leads', '/api/v1/leads', '/api/v1/leads'],
  ['/api/v1/leads?limit=50&status=New', '/api/v1/leads', '/api/v1/leads?limit=50&status=New'],
  ['/api/v1/leads?status=Asha&source=98200', '/api/v1/leads', '/api/v1/leads?status=…&source=98200'],
  ['/api/v1/leads?source=9820011223&source=Asha', '/api/v1/leads', '/api/v1/leads?source=…'],
  ['/api/v1/leads?from_date=2026-11-01', '/api/v1/leads', '/api/v1/leads?from_date=2026-11-01'],
  [
    '/api/v1/leads?updated_since=2026-11-01T10:00:00%2B05:30',
    '/api/v1/leads',
    '/api/v1/leads?updated_since=2026-11-01T10:00:00+05:30',
  ],
  ['/api/v1/leads?9820011223=1&api_key=le_live_x&limit=5', '/api/v1/leads', '/api/v1/leads?…&limit=5'],
  ['/api/v1/leads?limit=%zz', '/api/v1/leads', '/api/v1/leads?limit=…'],
  [`/api/v1/leads/${id}`, '/api/v1/leads/:id', `/api/v1/leads/${id}`],
  ['/api/v1/leads/9820011223', '/api/v1/leads/:id', '/api/v1/leads/…'],
  ['/api/v1/contacts', null, '/api/v1/contacts'],
  ['/api/v1/9820011223?x=1', null, '/api/v1/…?…'],
  [`/api/v1/leads/asha/${id}`, null, `/api/v1/leads/…/${id}`],
  ['/webhook/Jv3kQ8xT1mZr5nWc7yBd2g', '/webhook/:token', '/webhook/…'],
  ['/webhook/Jv3kQ8xT1mZr5nWc7yBd2g?phone=9820011223', '/webhook/:token', '/webhook/…?…'],
] as const)
  test(`${url} is shown as ${shown}`, () => assert.equal(redactPath(url, route, parameters), shown))

test('paths and messages have a longest length', () => {
  assert.equal(
    redactPath(`/api/v1/leads?${'limit=5&status=New&'.repeat(1000)}`, '/api/v1/leads', parameters),
    '/api/v1/leads?limit=5&status=New',
  )
  assert.ok(redactPath(`/${'a/'.repeat(5000)}`, null).length <= 300)
  assert.ok(redactMessage('phone '.repeat(1000)).length <= 500)
})

for (const [message, shown] of [
  ['phone must be a phone number. mobile is unknown.', 'phone must be a phone number. mobile is unknown.'],
  ['"asha.rao@example.com" is no email.', '"…" is no email.'],
  ['+91 98200 11223 is unknown. Did you mean phone?', '… is unknown. Did you mean phone?'],
  ['This API key may not be used from 203.0.113.7.', 'This API key may not be used from 203.0.113.7.'],
  ['notes must have at most 20000 characters.', 'notes must have at most 20000 characters.'],
] as const)
  test(`the message ${message} is shown as ${shown}`, () => assert.equal(redactMessage(message), shown))
