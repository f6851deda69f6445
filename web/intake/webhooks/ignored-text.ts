import { t } from '@lingui/core/macro'
import type { ListedWebhook } from '#contract/intake/webhooks'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { formatIsoDate } from '../../platform/ui/time.ts'

/** "16 of 37 ignored since 21 Nov" if the form has changed, "3 ignored" of those with a possible contact; null if none needs attention. */
export function ignoredText({ attention, ignored_since: since }: Pick<ListedWebhook, 'attention' | 'ignored_since'>) {
  if (since)
    return t`${{ ignored: formatNumber(since.ignored) }} of ${{ received: formatNumber(since.received) }} ignored since ${{ day: formatIsoDate(since.day) }}`
  return attention > 0 ? t`${{ ignored: formatNumber(attention) }} ignored` : null
}
