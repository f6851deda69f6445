import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPushService } from '../../server/selling/notifications/push-service.ts'
import { assertWellMade, phone, startJourney } from '../journey.ts'
import { pushServer } from '../push-server.ts'
import { until } from '../until.ts'

let journey: Awaited<ReturnType<typeof startJourney>>
let pushes: Awaited<ReturnType<typeof pushServer>>
before(async () => {
  journey = await startJourney()
  pushes = await pushServer()
  Object.assign(journey.app.push, await openPushService(journey.directory, journey.url, pushes.options))
})
after(async () => {
  await journey.close()
  await pushes.close()
})

/**
 * This Chromium has no push service and no permissions for it: its subscriptions are those of the test's, and what comes there is
 * delivered to the real service worker.
 */
async function withPushService(page: Page) {
  const subscriptions = [1, 2, 3].map(() => pushes.subscribe())
  await page.addInitScript(`{
    const all = ${JSON.stringify(subscriptions)}
    const read = () => JSON.parse(localStorage.getItem('fake-push') ?? '{"used":0,"on":false}')
    const write = (state) => localStorage.setItem('fake-push', JSON.stringify(state))
    const current = () => {
      const { used, on } = read()
      const one = all[used - 1]
      return on ? { ...one, toJSON: () => one, unsubscribe: async () => write({ used, on: false }) } : null
    }
    const permission = () => localStorage.getItem('fake-permission') ?? 'default'
    Object.defineProperty(Notification, 'permission', { get: permission })
    Notification.requestPermission = async () => {
      localStorage.setItem('fake-permission', 'granted')
      return permission()
    }
    PushManager.prototype.getSubscription = async () => current()
    PushManager.prototype.subscribe = async () => {
      write({ used: read().used + 1, on: true })
      return current()
    }
  }`)
  const browser = await page.context().newCDPSession(page)
  let registrationId: string
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.at(-1)?.registrationId ?? registrationId
  })
  await browser.send('ServiceWorker.enable')
  pushes.onReceived(({ message }) => {
    const data = JSON.stringify(message)
    void browser.send('ServiceWorker.deliverPushMessage', { origin: journey.url, registrationId, data })
  })
  return subscriptions
}

const card = (page: Page) => page.getByRole('region', { name: 'Know about a new lead within seconds' })
const subscribed = async () => {
  const rows = await journey.owner`select endpoint from push_subscriptions where user_id = ${journey.bela.id}`
  return rows.map(({ endpoint }) => endpoint)
}

test('the first day asks, and one tap and a test prove that messages arrive', async () => {
  const page = await journey.pageOf(journey.bela, {
    viewport: phone,
    isMobile: true,
    hasTouch: true,
    serviceWorkers: 'allow',
  })
  const [first, second] = await withPushService(page)
  await page.goto('/queue')
  await card(page).waitFor()
  await assertWellMade(page)
  await card(page).getByRole('button', { name: 'Not now' }).tap()
  await card(page).waitFor({ state: 'detached' })
  await page.goto('/overview')
  await page.getByText('No leads yet').waitFor()
  assert.equal(await card(page).count(), 0)

  await page.evaluate(`localStorage.setItem('push-asked', JSON.stringify({ times: 1, at: Date.now() - 8 * 86400000 }))`)
  await page.reload()
  await card(page).getByRole('button', { name: 'Turn on notifications' }).tap()
  await card(page).waitFor({ state: 'detached' })
  assert.deepEqual(await subscribed(), [first!.endpoint])

  await page.goto('/profile')
  const device = page.getByRole('switch', { name: 'Notifications on this device' })
  await page.getByText('On. You know about a new lead').waitFor()
  assert.ok(await device.isChecked())
  const sendTest = page.getByRole('button', { name: 'Send a test notification' })
  await sendTest.tap()
  await page.getByText('Delivered. This device gets notifications.').waitFor()
  await assertWellMade(page)
  pushes.answers.push(403)
  await sendTest.tap()
  await page.getByText('The push service rejected the message.').waitFor()

  pushes.answers.push(410)
  await sendTest.tap()
  await page.getByText('The push service ended the subscription of this device.').waitFor()
  await until(async () => !(await device.isChecked()), 'the switch is off')
  assert.deepEqual(await subscribed(), [])
  await page.goto('/queue')
  await card(page).getByRole('button', { name: 'Turn on notifications' }).tap()
  await card(page).waitFor({ state: 'detached' })
  assert.deepEqual(await subscribed(), [second!.endpoint])

  // As after a message that the push service answered with 410.
  await journey.owner`delete from push_subscriptions`
  await page.reload()
  await card(page).getByRole('button', { name: 'Turn on notifications' }).waitFor()
  assert.deepEqual(await subscribed(), [], 'the dead subscription is not sent again')
})

test('a browser that blocks notifications says how to allow them, and an iPhone how to install the app', async () => {
  const page = await journey.pageOf(journey.meena)
  await page.goto('/queue')
  await card(page).getByText('Notifications are blocked. Select the icon beside the URL').waitFor()
  await page.goto('/profile')
  await page.getByText('Notifications on this device are off').waitFor()
  await assertWellMade(page)
  const iPhone = await journey.pageOf(journey.chand, {
    viewport: phone,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  })
  await iPhone.addInitScript('delete window.PushManager')
  await iPhone.goto('/queue')
  await card(iPhone).getByText('tap Share, then Add to Home Screen').waitFor()
  await assertWellMade(iPhone)
})

test('no page logged an error', () => assert.deepEqual(journey.complaints, []))
