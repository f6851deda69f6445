import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { setPassword } from '../server/access/sign-in/credentials.ts'
import type { testApp } from '../test/app.ts'
import { desk, openWindows, phone, signInBehind } from '../test/journey.ts'
import type { Player } from '../test/people.ts'
import { quantilesOf } from './quantile.ts'

/** Time limits, in milliseconds. */
const maxDrawMs = 5_000
const maxReloadMs = 800
/** After the rows are there: images, fonts and lazy parts. */
const settling = 1500
const rounds = Number(process.env.ROUNDS ?? 3)
const password = 'a slow network in the hills'

type App = Awaited<ReturnType<typeof testApp>>

interface FirstPage {
  name: string
  path: string
  /** Without one: not signed in. */
  person?: Player
  /** An element that is shown only with data. */
  drawn: string
}

/** Measures in a browser how fast first pages are drawn over a slow network, and what a reload of a list costs. */
export async function measureDrawing(app: App, { admin, agent }: { admin: Player; agent: Player }): Promise<void> {
  for (const { id } of [admin, agent]) await setPassword(app.directory, id, password)
  const windows = await openWindows(app.url)
  const signedIn = async (person: Player | undefined, viewport = desk) => {
    const page = await windows.page({ viewport })
    if (person) await signInBehind(page.context(), app.url, person.email, password)
    return page
  }
  try {
    console.log('First page at 400 kbit/s and 400 ms, nothing cached:\n  drawn ms  kB  requests')
    const pages: FirstPage[] = [
      { name: 'Sign in', path: '/sign-in', drawn: 'input[type="email"]' },
      { name: 'Overview', path: '/', person: admin, drawn: 'main :text("Time to first call")' },
      { name: 'Call next', path: '/', person: agent, drawn: 'main a[href^="tel:"]' },
    ]
    for (const slowdown of [1, 4]) {
      for (const first of pages) await measureFirst(first, slowdown, () => signedIn(first.person, phone))
    }
    console.log('\nReload of a list of 50 rows, browser work:\n   total  script  style+layout  other ms')
    for (const path of ['/leads?limit=50', '/calls?limit=50']) await measureReload(path, await signedIn(admin))
  } finally {
    await windows.close()
  }
}

async function measureFirst(first: FirstPage, slowdown: number, open: () => Promise<Page>): Promise<void> {
  const times: number[] = []
  let bytes = 0
  let requests = 0
  for (let round = 0; round < rounds; round++) {
    const page = await open()
    const devtools = await page.context().newCDPSession(page)
    const traffic = await slowDown(devtools, slowdown)
    await page.goto(first.path, { waitUntil: 'commit', timeout: 60_000 })
    times.push(await drawnAt(page, first.drawn))
    bytes = traffic.bytes
    requests = traffic.requests
    if (process.env.WATERFALL) console.log(traffic.lines.join('\n'))
    await page.context().close()
  }
  const [p50] = [0.5].map(quantilesOf(times))
  const columns = [p50!.toFixed(0).padStart(8), (bytes / 1000).toFixed(0).padStart(5), String(requests).padStart(4)]
  console.log(`${columns.join(' ')}  ${first.name}, CPU ${slowdown}×${p50! > maxDrawMs ? '   ← SLOW' : ''}`)
}

async function slowDown(devtools: CDPSession, rate: number) {
  const traffic = { bytes: 0, requests: 0, lines: [] as string[] }
  const urls = new Map<string, { url: string; at: number }>()
  let start = 0
  await devtools.send('Network.enable')
  devtools.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    start ||= timestamp
    urls.set(requestId, { url: request.url, at: timestamp })
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    traffic.bytes += encodedDataLength
    traffic.requests++
    const { url, at } = urls.get(requestId) ?? { url: '?', at: start }
    const [from, to] = [at, timestamp].map((time) => ((time - start) * 1000).toFixed(0).padStart(6))
    traffic.lines.push(`  ${from} –${to} ms ${String(encodedDataLength).padStart(7)} B  ${new URL(url).pathname}`)
  })
  const throughput = 400_000 / 8
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
  return traffic
}

/** Returns when the page painted that element, counted from the start of navigation. */
async function drawnAt(page: Page, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor({ timeout: 60_000 })
  return page.evaluate<number>(
    'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))',
  )
}

async function measureReload(path: string, page: Page): Promise<void> {
  await page.goto(path)
  await page.locator('[data-row]').nth(49).waitFor()
  const devtools = await page.context().newCDPSession(page)
  // Processor time, so that other programs do not count.
  await devtools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
  await devtools.send('Performance.enable')
  const works: Work[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await workOf(devtools)
    await page.reload({ waitUntil: 'commit' })
    await page.locator('[data-row]').nth(49).waitFor()
    // Not until the network is idle: the stream of changes never is.
    await page.waitForTimeout(settling)
    const after = await workOf(devtools)
    works.push(difference(after, before))
  }
  const median = (key: keyof Work) => [0.5].map(quantilesOf(works.map((work) => work[key])))[0]!
  const total = median('total')
  const columns = (['total', 'script', 'layout', 'other'] as const).map((key) => median(key).toFixed(0).padStart(7))
  console.log(`${columns.join(' ')}  ${path}${total > maxReloadMs ? '   ← SLOW' : ''}`)
  await (page.context() as BrowserContext).close()
}

type Work = Record<'total' | 'script' | 'layout' | 'other', number>

/** A navigation may start the counters again. */
const difference = (after: Work, before: Work): Work =>
  after.total < before.total
    ? after
    : {
        total: after.total - before.total,
        script: after.script - before.script,
        layout: after.layout - before.layout,
        other: after.other - before.other,
      }

/** The work of the page's main thread so far, in milliseconds of the processor. */
async function workOf(devtools: CDPSession): Promise<Work> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000
  const [total, script, layout] = [
    of('TaskDuration'),
    of('ScriptDuration'),
    of('LayoutDuration') + of('RecalcStyleDuration'),
  ]
  return { total, script, layout, other: total - script - layout }
}
