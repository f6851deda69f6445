import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { certificateAuthority, readRequest } from '#test/certificate-authority.ts'
import { AcmeError, errorOf } from './acme-error.ts'
import { retryTime } from './acme-session.ts'
import { readAttempts } from './certificate-folder.ts'
import { dnsHint, explainFailure } from './explain-failure.ts'
import { makeKey } from './order-certificate.ts'
import { type Attempts, addAttempt, nextTry, noAttempts, renewalTime } from './schedule.ts'
import { signingRequest } from './signing-request.ts'

const day = 86_400_000
const at = (time: string) => new Date(`2026-11-29T${time}:00Z`)

for (const days of [6, 45, 90]) {
  test(`a certificate for ${days} days is renewed when a third of its life is left, or a bit earlier`, () => {
    const request = readRequest(signingRequest('leads.example.in', makeKey()))
    const [from, to] = [at('00:00'), new Date(at('00:00').getTime() + days * day)]
    const authority = certificateAuthority()
    const certificates = Array.from({ length: 5 }, () => new X509Certificate(authority.issueFor(request, from, to)))
    const left = certificates.map((one) => (to.getTime() - renewalTime(one).getTime()) / (days * day))
    for (const share of left) assert.ok(share >= 1 / 3 && share < 1 / 3 + 1 / 30, String(share))
    assert.equal(new Set(left).size, 5)
    assert.deepEqual(renewalTime(certificates[0]!), renewalTime(new X509Certificate(certificates[0]!.toString())))
  })
}

const tries: [attempts: Attempts, next: string, afterRestart: string][] = [
  [{ failed: 1, at: [at('10:00')], retryAt: null }, '10:05', '00:00'],
  [{ failed: 2, at: [at('10:00'), at('10:05')], retryAt: null }, '10:15', '00:00'],
  [{ failed: 4, at: [at('10:00'), at('10:05'), at('10:15'), at('10:20')], retryAt: null }, '11:00', '11:00'],
  [{ failed: 20, at: [at('10:00')], retryAt: null }, '16:00', '00:00'],
  [{ failed: 1, at: [at('10:00')], retryAt: at('13:30') }, '13:30', '13:30'],
  [{ failed: 1, at: [at('10:00')], retryAt: at('09:00') }, '10:05', '09:00'],
  [{ failed: 0, at: [at('10:00')], retryAt: null }, '16:00', '00:00'],
]
for (const [attempts, next, afterRestart] of tries) {
  test(`${attempts.failed} failures, the last at 10:xx: asked again at ${next}, after a restart at ${afterRestart}`, () => {
    const timeOf = (isRestarted: boolean) => nextTry(attempts, { isRestarted }).getTime()
    assert.equal(timeOf(false), at(next).getTime())
    assert.equal(timeOf(true), afterRestart === '00:00' ? 0 : at(afterRestart).getTime())
  })
}

test('no more than five attempts fall into an hour, also if the service is restarted all the time', () => {
  let attempts = noAttempts
  const made: number[] = []
  for (let now = at('00:00').getTime(); now < at('23:00').getTime(); now += 10_000) {
    if (nextTry(attempts, { isRestarted: true }).getTime() > now) continue
    made.push(now)
    attempts = addAttempt(attempts, new Date(now), { failed: attempts.failed + 1, retryAt: null })
  }
  for (const first of made) assert.ok(made.filter((time) => time >= first && time < first + 3_600_000).length < 5)
  assert.ok(made.length > 80)
})

test('attempts are read as they were written, and a damaged file counts as none', () => {
  const attempts = { failed: 3, at: [at('10:00'), at('11:00')], retryAt: at('12:00') }
  assert.deepEqual(readAttempts(JSON.stringify(attempts)), attempts)
  for (const text of ['', '{', 'null', '[]', '{"failed":"x","at":[],"retryAt":null}', '{"failed":1,"at":["x"]}'])
    assert.deepEqual(readAttempts(text), noAttempts)
})

for (const [value, time] of [
  ['90', at('10:01').getTime() + 30_000],
  ['Sun, 29 Nov 2026 10:30:00 GMT', at('10:30').getTime()],
  ['soon', undefined],
  [null, undefined],
] as const) {
  test(`Retry-After: ${value}`, () => assert.equal(retryTime(value, at('10:00'))?.getTime(), time))
}

const problemOf = (type: string, detail: string) =>
  errorOf({ type: `urn:ietf:params:acme:error:${type}`, detail }, 403, null)
for (const [error, sentence] of [
  [
    problemOf('dns', 'NXDOMAIN looking up A'),
    /ca says: NXDOMAIN looking up A\. Create a DNS record for d\.in \(A, or AAAA/,
  ],
  [
    problemOf('connection', 'Timeout\r\n during\u0000 connect.'),
    /ca says: Timeout during connect\. Let port 80 of d\.in reach/,
  ],
  [problemOf('unauthorized', 'Invalid response: 404'), /Another server answers at http:\/\/d\.in/],
  [problemOf('caa', 'CAA record prevents issuance'), /CAA records of d\.in/],
  [problemOf('rateLimited', 'too many certificates'), /Wait: until then/],
  [problemOf('somethingNew', 'what'), /ca says: what\. The service tries again/],
  [errorOf('<html>', 502, null), /ca: status 502 without a reason\./],
  [new AcmeError('', 'it gave no nonce'), /^ca: it gave no nonce\. /],
  [
    Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    /ca cannot be asked \(ECONNREFUSED\)\. Let this machine open HTTPS/,
  ],
  [Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }), /Set ACME_CA_FILE/],
  [Object.assign(new Error('x'), { code: 'ENOTFOUND' }), /Check ACME_DIRECTORY_URL and the DNS/],
] as const) {
  test(`it says of ${JSON.stringify(error)} what to do`, () =>
    assert.match(explainFailure(error, { domain: 'd.in', authority: 'ca' }), sentence))
}

for (const [records, own, hint] of [
  [['203.0.113.5'], ['127.0.0.1', '203.0.113.5'], null],
  [['198.51.100.7'], ['127.0.0.1', '10.0.0.4', 'fe80::1', '::1'], null],
  [['198.51.100.7'], ['10.0.0.4', '203.0.113.5'], 'd.in leads to 198.51.100.7, and this machine has 203.0.113.5'],
  [['198.51.100.7', '2001:db8::1'], ['2001:db8::1'], null],
] as const) {
  test(`${records} and own ${own}: ${hint ?? 'no hint'}`, () => {
    const found = dnsHint('d.in', records, own)
    if (hint === null) assert.equal(found, null)
    else assert.ok(found?.startsWith(hint), String(found))
  })
}

test('a request for a certificate has the host name and the signature of its key, also with the longest name', () => {
  const maxDomain = `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(58)}.in`
  for (const domain of ['leads.example.in', maxDomain]) {
    const key = makeKey()
    const der = signingRequest(domain, key)
    assert.deepEqual(readRequest(der).names, [domain])
    der[der.length - 1]! ^= 1
    assert.throws(() => readRequest(der), /wrong signature/)
  }
})
