import { Button, EmptyState } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'

export const DeliveryNotFound = ({ onNewest }: { onNewest(): void }) => (
  <EmptyState
    mt={32}
    icon={<IconInbox />}
    title="Delivery not found"
    description="It is no longer stored, or the link is incomplete."
  >
    <EmptyState.Actions>
      <Button variant="default" onClick={onNewest}>
        Show newest delivery
      </Button>
    </EmptyState.Actions>
  </EmptyState>
)
