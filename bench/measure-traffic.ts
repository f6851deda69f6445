import type { CDPSession, Page } from 'playwright-core'
import { setPassword } from '../server/access/sign-in/credentials.ts'
import type { testApp } from '../test/app.ts'
import { openWindows, phone, signInBehind } from '../test/journey.ts'
import type { Player } from '../test/people.ts'

const password = 'a slow network in the hills'
/** In milliseconds: after the last request, and how long an idle page is watched. */
const settling = 2500
const idle = Number(process.env.IDLE_SECONDS ?? 180) * 1000

type App = Awaited<ReturnType<typeof testApp>>

/** Counts bytes and requests of what an agent does on a phone: as they were sent, with headers, and of JSON alone. */
export async function measureTraffic(app: App, agent: Player): Promise<void> {
  await setPassword(app.directory, agent.id, password)
  const windows = await openWindows(app.url)
  try {
    console.log('Traffic of an agent on a phone:\n      kB  requests  kB of JSON')
    for (const locale of ['en-IN', 'hi-IN']) {
      const page = await windows.page({ viewport: phone, locale })
      const count = await countTraffic(await page.context().newCDPSession(page))
      const measure = async (name: string, act: () => Promise<unknown>, pause = settling) => {
        count.reset()
        await act()
        await page.waitForTimeout(pause)
        count.print(`${name}, ${locale}`)
      }
      await measure('Sign in, cold', () => page.goto('/sign-in'))
      await signInBehind(page.context(), app.url, agent.email, password)
      await measure('Call next, cold', () => openQueue(page))
      await measure('Call next, warm', () => openQueue(page))
      await measure(`Call next, ${idle / 1000} s idle`, async () => {}, idle)
      await measure('Call, and log it', () => logCall(page))
      await measure('Today, cold', () => page.goto('/today'))
      await measure('Today, warm', () => page.goto('/today'))
      await page.context().close()
    }
  } finally {
    await windows.close()
  }
}

async function openQueue(page: Page) {
  await page.goto('/queue')
  await page.locator('main a[href^="tel:"]').first().waitFor()
}

async function logCall(page: Page) {
  // The phone app would open.
  await page.evaluate(
    "addEventListener('click', (event) => event.target.closest('a[href^=\"tel:\"]') && event.preventDefault(), true)",
  )
  await page.locator('main a[href^="tel:"]').first().click()
  await page.getByRole('button', { name: 'No answer' }).click()
}

async function countTraffic(devtools: CDPSession) {
  const urls = new Map<string, { url: string; isJson: boolean; isCached: boolean }>()
  let lines: string[] = []
  let [bytes, requests, json] = [0, 0, 0]
  const add = (url: string, size: number, isJson: boolean) => {
    bytes += size
    if (isJson) json += size
    requests++
    lines.push(`        ${String(size).padStart(7)} B  ${url}`)
  }
  await devtools.send('Network.enable')
  devtools.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) =>
    urls.set(requestId, { url: `${method} ${url.replace(/^\w+:\/\/[^/]+/, '')}`, isJson: false, isCached: false }),
  )
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    const asked = urls.get(requestId)
    if (!asked) return
    asked.isJson = response.mimeType === 'application/json'
    asked.isCached = Boolean(response.fromDiskCache || response.fromServiceWorker || response.fromPrefetchCache)
    if (response.status === 304) add(asked.url, response.encodedDataLength, true)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { url, isJson, isCached } = urls.get(requestId) ?? { url: '?', isJson: false, isCached: false }
    if (!isCached && encodedDataLength > 0) add(url, encodedDataLength, isJson)
  })
  return {
    reset() {
      lines = []
      ;[bytes, requests, json] = [0, 0, 0]
    },
    print(name: string) {
      const kB = (size: number) => (size / 1000).toFixed(1).padStart(8)
      console.log(`${kB(bytes)}  ${String(requests).padStart(8)}  ${kB(json)}  ${name}`)
      if (process.env.WATERFALL) console.log(lines.join('\n'))
    },
  }
}
