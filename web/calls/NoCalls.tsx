import { Anchor, Button, EmptyState } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useIsAdmin } from '../me.ts'
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
        title="No calls on this page"
        description="The list is shorter than it was."
      >
        <Button variant="default" onClick={onFirst}>
          Go to the first page
        </Button>
      </EmptyState>
    )
  if (filtered)
    return (
      <EmptyState
        className={styles.nothing}
        icon={icon}
        title="No matches"
        description="No call matches the search and all filters."
      >
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      </EmptyState>
    )
  return (
    <EmptyState
      className={styles.nothing}
      icon={icon}
      title="No calls in the last 30 days"
      description={
        isAdmin
          ? 'Calls appear here when your telephony sends them through the API or a user logs one on a lead.'
          : 'Calls with your leads appear here. Open a lead to log one.'
      }
    >
      <Button component={Link} to="/leads" variant="default">
        Open leads
      </Button>
      {isAdmin && <Anchor href="/docs/">How to send calls</Anchor>}
    </EmptyState>
  )
}
