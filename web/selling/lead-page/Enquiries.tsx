import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type Enquiry, enquiryLine } from '#contract/crm/enquiries'
import { EnquiryDetails } from '../../crm/enquiries/EnquiryDetails.tsx'
import { EnquiryHead } from '../../crm/enquiries/EnquiryHead.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { WaitingButton } from '../../platform/ui/WaitingButton.tsx'
import styles from './Lead.module.css'
import type { useEnquiries } from './queries.ts'

interface Props {
  enquiries: ReturnType<typeof useEnquiries>
  headings: 2 | 3
}

/** What the lead asked for: the newest enquiry in full, older ones folded. */
export function Enquiries({ enquiries: { known, hasMore, ...older }, headings }: Props) {
  const [newest, ...others] = known
  if (!newest) return null
  const title = plural({ count: known.length }, { one: 'Enquiry', other: 'Enquiries' })
  return (
    <section aria-label={title}>
      <Title order={headings} size="h2">
        {title}
      </Title>
      <EnquiryHead enquiry={newest} />
      <div className={styles.newest}>
        <EnquiryDetails enquiry={newest} />
      </div>
      {others.map((enquiry) => (
        <Older key={enquiry.id} enquiry={enquiry} />
      ))}
      <Problem error={older.error} retry={older.retry} />
      {hasMore && !older.error && (
        <WaitingButton variant="subtle" size="compact-sm" mih={32} waiting={older.isFetching} onClick={older.ask}>
          <Trans>Show more</Trans>
        </WaitingButton>
      )}
    </section>
  )
}

function Older({ enquiry }: { enquiry: Enquiry }) {
  const { origin, answers, message } = enquiry
  const line = enquiryLine({ product: origin.product ?? null, answers, message })
  return (
    <details className={styles.older}>
      <summary className={styles.olderHead}>
        <IconChevronRight size={14} aria-hidden className={styles.olderSign} />
        <span className={styles.olderText}>
          <EnquiryHead enquiry={enquiry} />
          {line && <span className={styles.olderLine}>{line}</span>}
        </span>
      </summary>
      <EnquiryDetails enquiry={enquiry} />
    </details>
  )
}
