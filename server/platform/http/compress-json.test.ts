import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { testApp } from '#test/app.ts'
import { type Player, people, sessionCookie } from '#test/people.ts'

let app: Awaited<ReturnType<typeof testApp>>
let cookie: string
let bela: Player
before(async () => {
  app = await testApp()
  bela = (await people(app)).bela
  cookie = await sessionCookie(app, bela)
  for (let n = 10; n < 40; n++) {
    const lead = { name: `Lead ${n}`, phone: `98500 000${n}`, notes: 'Asks for a flat near the school. '.repeat(3) }
    assert.equal((await bela.send('POST', '/api/v1/leads', lead)).status, 201)
  }
})
after(() => app.close())

const load = (url: string, encoding: string | undefined, method: 'GET' | 'HEAD' = 'GET') =>
  app.app.inject({
    method,
    url,
    headers: {
      ...(url.startsWith('/web') ? { cookie } : { authorization: `Bearer ${bela.key.secret}` }),
      ...(encoding && { 'accept-encoding': encoding }),
    },
  })

for (const url of ['/web/call-queue', '/web/leads?limit=50', '/api/v1/leads?limit=50'])
  test(`JSON is compressed for who accepts it: ${url}`, async () => {
    const plain = await load(url, undefined)
    const rows = plain.rawPayload
    assert.deepEqual([plain.statusCode, plain.headers['content-encoding']], [200, undefined])
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await load(url, accepted)
      assert.deepEqual([headers['content-encoding'], headers.vary], [encoding, 'accept-encoding'])
      assert.match(String(headers['content-type']), /^application\/json/)
      assert.equal(Number(headers['content-length']), rawPayload.length)
      assert.ok(rawPayload.length < rows.length / 4, `${rawPayload.length} of ${rows.length} bytes`)
      assert.deepEqual(decode(rawPayload), rows)
    }
    for (const accepted of ['identity', 'deflate', 'br;q=0', ''])
      assert.equal((await load(url, accepted)).headers['content-encoding'], undefined, accepted)
  })

test('the web app loads again only what has changed', async () => {
  const url = '/web/call-queue'
  const { headers } = await load(url, 'br')
  const etag = String(headers.etag)
  const again = await app.app.inject({ url, headers: { cookie, 'if-none-match': etag, 'accept-encoding': 'br' } })
  assert.deepEqual([again.statusCode, again.body, again.headers['content-encoding']], [304, '', undefined])
  assert.equal(again.headers['cache-control'], 'no-store')
  const lead = { name: 'One more', phone: '98500 00099' }
  assert.equal((await bela.send('POST', '/api/v1/leads', lead)).status, 201)
  const changed = await app.app.inject({ url, headers: { cookie, 'if-none-match': etag } })
  assert.equal(changed.statusCode, 200)
  assert.ok(changed.body.includes('One more'))
  assert.equal((await load('/api/v1/leads?limit=50', 'br')).headers.etag, undefined)
})

test('short answers, heads and files are sent as they are', async () => {
  for (const [url, method] of [
    ['/web/ringing', 'GET'],
    ['/web/nothing', 'GET'],
    ['/api/v1/leads?limit=50', 'HEAD'],
    ['/web/leads.csv', 'GET'],
  ] as const)
    assert.equal((await load(url, 'gzip, br', method)).headers['content-encoding'], undefined, url)
})
