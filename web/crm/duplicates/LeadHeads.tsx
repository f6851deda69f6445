import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { LeadInFull } from '#contract/crm/leads'
import { formatDate } from '../../platform/ui/time.ts'
import styles from './Duplicates.module.css'

/** The names of two leads above their fields. */
export function LeadHeads({ kept, other }: { kept: LeadInFull; other: LeadInFull }) {
  return (
    <div className={styles.heads}>
      <span className={styles.label} />
      <Head lead={kept} title={t`Kept lead`} />
      <Head lead={other} title={t`Merged into it`} />
    </div>
  )
}

function Head({ lead: { id, name, created_at }, title }: { lead: LeadInFull; title: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Link to="/leads/$leadId" params={{ leadId: id }} className={styles.name}>
        {name}
      </Link>
      <div className={styles.detail}>{t`Created ${{ date: formatDate(created_at) }}`}</div>
    </div>
  )
}
