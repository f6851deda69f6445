import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Page } from './Page.tsx'

/** Shown without a connection instead of a page whose code, or what it shows, never came to this browser. */
export const NotOpenedBefore = () => (
  <Page title={t`No connection`}>
    <Trans>This page was not opened here before, so it needs a connection. It opens as soon as there is one.</Trans>
  </Page>
)
