import type { NotificationSettings } from '#contract/notifications'
import { post, remove } from '../api.ts'
import { stringifySearch } from '../search.ts'

/** Why this browser cannot get push messages, or null. */
export function pushProblem(): string | null {
  if (!('serviceWorker' in navigator)) return 'Browsers allow notifications on HTTPS pages only.'
  if (!('PushManager' in window) || !('Notification' in window))
    return 'This browser has no notifications for this page. On an iPhone, first add the page to the home screen.'
  if (Notification.permission === 'denied')
    return 'This browser blocks notifications. Allow them in its settings for this site.'
  return null
}

/** The subscription of this browser, or null. */
async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

export const isPushOn = async (): Promise<boolean> => pushProblem() === null && (await ownSubscription()) !== null

/** Asks for the permission, and sends the subscription of this browser. */
export async function startPush({ push_key }: NotificationSettings): Promise<void> {
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
}

/** Sends the subscription of this browser again, if there is one: it ends with the session in which it was sent. */
export async function keepPush(): Promise<void> {
  const subscription = await ownSubscription()
  // Without it, only messages to this browser are missing, until the next page load.
  if (subscription) await send(subscription).catch(() => {})
}

/** Ends the subscription of this browser, if there is one. */
export async function stopPush(): Promise<void> {
  const subscription = await ownSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  await subscription.unsubscribe()
  await remove(`/web/notifications/subscriptions${stringifySearch({ endpoint })}`)
}
