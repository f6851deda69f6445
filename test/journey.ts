import assert from 'node:assert/strict'
import axe, { type AxeResults } from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { setPassword } from '../server/sign-in/credentials.ts'
import { testApp } from './app.ts'
import { openBrowser } from './chromium.ts'
import { people } from './people.ts'

export const phone = { width: 390, height: 844 }
export const desk = { width: 1440, height: 900 }

export const password = 'a journey of a thousand miles'

/** The real service, the sample users, and a browser. */
export async function startJourney(env: Record<string, string> = {}, clock?: () => Date) {
  // Each window has an IP address of its own, so that limits on attempts do not slow the journey.
  const app = await testApp({ TRUST_PROXY: '127.0.0.1', ...env }, clock)
  const cast = await people(app)
  const windows = await openWindows(app.url)
  const withPassword = new Set<string>()
  return {
    ...app,
    ...cast,
    ...windows,
    /** A window of a signed-in user. */
    pageOf: async (person: { id: string; email: string }, options: BrowserContextOptions = {}) => {
      // A new password would end the user's other sessions.
      if (!withPassword.has(person.id)) await setPassword(app.directory, person.id, password)
      withPassword.add(person.id)
      const page = await windows.page(options)
      await signInBehind(page.context(), app.url, person.email, password)
      return page
    },
    close: async () => {
      await windows.close()
      await app.close()
    },
  }
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
      context.setDefaultTimeout(30_000)
      const page = await context.newPage()
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

/** Signs in without the form, for journeys that start signed in. */
export async function signInBehind(context: BrowserContext, origin: string, email: string, password: string) {
  const answer = await context.request.post('/auth/sign-in/email', { data: { email, password }, headers: { origin } })
  assert.equal(answer.status(), 200, await answer.text())
}

/** Uses a control by keyboard. */
export async function press(control: Locator, key = 'Enter') {
  // An opening menu takes the focus first.
  const inMenu = (await control.getAttribute('role')) === 'menuitem'
  if (inMenu) await control.page().locator('[role=menu]:focus, [role=menu] :focus').first().waitFor()
  await control.focus()
  await control.press(key)
}

/** The phone app takes over, and the user comes back. */
export const comeBack = (page: Page) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    delete document.hidden
    document.dispatchEvent(new Event('visibilitychange'))
  `)

/** Checks that axe finds nothing serious, and that the page is not wider than the screen. */
export async function assertWellMade(page: Page) {
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
    const within = (most, wait) => Promise.race([wait, new Promise((resolve) => setTimeout(resolve, most))])
    const frame = () => within(2000, new Promise(requestAnimationFrame))
    const ends = () =>
      document
        .getAnimations()
        .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => {}))
    return frame().then(frame).then(() => within(10000, Promise.all(ends()))).then(() => true)
  })()
`
