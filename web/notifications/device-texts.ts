import { isApple, type PushProblem, type TestResult } from './push.ts'

/** Why this device has no notifications, and what to do. */
export const problemText = (problem: PushProblem): string =>
  problem === 'blocked' ? blockedText() : problemTexts[problem]

const problemTexts: Record<Exclude<PushProblem, 'blocked'>, string> = {
  install:
    'On an iPhone or iPad, install the app first: tap Share, then Add to Home Screen. Open it from there, and turn on notifications.',
  unsupported: 'This browser does not support notifications. Update it, or use another one.',
  insecure: 'Browsers allow notifications on HTTPS pages only. Ask the operator of the server to set up HTTPS.',
}

function blockedText(): string {
  if (isApple()) return 'Notifications are blocked. Open Settings → Notifications → Lead Engine, and allow them.'
  return 'Notifications are blocked. Select the icon beside the URL, open the permissions of this site, and allow notifications.'
}

/** What a test message shows. */
export const testTexts: Record<TestResult, string> = {
  delivered: 'Delivered. This device gets notifications.',
  sent: 'The push service accepted the message, but it did not arrive within 10 seconds. In the settings of this device, allow notifications of this browser, and turn off Do Not Disturb and battery saver. Then send another test.',
  none: 'This device is no longer subscribed. Turn on notifications again.',
  gone: 'The push service ended the subscription of this device. Turn on notifications again.',
  rejected: 'The push service rejected the message. Turn notifications off and on again, then send another test.',
  failed:
    'The push service cannot be reached. Check that the server may open HTTPS connections to the internet, and try again in a minute.',
}
