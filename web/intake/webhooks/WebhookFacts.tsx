import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DeliveryOutcome, ShownWebhook } from '#contract/intake/webhooks'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { DayBars } from './DayBars.tsx'
import { EnabledBadge } from './EnabledBadge.tsx'
import { ignoredText } from './ignored-text.ts'
import styles from './WebhookPage.module.css'

/** Shows the activity of the webhook in a line. */
export function WebhookFacts({ webhook }: { webhook: ShownWebhook }) {
  const { id, enabled, source_label, last_delivery, today, days, storage } = webhook
  const problem = ignoredText(webhook)
  const isUsedUp = storage.cut + storage.dropped > 0
  const used = Math.ceil(storage.bytes / 1024 / 1024)
  const quota = formatNumber(storage.quota / 1024 / 1024)
  return (
    <div className={styles.facts}>
      <EnabledBadge enabled={enabled} />
      <span className={styles.source}>{t`Source ${source_label}`}</span>
      <span>
        {last_delivery ? (
          <Trans>
            Last delivery <Timestamp at={last_delivery.received_at} short />
          </Trans>
        ) : (
          t`No delivery yet`
        )}
      </span>
      <span>{t`${{ received: formatNumber(today.received) }} today`}</span>
      {today.rejected > 0 && (
        <DeliveriesLink webhookId={id} outcome="rejected">
          {t`${{ rejected: formatNumber(today.rejected) }} rejected`}
        </DeliveriesLink>
      )}
      {today.waiting > 0 && (
        <DeliveriesLink webhookId={id} outcome="waiting">
          {t`${{ waiting: formatNumber(today.waiting) }} waiting`}
        </DeliveriesLink>
      )}
      {problem && (
        <DeliveriesLink webhookId={id} outcome="ignored">
          {t`Needs attention: ${{ problem }}`}
        </DeliveriesLink>
      )}
      {(storage.bytes > storage.quota / 10 || isUsedUp) && (
        <span>
          {isUsedUp && (
            <IconAlertTriangle size={14} color="var(--amber)" aria-label={t`Warning`} className={styles.warning} />
          )}
          {isUsedUp ? t`Storage quota used up: ${used} of ${quota} MiB` : t`Storage today: ${used} of ${quota} MiB`}
          {storage.cut > 0 && ` · ${plural({ cut: storage.cut }, { one: '# payload cut', other: '# payloads cut' })}`}
          {storage.dropped > 0 && ` · ${t`${{ dropped: formatNumber(storage.dropped) }} only counted`}`}
        </span>
      )}
      {storage.lost > 0 && (
        <span>
          <IconAlertTriangle size={14} color="var(--amber)" aria-label={t`Warning`} className={styles.warning} />
          {plural(
            { lost: storage.lost },
            {
              one: '# delivery answered 503 today and not stored',
              other: '# deliveries answered 503 today and not stored',
            },
          )}
        </span>
      )}
      {last_delivery && <DayBars days={days} />}
    </div>
  )
}

function DeliveriesLink({
  webhookId,
  outcome,
  children,
}: {
  webhookId: string
  outcome: DeliveryOutcome
  children: ReactNode
}) {
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link to="/settings/webhooks/$webhookId" params={{ webhookId }} search={{ outcome }} {...props} />
      )}
    >
      {children}
    </Anchor>
  )
}
