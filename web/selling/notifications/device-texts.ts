import { t } from '@lingui/core/macro'
import { isApple, type PushProblem, type TestResult } from './push.ts'

/** Why this device has no notifications, and what to do. */
export const problemText = (problem: PushProblem): string =>
  problem === 'blocked' ? blockedText() : problemTexts[problem]

const problemTexts: Record<Exclude<PushProblem, 'blocked'>, string> = {
  install: t`On an iPhone or iPad, install the app first: tap Share, then Add to Home Screen. Open it from there, and turn on notifications.`,
  unsupported: t`This browser does not support notifications. Update it, or use another one.`,
  insecure: t`Browsers allow notifications on HTTPS pages only. Ask the operator of the server to set up HTTPS.`,
}

function blockedText(): string {
  if (isApple()) return t`Notifications are blocked. Open Settings → Notifications → Lead Engine, and allow them.`
  return t`Notifications are blocked. Select the icon beside the URL, open the permissions of this site, and allow notifications.`
}

/** What a test message shows. */
export const testTexts: Record<TestResult, string> = {
  delivered: t`Delivered. This device gets notifications.`,
  sent: t`The push service accepted the message, but it did not arrive within 10 seconds. In the settings of this device, allow notifications of this browser, and turn off Do Not Disturb and battery saver. Then send another test.`,
  none: t`This device is no longer subscribed. Turn on notifications again.`,
  gone: t`The push service ended the subscription of this device. Turn on notifications again.`,
  rejected: t`The push service rejected the message. Turn notifications off and on again, then send another test.`,
  failed: t`The push service cannot be reached. Check that the server may open HTTPS connections to the internet, and try again in a minute.`,
}
