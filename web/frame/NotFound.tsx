import { Anchor, EmptyState } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from '../ui/Page.tsx'

export function NotFound() {
  return (
    <Page title="Nothing here">
      <EmptyState
        title="There is nothing at this address"
        description="It was deleted, it is not yours to see, or the address is not whole."
      >
        <Anchor component={Link} to="/">
          Go to the overview
        </Anchor>
      </EmptyState>
    </Page>
  )
}
