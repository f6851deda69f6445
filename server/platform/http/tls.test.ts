import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import { testApp } from '#test/app.ts'

const given = (name: string) => join(import.meta.dirname, '../../../test/tls', name)
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-tls-'))
const file = (name: string) => join(folder, name)
const put = (from: string, to: string) => copyFileSync(given(from), file(to))
put('certificate.pem', 'certificate.pem')
put('key.pem', 'key.pem')

mock.timers.enable({ apis: ['setInterval'] })
const app = await testApp({ TLS_CERT_FILE: file('certificate.pem'), TLS_KEY_FILE: file('key.pem') })
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** Lets the service look at its files. */
const look = () => mock.timers.tick(10_000)

/** Fails unless the service shows this certificate. */
async function request(certificate: string) {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  get(`${app.url}/healthz`, { ca: readFileSync(given(certificate)), agent: false }, resolve).on('error', reject)
  const answer = await promise
  answer.resume()
  return answer
}

const logged = (text: string) => app.lines.filter((line) => line.includes(text))

test('with a certificate the service serves HTTPS itself, and browsers must stay on it', async () => {
  assert.match(app.url, /^https:/)
  const answer = await request('certificate.pem')
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['strict-transport-security']), /max-age/)
})

test('a renewed certificate that cannot be used is logged once, and the previous one stays', async () => {
  for (const spoil of [
    () => put('renewed-certificate.pem', 'certificate.pem'),
    () => truncateSync(file('certificate.pem'), 100),
    () => rmSync(file('key.pem')),
  ]) {
    const before = logged('cannot be used').length
    spoil()
    for (let looks = 0; looks < 4; looks++) look()
    assert.equal(logged('cannot be used').length, before + 1)
    assert.equal((await request('certificate.pem')).statusCode, 200)
  }
  assert.match(logged('cannot be used').at(-1)!, /TLS_KEY_FILE names .*no such file/)
})

test('a renewed certificate is used without a restart, also if its files are replaced one after the other', async () => {
  const errors = logged('cannot be used').length
  put('renewed-certificate.pem', 'certificate.pem')
  look()
  put('renewed-key.pem', 'key.pem')
  look()
  assert.equal((await request('certificate.pem')).statusCode, 200)
  look()
  assert.equal((await request('renewed-certificate.pem')).statusCode, 200)
  await assert.rejects(request('certificate.pem'), /self-signed|certificate/)
  assert.equal(logged('was renewed').length, 1)
  assert.equal(logged('cannot be used').length, errors)
})
