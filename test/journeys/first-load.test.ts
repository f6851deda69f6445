import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { fillAccount } from '../../operations/demo/fill.ts'
import { builtWebApp } from '../../server/platform/web-app/built.ts'
import { password, phone, startJourney } from '../journey.ts'
import { until } from '../until.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
})
after(() => journey.close())

test('the first load of the app is at most 300 kB of compressed JavaScript in either language', async (context) => {
  for (const locale of ['en-IN', 'hi-IN'])
    for (const path of ['/', '/leads', '/settings/webhooks']) {
      const page = await journey.pageOf(journey.asha, { locale })
      const sum = await sizeOf(page, path)
      context.diagnostic(`${path} (${locale}): ${Math.round(sum / 1000)} kB`)
      assert.ok(sum > 0 && sum <= 300_000, `${path} (${locale}): ${sum} bytes`)
    }
})

/** In bytes, with headers. The Devanagari font is 55 kB of that in Hindi. */
const maxOfSignIn = { 'en-IN': 180_000, 'hi-IN': 240_000 }

for (const [locale, max] of Object.entries(maxOfSignIn))
  test(`the sign-in page is at most ${max / 1000} kB: ${locale}`, async (context) => {
    const page = await journey.page({ locale })
    const sizes = await trafficOf(page)
    await page.goto('/sign-in', { waitUntil: 'networkidle' })
    const sum = [...sizes.values()].reduce((total, size) => total + size)
    context.diagnostic(`${sum} bytes`)
    assert.ok(sum <= max, [...sizes].map(([url, size]) => `${size} ${url}`).join('\n'))
    const fonts = [...sizes.keys()]
      .filter((url) => url.endsWith('.woff2'))
      .map((url) => /[a-z-]+(?=-)/.exec(url.split('/').at(-1)!)![0])
    assert.deepEqual(fonts.sort(), locale === 'en-IN' ? ['inter'] : ['inter', 'noto-sans-devanagari'])
  })

test('the form of the sign-in is there before the app, which takes over what was typed', async () => {
  const page = await journey.page({ viewport: phone })
  const isTyped = Promise.withResolvers<void>()
  await page.route('**/assets/app-*.js', async (route) => {
    await isTyped.promise
    await route.continue()
  })
  await page.goto('/sign-in?next=/calls', { waitUntil: 'commit' })
  await page.locator('#waiting').getByLabel('Email').fill(journey.asha.email)
  await page.locator('#waiting').getByLabel('Password').fill(password)
  isTyped.resolve()
  await page.getByRole('main').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).and(page.locator(':focus')).press('Enter')
  await page.waitForURL('/calls')
})

test('the form that is sent before the app is there signs in', async () => {
  const page = await journey.page()
  const isSent = Promise.withResolvers<void>()
  await page.route('**/assets/app-*.js', async (route) => {
    await isSent.promise
    await route.continue()
  })
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await page.locator('#waiting').getByLabel('Email').fill(journey.asha.email)
  await page.locator('#waiting').getByLabel('Password').fill(password)
  await page.locator('#waiting').getByRole('button', { name: 'Sign in' }).click()
  isSent.resolve()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('what the first page needs is asked for once, and before its code is there', async () => {
  const first = [
    { user: journey.asha, path: '/overview', data: '/web/overview?days=30', shows: 'Overview' },
    { user: journey.bela, path: '/', data: '/web/call-queue', shows: 'Call next' },
    { user: journey.bela, path: '/queue', data: '/web/call-queue', shows: 'Call next' },
  ]
  for (const { user, path, data, shows } of first) {
    const page = await journey.pageOf(user)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().replace(journey.url, '')))
    await page.route('**/assets/app-*.js', async (route) => {
      await until(() => asked.includes(data))
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 1, name: shows }).waitFor()
    for (const one of ['/web/me', '/auth/get-session', data])
      assert.equal(asked.filter((path) => path === one).length, 1, `${path}: ${one}`)
  }
})

test('the styles of every component that the app uses are there', () => {
  const built = (files: string) =>
    globSync(`assets/*.${files}`, { cwd: builtWebApp })
      .map((file) => readFileSync(join(builtWebApp, file), 'utf8'))
      .join('\n')
  const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,}\b/g))
  const all = classesIn(readFileSync(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')), 'utf8'))
  const used = [...classesIn(built('js'))].filter((name) => all.has(name))
  const styled = classesIn(built('css'))
  assert.ok(used.length > 100)
  assert.deepEqual(
    used.filter((name) => !styled.has(name)),
    [],
    'classes without styles: import the style of their component in web/platform/ui/mantine.css',
  )
  // A list of options is both: with Popover in the file that is loaded later, its padding would win.
  const first = readFileSync(join(builtWebApp, globSync('assets/app-*.css', { cwd: builtWebApp })[0]!), 'utf8')
  const [popover, options] = ['Popover', 'Combobox'].map((component) => {
    const style = readFileSync(fileURLToPath(import.meta.resolve(`@mantine/core/styles/${component}.css`)), 'utf8')
    return first.indexOf(/\.m_[0-9a-f]+/.exec(style)![0])
  })
  assert.ok(popover! >= 0 && popover! < options!)
})

/** In bytes, of 100 leads. */
const maxQueue = 7_000

test('a queue is loaded compressed, and again only if it has changed; a logged call is three requests', async (context) => {
  const { acme, bela } = journey
  await fillAccount(journey.connection, journey.database, acme, {
    leads: 800,
    days: 60,
    now: new Date(),
    firstSerial: 1,
  })
  const page = await journey.pageOf(bela, { viewport: phone })
  const sizes = await trafficOf(page)
  await page.goto('/queue', { waitUntil: 'load' })
  // The first lead may have no phone.
  const call = page.getByRole('region', { name: 'Next lead' }).getByRole('button', { name: 'Log call' })
  await call.waitFor()
  const queue = () => [...sizes].filter(([url]) => url.startsWith('GET /web/call-queue')).map(([, size]) => size)
  await until(() => queue().length === 1, 'the queue')
  context.diagnostic(`queue: ${queue()[0]} bytes`)
  assert.ok(queue()[0]! <= maxQueue, `${queue()}`)
  const answer = await page.request.get('/web/call-queue')
  const again = await page.request.get('/web/call-queue', { headers: { 'if-none-match': answer.headers().etag! } })
  assert.deepEqual([again.status(), (await again.body()).length], [304, 0])

  await call.click()
  const outcome = page.getByRole('region', { name: 'Next lead' }).getByRole('button', { name: 'No answer' })
  await outcome.waitFor()
  await page.waitForLoadState('networkidle')
  sizes.clear()
  await outcome.click()
  await until(() => [...sizes.keys()].some((url) => url.startsWith('POST ')), 'the call is logged')
  await page.waitForTimeout(1500)
  // The next lead may be the first with an amount in ₹, whose font stays in the browser.
  const sent = [...sizes].filter(([url]) => !url.includes('/assets/'))
  const sum = sent.reduce((total, [, size]) => total + size, 0)
  context.diagnostic(`logging: ${sent.length} requests, ${sum} bytes`)
  assert.ok(sent.length <= 3 && sum <= 8_000, sent.map(([url, size]) => `${size} ${url}`).join('\n'))
})

/** The bytes of each request from now on, with headers, by method and path: as they were sent. */
async function trafficOf(page: Page): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const urls = new Map<string, string>()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) =>
    urls.set(requestId, `${request.method} ${request.url.replace(journey.url, '')}`),
  )
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId)
    if (url && encodedDataLength > 0)
      sizes.set(`${url} ${'#'.repeat(sizes.has(url) ? sizes.size : 0)}`.trim(), encodedDataLength)
  })
  return sizes
}

async function sizeOf(page: Page, path: string): Promise<number> {
  let sum = 0
  page.on('response', (response) => {
    if (!response.url().endsWith('.js')) return
    assert.match(response.headers()['content-encoding'] ?? '', /^(br|gzip)$/, response.url())
    sum += Number(response.headers()['content-length'])
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  return sum
}
