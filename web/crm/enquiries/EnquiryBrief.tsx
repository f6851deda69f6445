import { plural, t } from '@lingui/core/macro'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { EnquiryPreview } from '#contract/crm/enquiries'
import { Answers } from './Answers.tsx'
import { DoNotCall } from './DoNotCall.tsx'
import styles from './Enquiry.module.css'
import { PageLink } from './PageLink.tsx'

interface Props {
  leadId: string
  enquiry: EnquiryPreview | null
  /** There is little room: a form follows. */
  isShort?: boolean
}

/** What a lead asked for last, to be read before a call. The page of the lead has all of it. */
export function EnquiryBrief({ leadId, enquiry, isShort = false }: Props) {
  if (enquiry === null) return null
  const { product, answers, message, campaign, page_url, more, do_not_call } = enquiry
  if (!(product || message || campaign || page_url || do_not_call) && answers.length + more === 0) return null
  return (
    <section className={styles.brief} data-short={isShort || undefined} aria-label={t`Enquiry`}>
      {do_not_call && <DoNotCall mark={do_not_call} />}
      {product && <p className={styles.product}>{product}</p>}
      <Answers answers={answers} />
      {message && <p className={styles.message}>{message}</p>}
      {(campaign || page_url || more > 0) && (
        <p className={styles.origin}>
          {campaign && <span>{campaign}</span>}
          {page_url && <PageLink url={page_url} />}
          {more > 0 && (
            <Anchor inherit renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId }} />}>
              {plural({ more }, { one: '# more answer', other: '# more answers' })}
            </Anchor>
          )}
        </p>
      )}
    </section>
  )
}
