import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  icon: ReactNode
  description: string
  /** Clears the filters. */
  onClear(): void
}

/** In place of a list of which the filters leave nothing. */
export const NoMatches = ({ icon, description, onClear }: Props) => (
  <EmptyState my={32} icon={icon} title={t`No matches`} description={description}>
    <EmptyState.Actions>
      <Button variant="default" onClick={onClear}>
        <Trans>Clear filters</Trans>
      </Button>
    </EmptyState.Actions>
  </EmptyState>
)
