import { Button, EmptyState } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'

/** What the address names is no longer kept, or never was. */
export const NoSuchDelivery = ({ onNewest }: { onNewest(): void }) => (
  <EmptyState
    mt={32}
    icon={<IconInbox />}
    title="There is no such delivery"
    description="It is no longer kept, or the address is not whole."
  >
    <EmptyState.Actions>
      <Button variant="default" onClick={onNewest}>
        Show the newest delivery
      </Button>
    </EmptyState.Actions>
  </EmptyState>
)
