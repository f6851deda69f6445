import { plural, t } from '@lingui/core/macro'
import { Anchor, Box, EmptyState, Group, SegmentedControl, Text } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { DeliveryOutcome, ListedDelivery, ShownWebhook } from '#contract/intake/webhooks'
import { accountQuery } from '../../../access/account/queries.ts'
import { type Column, DataTable } from '../../../platform/ui/DataTable.tsx'
import { MoreButton } from '../../../platform/ui/MoreButton.tsx'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { Timestamp } from '../../../platform/ui/Timestamp.tsx'
import { OutcomeBadge, outcomeOptions } from '../OutcomeBadge.tsx'
import { deliveriesQuery } from '../queries.ts'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { ReplayRejected } from './ReplayRejected.tsx'

const route = getRouteApi('/signed-in/admins/settings/webhooks/$webhookId')

const outcomes = [{ value: 'all', label: t`All` }, ...outcomeOptions]

export function DeliveriesTab({ webhook: { id } }: { webhook: ShownWebhook }) {
  const { outcome, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const deliveries = useInfiniteQuery(deliveriesQuery(id, outcome))
  const { data: account } = useQuery(accountQuery)
  const days = account?.delivery_retention_days ?? 30
  const rows = deliveries.data?.pages.flatMap(({ data }) => data)
  const open = (opened: string | undefined, replace = false) =>
    void navigate({ search: { outcome, delivery: opened }, replace, resetScroll: false })

  return (
    <>
      <Group justify="space-between" align="flex-start" gap={8}>
        <SegmentedControl
          aria-label={t`Outcome`}
          data={outcomes}
          value={outcome ?? 'all'}
          mb={16}
          onChange={(chosen) =>
            void navigate({
              search: { outcome: chosen === 'all' ? undefined : (chosen as DeliveryOutcome) },
              resetScroll: false,
            })
          }
        />
        <ReplayRejected webhookId={id} />
      </Group>
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
            <EmptyState
              mt={32}
              icon={<IconInbox />}
              title={
                outcome
                  ? t`No deliveries with this outcome`
                  : t`No deliveries in the last ${plural(days, { one: '# day', other: '# days' })}`
              }
              description={t`Every request to the webhook URL is stored for ${plural(days, { one: '# day', other: '# days' })} with its payload and outcome, rejected ones too.`}
            />
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
  const { outcome } = route.useSearch()
  const { webhookId } = route.useParams()
  return (
    <Anchor
      c="inherit"
      lineClamp={1}
      renderRoot={(props) => (
        <Link
          to="/settings/webhooks/$webhookId"
          params={{ webhookId }}
          search={{ outcome, delivery: row.id }}
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
