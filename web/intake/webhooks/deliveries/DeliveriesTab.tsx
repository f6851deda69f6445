import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Box, EmptyState, Group, SegmentedControl, Text } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { hashKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { DeliveryOutcome, ListedDelivery, ShownWebhook } from '#contract/intake/webhooks'
import { allTime } from '#contract/platform/periods'
import { accountQuery } from '../../../access/account/queries.ts'
import { type Column, DataTable } from '../../../platform/ui/DataTable.tsx'
import { DaysFilter } from '../../../platform/ui/DaysFilter.tsx'
import { dateRange, hasDays, noDays } from '../../../platform/ui/days.ts'
import { MoreButton } from '../../../platform/ui/MoreButton.tsx'
import { NoMatches } from '../../../platform/ui/NoMatches.tsx'
import { formatNumber } from '../../../platform/ui/numbers.ts'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { SearchField } from '../../../platform/ui/SearchField.tsx'
import { Timestamp } from '../../../platform/ui/Timestamp.tsx'
import { OutcomeBadge, outcomeOptions } from '../OutcomeBadge.tsx'
import { deliveriesQuery } from '../queries.ts'
import type { WebhookSearch } from '../webhook-search.ts'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { ReplayDeliveries } from './ReplayDeliveries.tsx'

const route = getRouteApi('/signed-in/admins/settings/webhooks/$webhookId')

const outcomes = [{ value: 'all', label: t`All` }, ...outcomeOptions]

export function DeliveriesTab({ webhook: { id } }: { webhook: ShownWebhook }) {
  const { delivery, tab: _, ...filters } = route.useSearch()
  const { outcome, search, ...days } = filters
  const navigate = route.useNavigate()
  const deliveries = useInfiniteQuery(deliveriesQuery(id, filters))
  const { data: account } = useQuery(accountQuery)
  const kept = account?.delivery_retention_days ?? 30
  const rows = deliveries.data?.pages.flatMap(({ data }) => data)
  const open = (opened: string | undefined, replace = false) =>
    void navigate({ search: { ...filters, delivery: opened }, replace, resetScroll: false })
  const choose = (change: Partial<WebhookSearch>) =>
    void navigate({ search: { ...filters, ...change }, resetScroll: false })
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        search: (before) => ({ ...before, search: text || undefined }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const isFiltered = outcome !== undefined || search !== undefined || hasDays(days)
  const replayed = outcome === undefined || outcome === 'rejected' || outcome === 'ignored'
  const searched = deliveries.data?.pages[0]?.searched
  const storedFor = t`Every request to the webhook URL is stored for ${plural({ days: kept }, { one: '# day', other: '# days' })} with its payload and outcome, rejected ones too.`

  return (
    <>
      <Group justify="space-between" align="flex-start" gap={8}>
        <SegmentedControl
          aria-label={t`Outcome`}
          data={outcomes}
          value={outcome ?? 'all'}
          mb={16}
          onChange={(chosen) => choose({ outcome: chosen === 'all' ? undefined : (chosen as DeliveryOutcome) })}
        />
        {replayed && search === undefined && (
          <ReplayDeliveries
            key={hashKey([outcome, days])}
            webhookId={id}
            filter={{ ...(outcome && { outcome }), ...dateRange(days) }}
          />
        )}
      </Group>
      <Group gap={8} mb={16}>
        <SearchField label={t`Name, phone, request id…`} value={search ?? ''} onSearch={onSearch} />
        <DaysFilter
          label={t`Received`}
          value={days.days === allTime ? noDays : days}
          onChange={(chosen) => choose({ ...noDays, ...(chosen.days === allTime ? {} : chosen) })}
          placeholder={t`all time`}
        />
      </Group>
      {searched != null && (
        <Text size="sm" c="dimmed" mb={16}>
          <Trans>
            Names and parts of phones are searched in the newest {{ count: formatNumber(searched) }} deliveries. Older
            ones are found by a whole phone or email, a request id, or their lead.
          </Trans>
        </Text>
      )}
      {deliveries.error && !rows ? (
        <Problem error={deliveries.error} retry={() => void deliveries.refetch()} />
      ) : (
        <DataTable
          label={t`Deliveries`}
          manyColumns
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          narrow={narrow}
          onOpen={(row) => open(row.id, delivery !== undefined)}
          openKey={delivery}
          busy={deliveries.isPlaceholderData}
          empty={
            isFiltered ? (
              <NoMatches
                icon={<IconInbox />}
                description={storedFor}
                onClear={() => void navigate({ search: {}, resetScroll: false })}
              />
            ) : (
              <EmptyState
                mt={32}
                icon={<IconInbox />}
                title={t`No deliveries in the last ${plural({ days: kept }, { one: '# day', other: '# days' })}`}
                description={storedFor}
              />
            )
          }
        />
      )}
      <MoreButton
        hasMore={deliveries.hasNextPage}
        waiting={deliveries.isFetchingNextPage}
        shown={rows?.length ?? 0}
        onMore={() => void deliveries.fetchNextPage()}
      />
      <DeliveryDrawer webhookId={id} deliveryId={delivery} onClose={() => open(undefined)} />
    </>
  )
}

function Name({ row }: { row: ListedDelivery }) {
  const { webhookId } = route.useParams()
  return (
    <Anchor
      c="inherit"
      lineClamp={1}
      renderRoot={(props) => (
        <Link
          to="/settings/webhooks/$webhookId"
          params={{ webhookId }}
          search={(before) => ({ ...before, delivery: row.id })}
          resetScroll={false}
          {...props}
        />
      )}
    >
      {row.name ?? t`No name`}
    </Anchor>
  )
}

function Details({ row: { error, warnings, replayed_at, outcome } }: { row: ListedDelivery }) {
  const details = [
    outcome === 'test' ? t`Stored without a lead` : error,
    !error && warnings > 0 ? plural(warnings, { one: '# warning', other: '# warnings' }) : null,
    replayed_at ? t`Replayed` : null,
  ].filter(Boolean)
  return (
    <Text size="xs" c="dimmed" lineClamp={2}>
      {details.join(' · ')}
    </Text>
  )
}

const columns: Column<ListedDelivery>[] = [
  { header: t`Outcome`, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />, width: 110 },
  { header: t`Name`, cell: (row) => <Name row={row} />, width: 220 },
  { header: t`Received`, cell: ({ received_at }) => <Timestamp at={received_at} short />, width: 110 },
  { header: t`Sender IP`, cell: ({ address }) => address, width: 160 },
  { header: t`Details`, cell: (row) => <Details row={row} /> },
]

const narrow = (row: ListedDelivery) => ({
  first: (
    <>
      <Name row={row} />
      <Box component="span" flex="none">
        <OutcomeBadge outcome={row.outcome} />
      </Box>
    </>
  ),
  second: (
    <>
      <Details row={row} />
      <Box component="span" flex="none">
        <Timestamp at={row.received_at} short />
      </Box>
    </>
  ),
})
