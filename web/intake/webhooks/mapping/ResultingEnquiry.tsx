import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Title } from '@mantine/core'
import type { DeliveryPreview } from '#contract/intake/payload'
import { EnquiryDetails } from '../../../crm/enquiries/EnquiryDetails.tsx'

/** What the lead would have beside its fields: answers, origin and consent. */
export const ResultingEnquiry = ({ enquiry }: { enquiry: NonNullable<DeliveryPreview['enquiry']> }) => (
  <section aria-label={t`Resulting enquiry`}>
    <Title order={2} mb={8} lh="30px">
      <Trans>Resulting enquiry</Trans>
    </Title>
    <EnquiryDetails enquiry={enquiry} />
  </section>
)
