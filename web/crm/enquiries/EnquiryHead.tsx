import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { Enquiry } from '#contract/crm/enquiries'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'

/** When and from which source an enquiry came. */
export const EnquiryHead = ({ enquiry: { source, at, is_repeat } }: { enquiry: Enquiry }) => (
  <Text size="xs" c="dimmed" component="span">
    {is_repeat && `${t`Enquired again`} · `}
    {source} · <Timestamp at={at} />
  </Text>
)
