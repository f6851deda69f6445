import { Anchor, EmptyState } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from '../ui/Page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState
        title="This page does not exist"
        description="It was deleted, you may not see it, or the link is incomplete."
      >
        <Anchor component={Link} to="/">
          Go to overview
        </Anchor>
      </EmptyState>
    </Page>
  )
}

/** For a path of no page, which has no frame around it. */
export const NotFoundAlone = () => (
  <main>
    <NotFound />
  </main>
)
