import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'

export const DeliveryNotFound = ({ onNewest }: { onNewest(): void }) => (
  <EmptyState
    mt={32}
    icon={<IconInbox />}
    title={t`Delivery not found`}
    description={t`It is no longer stored, or the link is incomplete.`}
  >
    <EmptyState.Actions>
      <Button variant="default" onClick={onNewest}>
        <Trans>Show newest delivery</Trans>
      </Button>
    </EmptyState.Actions>
  </EmptyState>
)
