import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { pages } from './contract.ts'

let app: Awaited<ReturnType<typeof testApp>>
before(async () => {
  app = await testApp()
})
after(() => app.close())

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const open = (path: string, headers: Record<string, string> = browser) => fetch(app.url + path, { headers })
const codeOf = (body: unknown) => (body as { error: { code: string } }).error.code

test('every URL of the web app answers the same page', async () => {
  const paths = Object.values(pages).map((path) => path.replace(/\$\w+/, 'abc'))
  for (const path of [...paths, '/queue', '/overview', '/queue/', '/overview?days=7']) {
    const page = await open(path)
    assert.equal(page.status, 200, path)
    assert.match(page.headers.get('content-type')!, /^text\/html/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.match(await page.text(), /<div id="root">/)
  }
})

test('an unknown URL answers 404, as the page to browsers and as JSON to programs', async () => {
  const page = await open('/nowhere')
  assert.equal(page.status, 404)
  assert.match(await page.text(), /<div id="root">/)
  const problem = await open('/nowhere', {})
  assert.equal(problem.status, 404)
  assert.equal(codeOf(await problem.json()), 'NOT_FOUND')
})

test('a page runs only its own scripts, and styles with its own nonce', async () => {
  const policies = await Promise.all(
    [open('/'), open('/')].map(async (page) => (await page).headers.get('content-security-policy')!),
  )
  for (const policy of policies) {
    assert.match(policy, /script-src 'self';/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.match(policy, /frame-ancestors 'self'/)
  }
  const [one, other] = policies.map((policy) => /'nonce-([\w-]{22})'/.exec(policy)![1]!)
  assert.notEqual(one, other)
  const page = await open('/')
  const nonce = /'nonce-([\w-]{22})'/.exec(page.headers.get('content-security-policy')!)![1]!
  const html = await page.text()
  assert.ok(html.includes(`nonce="${nonce}"`))
  assert.doesNotMatch(html, /NONCE|<script(?![^>]*\bsrc=)/)
})

test('the app can be installed: its manifest, icons and service worker are there', async () => {
  const manifest = await open('/manifest.webmanifest', {})
  assert.match(manifest.headers.get('content-type')!, /^application\/manifest\+json/)
  const { icons, start_url } = (await manifest.json()) as { icons: { src: string; type: string }[]; start_url: string }
  assert.equal((await open(start_url)).status, 200)
  for (const { src, type } of [...icons, { src: '/icon-180.png', type: 'image/png' }]) {
    const icon = await open(src, {})
    assert.deepEqual([src, icon.status, icon.headers.get('content-type')], [src, 200, type])
  }
  const worker = await open('/service-worker.js', {})
  assert.match(worker.headers.get('content-type')!, /javascript/)
  assert.match(worker.headers.get('cache-control')!, /max-age=0/)
})

test('the files of the page are compressed and cached permanently', async () => {
  const html = await (await open('/')).text()
  const [script] = /\/assets\/index-[\w-]+\.js/.exec(html)!
  const answer = await open(script, { 'accept-encoding': 'br, gzip' })
  assert.equal(answer.headers.get('content-encoding'), 'br')
  assert.match(answer.headers.get('cache-control')!, /max-age=31536000, immutable/)
  assert.match(answer.headers.get('content-type')!, /javascript/)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(answer.headers.get('content-security-policy'), null)
})

test('the API reference comes compressed and is asked for once', async () => {
  for (const [path, cached] of [
    ['/docs/js/scalar.js', /max-age=3600$/],
    ['/api/v1/openapi.json', /no-cache/],
  ] as const) {
    for (const encoding of ['br', 'gzip']) {
      const answer = await fetch(app.url + path, { headers: { 'accept-encoding': encoding } })
      await answer.arrayBuffer()
      const { headers, status } = answer
      assert.deepEqual([status, headers.get('content-encoding')], [200, encoding], path)
      assert.match(headers.get('cache-control')!, cached)
      assert.match(headers.get('vary')!, /accept-encoding/i)
      const known = { 'accept-encoding': encoding, 'if-none-match': headers.get('etag')! }
      const again = await app.app.inject({ url: path, headers: known })
      assert.deepEqual([again.statusCode, again.body], [304, ''], path)
    }
    const plain = await fetch(app.url + path, { headers: { 'accept-encoding': 'identity, br;q=0' } })
    await plain.arrayBuffer()
    assert.equal(plain.headers.get('content-encoding'), null)
  }
})

test('only built files are served', async () => {
  for (const path of [
    '/assets/../sources',
    '/assets/%2e%2e/sources',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/sources',
  ]) {
    const answer = await open(path, {})
    assert.equal(answer.status, 404, path)
    assert.equal(codeOf(await answer.json()), 'NOT_FOUND')
  }
})
