import assert from 'node:assert/strict'
import { getTestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import axe, { type AxeResults } from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { setPassword } from '../server/access/sign-in/credentials.ts'
import { testApp } from './app.ts'
import { isSlow } from './budget.ts'
import { openBrowser } from './chromium.ts'
import { people } from './people.ts'
import { until } from './until.ts'

export const phone = { width: 390, height: 844 }
export const desk = { width: 1440, height: 900 }

export const password = 'a journey of a thousand miles'

/** The real service, the sample users, and a browser. */
export async function startJourney(env: Record<string, string> = {}, clock?: () => Date) {
  // Each window has an IP address of its own, so that limits on attempts do not slow the journey.
  const app = await testApp({ TRUST_PROXY: '127.0.0.1', ...env }, clock)
  const cast = await people(app)
  const windows = await openWindows(app.url)
  const page = async (options: BrowserContextOptions = {}) => {
    const opened = await windows.page(options)
    // A window that stays open would load again whatever the next tests change.
    const test = getTestContext()
    if (test && 'after' in test)
      test.after(async () => {
        if (!test.passed) await describePage(opened, test.error)
        await opened.context().close()
      })
    return opened
  }
  // Without any password, the sign-in page says that Lead Engine is not set up.
  await setPassword(app.directory, cast.asha.id, password)
  const withPassword = new Set([cast.asha.id])
  return {
    ...app,
    ...cast,
    complaints: windows.complaints,
    /** A window that is closed with the test that opens it, not signed in. */
    page,
    /** The same, of a signed-in user. */
    pageOf: async (person: { id: string; email: string }, options: BrowserContextOptions = {}) => {
      // A new password would end the user's other sessions.
      if (!withPassword.has(person.id)) await setPassword(app.directory, person.id, password)
      withPassword.add(person.id)
      const signedIn = await page(options)
      await signInBehind(signedIn.context(), app.url, person.email, password)
      return signedIn
    },
    close: async () => {
      await windows.close()
      await app.close()
      // A page may ask again after a 500, and show nothing of it.
      assert.deepEqual(
        app.lines.filter((line) => line.includes('"msg":"unexpected"')),
        [],
      )
    },
  }
}

/** Adds what a window shows to the error of the test that failed: what it waited for in vain is seldom the cause. */
async function describePage(page: Page, error: Error | null) {
  const text = await page.innerText('body', { timeout: 5000 }).catch((reason) => String(reason))
  const title = await page.title().catch((reason) => String(reason))
  const failure = error?.cause instanceof Error ? error.cause : error
  if (failure) failure.stack += `\n${page.url()} (${title}) shows:\n${text.replaceAll(/\s+/g, ' ').slice(0, 800)}`
}

/** Windows of a browser, not signed in. The errors of their pages are collected: none is expected. */
export async function openWindows(baseURL: string) {
  const browser = await openBrowser()
  const complaints: string[] = []
  let opened = 0
  return {
    /** Errors of the console and of the content security policy. */
    complaints,
    page: async (options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await browser.newContext({
        baseURL,
        viewport: desk,
        reducedMotion: 'reduce',
        locale: 'en-IN',
        acceptDownloads: true,
        // Requests that pass through one are not seen by `page.route`.
        serviceWorkers: 'block',
        extraHTTPHeaders: { 'x-forwarded-for': `198.51.100.${++opened}` },
        ...options,
      })
      context.setDefaultTimeout(isSlow ? 100_000 : 30_000)
      const page = await context.newPage()
      if (isSlow) await slowDown(page)
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack}`))
      page.on('console', (message) => {
        // The page shows a rejection, and the browser logs it here as well.
        const isExpected = /^(Failed to load resource|Service Worker registration blocked by)/.test(message.text())
        if (['error', 'warning'].includes(message.type()) && !isExpected)
          complaints.push(`${page.url()}: ${message.text()}`)
      })
      return page
    },
    close: () => browser.close(),
  }
}

/** The window of a slow computer far away, where it shows what a test reads too early or finishes too late. */
async function slowDown(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 2 })
  await page.context().route('**/*', async (route) => {
    if (Math.random() < 0.3) await sleep(Math.random() * 1500)
    // The window may be closed meanwhile.
    await route.continue().catch(() => {})
  })
}

/** Signs in without the form, for journeys that start signed in. */
export async function signInBehind(context: BrowserContext, origin: string, email: string, password: string) {
  const answer = await context.request.post('/auth/sign-in/email', { data: { email, password }, headers: { origin } })
  assert.equal(answer.status(), 200, await answer.text())
}

/** Uses a control by keyboard, once it is enabled: one that waits for an answer takes neither focus nor keys. */
export async function press(control: Locator, key = 'Enter') {
  const page = control.page()
  const enabled = control.and(page.locator(':not(:disabled)'))
  // An opening menu takes the focus first.
  const inMenu = (await enabled.getAttribute('role')) === 'menuitem'
  if (inMenu) await page.locator('[role=menu]:focus, [role=menu] :focus').first().waitFor()
  await enabled.focus()
  await enabled.press(key)
}

/** The phone app takes over, and the user comes back. */
/**
 * Waits until an expression holds in the page. `page.waitForFunction` evaluates it again inside of the page, which the content security
 * policy rejects, so it fails if the first evaluation is false.
 */
export const untilTrue = (page: Page, expression: string) =>
  until(() => page.evaluate<boolean>(`Boolean(${expression})`), expression)

export const comeBack = (page: Page) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    delete document.hidden
    document.dispatchEvent(new Event('visibilitychange'))
  `)

/** Waits until the page shows what it loads: it is checked whole, and what a test changes next comes after it. */
const untilLoaded = (page: Page) => page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })

/** Checks that axe finds nothing serious, and that the page is not wider than the screen. */
export async function assertWellMade(page: Page) {
  await untilLoaded(page)
  await page.evaluate(untilStill)
  // Once for each load: reading its half a megabyte takes as long as a check.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  const faults = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
  assert.deepEqual(faults, [], page.url())
  const beside = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.ok(beside <= 0, `${page.url()} scrolls ${beside} pixels sideways`)
}

/**
 * Waits for transitions: a color in between is not one of the design. A browser on a busy machine may keep a page waiting for
 * a frame, and never ends a paused animation: neither is waited for without a limit.
 */
const untilStill = `
  (() => {
    const within = (timeoutMs, wait) => Promise.race([wait, new Promise((resolve) => setTimeout(resolve, timeoutMs))])
    const frame = () => within(2000, new Promise(requestAnimationFrame))
    const ends = () =>
      document
        .getAnimations()
        .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => {}))
    return frame().then(frame).then(() => within(10000, Promise.all(ends()))).then(() => true)
  })()
`
