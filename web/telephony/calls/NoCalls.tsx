import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, EmptyState } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useIsAdmin } from '../../access/account/me.ts'
import { NoMatches } from '../../platform/ui/NoMatches.tsx'
import styles from './CallsPage.module.css'

interface Props {
  filtered: boolean
  /** There are calls, but the offset is past the last one. */
  beyond: boolean
  onClear(): void
  onFirst(): void
}

export function NoCalls({ filtered, beyond, onClear, onFirst }: Props) {
  const isAdmin = useIsAdmin()
  const icon = <IconPhone size={28} aria-hidden />
  if (beyond)
    return (
      <EmptyState
        className={styles.nothing}
        icon={icon}
        title={t`No calls on this page`}
        description={t`The list is shorter than it was.`}
      >
        <Button variant="default" onClick={onFirst}>
          <Trans>Go to the first page</Trans>
        </Button>
      </EmptyState>
    )
  if (filtered)
    return <NoMatches icon={icon} description={t`No call matches the search and all filters.`} onClear={onClear} />
  return (
    <EmptyState
      className={styles.nothing}
      icon={icon}
      title={t`No calls in the last 30 days`}
      description={
        isAdmin
          ? t`Calls appear here when your telephony sends them through the API or a user logs one on a lead.`
          : t`Calls with your leads appear here. Open a lead to log one.`
      }
    >
      <Button component={Link} to="/leads" variant="default">
        <Trans>Open leads</Trans>
      </Button>
      {isAdmin && (
        <Anchor href="/docs/">
          <Trans>How to send calls</Trans>
        </Anchor>
      )}
    </EmptyState>
  )
}
