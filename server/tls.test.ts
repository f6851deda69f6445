import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'

const file = (name: string) => join(import.meta.dirname, '../test/tls', name)
const app = await testApp({ TLS_CERT_FILE: file('certificate.pem'), TLS_KEY_FILE: file('key.pem') })
after(app.close)

test('with a certificate the service serves HTTPS itself, and browsers must stay on it', async () => {
  assert.match(app.url, /^https:/)
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  get(`${app.url}/healthz`, { ca: readFileSync(file('certificate.pem')) }, resolve).on('error', reject)
  const answer = await promise
  answer.resume()
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['strict-transport-security']), /max-age/)
})
