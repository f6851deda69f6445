import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { addPlayer, ask, people } from '#test/people.ts'

const app = await testApp()
const trusting = await serve(app.database, { TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8, 2001:db8:1::/48' })
const strict = await serve(app.database, { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '3' })
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
const both = hasIpv6 ? await serve(app.database, { HOST: '::' }) : null
after(async () => {
  await Promise.all([trusting.close(), strict.close(), both?.close()])
  await app.close()
})
const { acme, zoya } = await people(app)

const keyFor = async (whitelist: string[], permissions?: Parameters<typeof addPlayer>[6]) =>
  (await addPlayer(app.database, app.url, acme, `P${randomUUID()}`, 'Admin', null, permissions, whitelist)).key.secret
const leads = async () => Number((await app.owner`select count(*) from leads`)[0]!.count)
const create = (url: string, secret: string, headers: Record<string, string> = {}) =>
  ask(url, secret, 'POST', '/api/v1/leads', { name: 'Ravi', email: `${randomUUID()}@example.com` }, headers)

for (const [whitelist, allowed] of [
  [['127.0.0.1'], true],
  [['127.0.0.0/8'], true],
  [['::ffff:127.0.0.1'], true],
  [['::ffff:127.0.0.0/104'], true],
  [['198.51.100.7', '127.0.0.1'], true],
  [['0.0.0.0/0'], true],
  [['127.0.0.2'], false],
  [['198.51.100.0/24'], false],
  [['::1'], false],
  [['::/0'], false],
] as const) {
  test(`from 127.0.0.1, a key for ${whitelist.join(', ')} is ${allowed ? 'allowed' : 'rejected'}`, async () => {
    const before = await leads()
    const { status, body, headers } = await create(app.url, await keyFor([...whitelist]))
    assert.equal(status, allowed ? 201 : 403)
    assert.equal(await leads(), before + (allowed ? 1 : 0))
    if (allowed) return
    assert.equal(body.error.code, 'IP_NOT_ALLOWED')
    assert.match(body.error.message, /127\.0\.0\.1/)
    assert.equal(headers.get('x-ratelimit-remaining'), null)
  })
}

for (const [address, whitelist, allowed] of [
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '::1', false],
  ['[::1]', '::1', true],
  ['[::1]', '::/64', true],
  ['[::1]', '127.0.0.1', false],
] as const) {
  const skip = both ? false : 'this machine has no IPv6'
  test(`on a socket for both families, ${address} ${allowed ? 'is' : 'is not'} in ${whitelist}`, { skip }, async () => {
    const { status, body } = await create(`http://${address}:${both!.config.port}`, await keyFor([whitelist]))
    assert.equal(status, allowed ? 201 : 403)
    // IPv4 as it is written, and not as ::ffff:127.0.0.1.
    if (!allowed) assert.match(body.error.message, new RegExp(` from ${address.replace(/[[\]]/g, '')}\\.`))
  })
}

for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']) {
  test(`a forged ${name} is ignored if no proxy is trusted`, async () => {
    const before = await leads()
    const secret = await keyFor(['198.51.100.7'])
    const value = name === 'forwarded' ? 'for=198.51.100.7' : '198.51.100.7'
    const { status, body } = await create(app.url, secret, { [name]: value })
    assert.deepEqual([status, body.error.code], [403, 'IP_NOT_ALLOWED'])
    assert.match(body.error.message, /from 127\.0\.0\.1/)
    assert.equal(await leads(), before)
    assert.ok(app.lines.every((line) => !line.includes('198.51.100.7')))
    // Nor does it take a right away.
    assert.equal((await create(app.url, await keyFor(['127.0.0.1']), { [name]: value })).status, 201)
  })
}

for (const [forwarded, address] of [
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['198.51.100.7, 10.0.0.5', '198.51.100.7'],
  ['198.51.100.7,10.0.0.5 ,  127.0.0.9', '198.51.100.7'],
  ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
  ['127.0.0.1, 198.51.100.7', '198.51.100.7'],
  ['198.51.100.7, 203.0.113.9', '203.0.113.9'],
  ['198.51.100.7, 203.0.113.9, 10.0.0.5', '203.0.113.9'],
  ['198.51.100.7, garbage', 'none'],
  ['198.51.100.7, unknown, 10.0.0.5', 'none'],
  ['garbage, 198.51.100.7', '198.51.100.7'],
  ["'; drop table leads; --", 'none'],
  ['10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['2001:db8:2::7', '2001:db8:2::7'],
  ['2001:db8:2::7, 2001:db8:1::1', '2001:db8:2::7'],
  [', ,', 'none'],
] as const) {
  test(`behind a trusted proxy, "${forwarded}" comes from ${address}`, async () => {
    const headers = { 'x-forwarded-for': forwarded }
    for (const whitelisted of ['198.51.100.7', '203.0.113.9', '10.0.0.1', '2001:db8:2::7']) {
      const { status } = await create(trusting.url, await keyFor([whitelisted]), headers)
      assert.equal(status, whitelisted === address ? 201 : 403, whitelisted)
    }
  })
}

test('a trusted proxy that forwards no IP is itself the client', async () => {
  assert.equal((await create(trusting.url, await keyFor(['127.0.0.1']))).status, 201)
})

test('an untrusted proxy is itself the client', async () => {
  const other = await serve(app.database, { TRUST_PROXY: '10.0.0.0/8' })
  const { status } = await create(other.url, await keyFor(['198.51.100.7']), { 'x-forwarded-for': '198.51.100.7' })
  await other.close()
  assert.equal(status, 403)
})

test('requests from a disallowed IP do not count against the limit', async () => {
  const secret = await keyFor(['198.51.100.7'])
  const allowed = { 'x-forwarded-for': '198.51.100.7' }
  for (let time = 0; time < 10; time++) assert.equal((await create(strict.url, secret)).status, 403)
  for (const remaining of ['2', '1', '0']) {
    const { status, headers } = await create(strict.url, secret, allowed)
    assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [201, remaining])
  }
  assert.equal((await create(strict.url, secret, allowed)).status, 429)
  // And an outsider does not learn that the limit is used up.
  assert.equal((await create(strict.url, secret)).status, 403)
})

/** In each row, every later check would fail too. */
for (const [checked, wrong, status, code] of [
  ['the key', ['key', 'address', 'rate', 'permission', 'input', 'visibility'], 401, 'UNAUTHORIZED'],
  ['the address', ['address', 'rate', 'permission', 'input', 'visibility'], 403, 'IP_NOT_ALLOWED'],
  ['the rate', ['rate', 'permission', 'input', 'visibility'], 429, 'RATE_LIMITED'],
  ['the permission', ['permission', 'input', 'visibility'], 403, 'PERMISSION_DENIED'],
  ['the input', ['input', 'visibility'], 400, 'INVALID_PARAM'],
  ['the visibility', ['visibility'], 404, 'NOT_FOUND'],
  ['nothing', [], 200, undefined],
] as const) {
  test(`${checked} is checked before everything after it`, async () => {
    const is = (what: string) => (wrong as readonly string[]).includes(what)
    const allowed = { 'x-forwarded-for': '198.51.100.7' }
    const secret = await keyFor(['198.51.100.7'], is('permission') ? ['read'] : ['read', 'delete'])
    const lead = { name: 'Ravi', email: `${randomUUID()}@example.com` }
    const theirs = await zoya.send('POST', '/api/v1/leads', lead)
    const ours = await create(app.url, await keyFor([]))
    const before = await leads()
    for (let time = 0; is('rate') && time < 3; time++)
      await ask(strict.url, secret, 'GET', '/api/v1/leads', undefined, allowed)
    const { id } = (is('visibility') ? theirs : ours).body.data
    const path = `/api/v1/leads/${id}${is('input') ? 'x' : ''}`
    const key = is('key') ? `${secret.slice(0, -1)}!` : secret
    const answer = await ask(strict.url, key, 'DELETE', path, undefined, is('address') ? {} : allowed)
    assert.deepEqual([answer.status, answer.body.error?.code], [status, code])
    assert.equal(await leads(), before - (status === 200 ? 1 : 0))
  })
}
