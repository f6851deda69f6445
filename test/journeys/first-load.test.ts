import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startJourney } from '../journey.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
before(async () => {
  journey = await startJourney()
})
after(() => journey.close())

test('the first load of the app is at most 300 kB of compressed JavaScript', async (context) => {
  for (const path of ['/', '/leads', '/settings/webhooks']) {
    const page = await journey.pageOf(journey.asha)
    const sizes: number[] = []
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return
      assert.match(response.headers()['content-encoding'] ?? '', /^(br|gzip)$/, response.url())
      sizes.push(Number(response.headers()['content-length']))
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    const sum = sizes.reduce((sum, size) => sum + size, 0)
    context.diagnostic(`${path}: ${Math.round(sum / 1000)} kB in ${sizes.length} files`)
    assert.ok(sum > 0 && sum <= 300_000, `${path}: ${sum} bytes`)
  }
})
