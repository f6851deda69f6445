import type { NotificationSettings, TestAnswer } from '#contract/selling/notifications'
import { type Data, get, post, remove } from '../../platform/api/api.ts'
import { stringifySearch } from '../../platform/api/search.ts'
import { sentEndpoint } from './sent-endpoint.ts'

/** Why this browser cannot get push messages. */
export type PushProblem = 'insecure' | 'install' | 'unsupported' | 'blocked'

export function pushProblem(): PushProblem | null {
  if (!('serviceWorker' in navigator)) return 'insecure'
  if (!('PushManager' in window) || !('Notification' in window))
    return isApple() && !isInstalled() ? 'install' : 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : null
}

/** An iPhone or an iPad, which says that it is a Mac. */
export const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

const isInstalled = () => window.matchMedia('(display-mode: standalone)').matches

/** The subscription of this browser, or null. */
async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

export const isPushOn = async (): Promise<boolean> => pushProblem() === null && (await ownSubscription()) !== null

/** Asks for the permission, and sends the subscription of this browser. Throws `NotAllowedError` without the permission. */
export async function startPush({ push_key }: NotificationSettings): Promise<void> {
  // First of all: some browsers ask only right after the tap.
  if ((await Notification.requestPermission()) !== 'granted') throw new DOMException('', 'NotAllowedError')
  const registration = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: push_key }
  // One that another installation at this URL made has another key.
  const subscription = await registration.pushManager.subscribe(options).catch(async (error: unknown) => {
    const before = await registration.pushManager.getSubscription()
    if (!before) throw error
    await before.unsubscribe()
    return registration.pushManager.subscribe(options)
  })
  await send(subscription)
}

async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await post('/web/notifications/subscriptions', { endpoint, keys })
  sentEndpoint.keep(subscription.endpoint)
}

/**
 * Sends the subscription of this browser again, if there is one and the session is new. If the server removed it within the session, the
 * push service knows it no longer, so it ends here too, and the page asks again.
 */
export async function keepPush(): Promise<void> {
  const subscription = await ownSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  // Without an answer, only messages to this browser may be missing, until the next page load.
  try {
    if (sentEndpoint.get() !== endpoint) return await send(subscription)
    const { data } = await get<Data<NotificationSettings>>('/web/notifications', { endpoint })
    if (!data.has_endpoint) await subscription.unsubscribe()
  } catch {}
}

/** Ends the subscription of this browser, if there is one. */
export async function stopPush(): Promise<void> {
  const subscription = await ownSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  await subscription.unsubscribe()
  await remove(`/web/notifications/subscriptions${stringifySearch({ endpoint })}`)
}

export type TestResult = TestAnswer['outcome'] | 'delivered'

/** In milliseconds, after the push service took the message. */
const deliveredWithin = 10_000

/** Sends a test to this browser. `sent`: it was accepted, and did not arrive. `none` and `gone`: the subscription has ended. */
export async function testPush(): Promise<TestResult> {
  const subscription = await ownSubscription()
  if (!subscription) return 'none'
  const { endpoint } = subscription
  const id = crypto.randomUUID()
  let hear = (_event: MessageEvent<{ test?: string }>) => {}
  const arrival = new Promise<'delivered'>((resolve) => {
    hear = ({ data }) => {
      if (data.test === id) resolve('delivered')
    }
  })
  navigator.serviceWorker.addEventListener('message', hear)
  try {
    const { data } = await post<Data<TestAnswer>>('/web/notifications/test', { endpoint, id })
    if (data.outcome === 'none' || data.outcome === 'gone') await subscription.unsubscribe()
    if (data.outcome !== 'sent') return data.outcome
    const tooLate = new Promise<'sent'>((resolve) => setTimeout(() => resolve('sent'), deliveredWithin))
    return await Promise.race([arrival, tooLate])
  } finally {
    navigator.serviceWorker.removeEventListener('message', hear)
  }
}
