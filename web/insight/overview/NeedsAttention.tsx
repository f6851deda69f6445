import { plural, t } from '@lingui/core/macro'
import {
  IconCircleMinus,
  IconCircleX,
  IconDatabaseX,
  IconEye,
  IconPhoneCheck,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '#contract/insight/overview'
import { useIsAdmin } from '../../access/account/me.ts'
import { mappedFieldLabel } from '../../intake/webhooks/field-labels.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Panel } from '../../platform/ui/Panel.tsx'
import { dateLocale, formatIsoDate, formatRelative } from '../../platform/ui/time.ts'
import { backupsQuery } from '../../setup/backup/queries.ts'
import { continuousBackupQuery } from '../../setup/continuous-backup/queries.ts'
import { deliveriesLink } from './Figures.tsx'
import styles from './NeedsAttention.module.css'

const list = new Intl.ListFormat(dateLocale, { type: 'unit', style: 'short' })

/**
 * For Admins: whether backups fail, which webhooks reject, ignore, cut or no longer get deliveries or are mapped unsurely, and which
 * numbers of users are to be confirmed; and where to fix it.
 */
export function NeedsAttention({
  overview: {
    rejected_deliveries,
    ignored_deliveries,
    changed_webhooks,
    cut_deliveries,
    unsure_webhooks,
    silent_webhooks,
    pending_phone_lines: pending = 0,
  },
}: {
  overview: Overview
}) {
  const rejected = rejected_deliveries?.webhooks ?? []
  const silent = silent_webhooks ?? []
  const changed = changed_webhooks ?? []
  const ignored = (ignored_deliveries ?? []).filter(({ webhook_id }) =>
    changed.every((webhook) => webhook.webhook_id !== webhook_id),
  )
  const cut = cut_deliveries ?? []
  const unsure = unsure_webhooks ?? []
  const { data: backups } = useQuery({ ...backupsQuery, enabled: useIsAdmin() })
  const backupFailed = backups?.state === 'failed'
  const { data: continuous } = useQuery({ ...continuousBackupQuery, enabled: useIsAdmin() })
  const continuousFailed = continuous?.state === 'failed'
  const drillFailed = continuous?.state !== 'off' && continuous?.drill.state === 'failed'
  if (
    ![backupFailed, continuousFailed, drillFailed, pending > 0].includes(true) &&
    [rejected, changed, ignored, cut, unsure, silent].every((one) => one.length === 0)
  )
    return null
  return (
    <Panel title={t`Needs attention`} id="needs-attention">
      <ul className={styles.list}>
        {backupFailed && (
          <Item
            icon={<IconDatabaseX size={18} color="var(--red)" aria-hidden />}
            target={{ to: '/settings/account' }}
            name={t`Daily backup`}
            note={
              backups.last_success_at
                ? t`failed, the last good one was ${{ when: formatRelative(backups.last_success_at) }}`
                : t`failed, none was made yet`
            }
          />
        )}
        {(continuousFailed || drillFailed) && (
          <Item
            icon={<IconDatabaseX size={18} color="var(--red)" aria-hidden />}
            target={{ to: '/settings/account' }}
            name={t`Continuous backup`}
            note={continuousFailed ? t`failed, changes are not saved` : t`the last restore drill failed`}
          />
        )}
        {pending > 0 && (
          <Item
            icon={<IconPhoneCheck size={18} color="var(--amber)" aria-hidden />}
            target={{ to: '/settings/team' }}
            name={t`Numbers to confirm`}
            note={t`${plural(pending, { one: '# number or extension', other: '# numbers and extensions' })} that users added`}
          />
        )}
        {rejected.map(({ webhook_id, name, rejected: count, newest_at }) => (
          <Item
            key={`rejected ${webhook_id}`}
            icon={<IconCircleX size={18} color="var(--red)" aria-hidden />}
            target={deliveriesLink(webhook_id, 'rejected')}
            name={name}
            note={t`${plural(count, { one: '# delivery', other: '# deliveries' })} rejected, newest ${{ when: formatRelative(newest_at) }}`}
          />
        ))}
        {changed.map(({ webhook_id, name, day, ignored, received }) => (
          <Item
            key={`changed ${webhook_id}`}
            icon={<IconCircleMinus size={18} color="var(--amber)" aria-hidden />}
            target={deliveriesLink(webhook_id, 'ignored')}
            name={name}
            note={t`${{ ignored: formatNumber(ignored) }} of ${{ received: formatNumber(received) }} deliveries ignored since ${{ day: formatIsoDate(day) }}: its form may have changed`}
          />
        ))}
        {ignored.map(({ webhook_id, name, ignored, newest_at, has_made_lead }) => (
          <Item
            key={`ignored ${webhook_id}`}
            icon={<IconCircleMinus size={18} color="var(--amber)" aria-hidden />}
            target={deliveriesLink(webhook_id, 'ignored')}
            name={name}
            note={
              has_made_lead
                ? t`${plural(ignored, { one: '# delivery', other: '# deliveries' })} ignored, with a possible phone or email, newest ${{ when: formatRelative(newest_at) }}`
                : t`${plural(ignored, { one: '# delivery', other: '# deliveries' })} ignored, and no lead yet, newest ${{ when: formatRelative(newest_at) }}`
            }
          />
        ))}
        {cut.map(({ webhook_id, name, cut, dropped }) => (
          <Item
            key={`cut ${webhook_id}`}
            icon={<IconDatabaseX size={18} color="var(--amber)" aria-hidden />}
            target={{ to: '/settings/webhooks/$webhookId', params: { webhookId: webhook_id } }}
            name={name}
            note={t`Storage quota used up: ${plural(cut, { one: '# delivery', other: '# deliveries' })} cut, ${{ count: formatNumber(dropped) }} only counted`}
          />
        ))}
        {unsure.map(({ webhook_id, name, fields }) => (
          <Item
            key={`unsure ${webhook_id}`}
            icon={<IconEye size={18} color="var(--amber)" aria-hidden />}
            target={{
              to: '/settings/webhooks/$webhookId',
              params: { webhookId: webhook_id },
              search: { tab: 'mapping' },
            }}
            name={name}
            note={t`Check the mapping: ${{ fields: list.format(new Set(fields.map(mappedFieldLabel))) }} uncertain`}
          />
        ))}
        {silent.map(({ webhook_id, name, last_at }) => (
          <Item
            key={`silent ${webhook_id}`}
            icon={<IconPlugConnectedX size={18} color="var(--amber)" aria-hidden />}
            target={{ to: '/settings/webhooks/$webhookId', params: { webhookId: webhook_id } }}
            name={name}
            note={t`No delivery for longer than usual: the last was ${{ when: formatRelative(last_at) }}`}
          />
        ))}
      </ul>
    </Panel>
  )
}

function Item({ icon, target, name, note }: { icon: ReactNode; target: LinkProps; name: string; note: string }) {
  return (
    <li>
      <Link {...target} className={styles.item}>
        {icon}
        <span>
          <span className={styles.name}>{name}</span> <span className={styles.note}>{note}</span>
        </span>
      </Link>
    </li>
  )
}
