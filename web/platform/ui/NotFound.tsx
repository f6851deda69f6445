import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, EmptyState } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from './Page.tsx'

export function NotFound() {
  return (
    <Page title={t`Page not found`}>
      <EmptyState
        title={t`This page does not exist`}
        description={t`It was deleted, you do not have access to it, or the link is incomplete.`}
      >
        <Anchor component={Link} to="/">
          <Trans>Go to overview</Trans>
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
