import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useRef } from 'react'
import { maxAddedUp } from '#contract/crm/leads'
import { bulkChangesQuery } from '../../crm/bulk-changes/queries.ts'
import { daysOf, ofAllTime } from '../../crm/leads/listed-days.ts'
import { dealValuesQuery } from '../../crm/leads/queries.ts'
import { SelectAllButton } from '../../crm/leads/SelectAllButton.tsx'
import { useListSearch } from '../../crm/leads/use-list-search.ts'
import type { LeadSelection } from '../../crm/leads/use-selection.ts'
import { describeDays, ofDays } from '../../platform/ui/days.ts'
import type { Found } from '../../platform/ui/ExportMenu.tsx'
import { formatShortMoney } from '../../platform/ui/numbers.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import styles from './LeadsPage.module.css'

interface Props {
  /** Undefined until the list of these filters is loaded. */
  found: Found | undefined
  /** The days are in no field above the list: they are named here, and can be removed. */
  withDays: boolean
  /** Undefined while leads are selected. */
  select: Pick<LeadSelection, 'open' | 'selectAll'> | undefined
}

/** "1,204 leads of the last 30 days" */
export function LeadCount({ found, withDays, select }: Props) {
  const narrow = useNarrow()
  const hasBulkChanges = (useQuery(bulkChangesQuery).data?.length ?? 0) > 0
  const { search, choose } = useListSearch()
  const created = daysOf(search)
  const described = describeDays(created)
  const hasChip = withDays && described !== null
  // The line stays as it is while other leads load.
  const shown = useRef({ count: '', of: '' })
  if (found) {
    const { total, capped } = found
    const count = capped
      ? t`More than ${plural(total, { one: '# lead', other: '# leads' })}`
      : plural(total, { one: '# lead', other: '# leads' })
    shown.current = { count, of: ofDays(created) }
  }
  const { count, of } = shown.current
  const Days = hasChip ? VisuallyHidden : Fragment
  return (
    <Group gap={8} mih={26}>
      <Text role="status" size="sm" c="dimmed">
        <Trans>
          {count} <Days>{of}</Days>
        </Trans>
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
          <Trans>
            Created: {described}
            <VisuallyHidden>, remove</VisuallyHidden>
          </Trans>
        </Button>
      )}
      {hasBulkChanges && (
        <Link to="/leads/bulk-changes" className={styles.link}>
          <Trans>Bulk changes</Trans>
        </Link>
      )}
      {!narrow && select && found && found.total > 0 && <SelectAllButton found={found} onSelect={select.selectAll} />}
      {narrow && select && count !== '' && (
        <Button variant="subtle" size="compact-sm" ml="auto" onClick={select.open}>
          <Trans>Select</Trans>
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
  const amount = all === null ? '—' : formatShortMoney(all)
  return (
    <Text size="sm" c="dimmed">
      · {won ? t`Deal value ${amount}, ${{ won: formatShortMoney(won) }} won` : t`Deal value ${amount}`}
    </Text>
  )
}
