import { Link, useParams } from '@tanstack/react-router'
import type { ListedLead } from '#contract/crm/leads'
import { useWide } from '../../platform/ui/screen-size.ts'
import styles from './LeadTable.module.css'

/** Replaces the history entry of an open lead, so that Back closes the lead. */
export function LeadLink({ lead, className = '' }: { lead: ListedLead; className?: string | undefined }) {
  const { leadId } = useParams({ strict: false })
  const wide = useWide()
  return (
    <Link
      to="/leads/$leadId"
      params={{ leadId: lead.id }}
      search={true}
      replace={leadId !== undefined}
      resetScroll={!wide}
      className={`${styles.name} ${className}`}
      title={lead.name}
    >
      {lead.name}
    </Link>
  )
}
