import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { maxAddedUp } from '#contract/leads'
import { bulkChangesQuery } from '../bulk-changes/queries.ts'
import { describeDays, ofDays } from '../ui/days.ts'
import type { Found } from '../ui/ExportButton.tsx'
import { formatCount, formatShortMoney } from '../ui/numbers.ts'
import { useNarrow } from '../ui/screen-size.ts'
import styles from './LeadsPage.module.css'
import { daysOf, ofAllTime } from './lead-search.ts'
import { dealValuesQuery } from './queries.ts'
import { useListSearch } from './use-list-search.ts'

interface Props {
  /** Undefined until the list of these filters is loaded. */
  found: Found | undefined
  /** The days are in no field above the list: they are named here, and can be removed. */
  withDays: boolean
  /** Starts to select leads, on a phone. */
  onSelect: (() => void) | undefined
}

/** "1,204 leads of the last 30 days" */
export function LeadCount({ found, withDays, onSelect }: Props) {
  const narrow = useNarrow()
  const hasBulkChanges = (useQuery(bulkChangesQuery).data?.length ?? 0) > 0
  const { search, choose } = useListSearch()
  const created = daysOf(search)
  const described = describeDays(created)
  const hasChip = withDays && described !== null
  // The line stays as it is while other leads load.
  const shown = useRef({ count: '', of: '' })
  if (found) {
    const count = formatCount(found.total, 'lead')
    shown.current = { count: found.capped ? `More than ${count}` : count, of: ofDays(created) }
  }
  const { count, of } = shown.current
  return (
    <Group gap={8} mih={26}>
      <Text role="status" size="sm" c="dimmed">
        {count} {hasChip ? <VisuallyHidden>{of}</VisuallyHidden> : of}
      </Text>
      <DealValue found={found} />
      {hasChip && (
        <Button
          variant="default"
          size="compact-sm"
          radius="xl"
          fw={400}
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => choose({ ...ofAllTime, offset: undefined })}
        >
          Created: {described}
          <VisuallyHidden>, remove</VisuallyHidden>
        </Button>
      )}
      {hasBulkChanges && (
        <Link to="/leads/bulk-changes" className={styles.link}>
          Bulk changes
        </Link>
      )}
      {narrow && onSelect && count !== '' && (
        <Button variant="subtle" size="compact-sm" ml="auto" onClick={onSelect}>
          Select
        </Button>
      )}
    </Group>
  )
}

/** "₹1.2 crore, ₹40 lakh won". A dash if there are too many leads to add up. */
function DealValue({ found }: { found: Found | undefined }) {
  const { search } = useListSearch()
  const isMany = found !== undefined && (found.capped || found.total > maxAddedUp)
  const { data } = useQuery({ ...dealValuesQuery(search), enabled: found !== undefined && found.total > 0 && !isMany })
  if (!found || found.total === 0) return null
  const { all, won } = isMany ? { all: null, won: null } : (data ?? {})
  if (all === undefined) return null
  return (
    <Text size="sm" c="dimmed">
      · Deal value {all === null ? '—' : formatShortMoney(all)}
      {won ? `, ${formatShortMoney(won)} won` : ''}
    </Text>
  )
}
