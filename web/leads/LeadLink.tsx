import { Link, useParams } from '@tanstack/react-router'
import type { ListedLead } from '#contract/leads'
import { useWide } from '../ui/screen-size.ts'
import styles from './LeadTable.module.css'

/** From one lead to the next beside the list: Back then closes, and does not go through them all again. */
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
