import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { builtWebApp } from '../../server/platform/web-app/built.ts'
import { startJourney } from '../journey.ts'
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
})

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
