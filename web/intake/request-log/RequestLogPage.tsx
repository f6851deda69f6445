import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Box, EmptyState, Group, Text } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { endpoints, keptDays, type LoggedRequest, perMinute, statusClasses } from '#contract/intake/request-log'
import { type Column, DataTable } from '../../platform/ui/DataTable.tsx'
import { type Filter, Filters } from '../../platform/ui/Filters.tsx'
import { MoreButton } from '../../platform/ui/MoreButton.tsx'
import { NoMatches } from '../../platform/ui/NoMatches.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { SearchField } from '../../platform/ui/SearchField.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { requestsQuery } from './queries.ts'
import { RequestDrawer } from './RequestDrawer.tsx'
import { type RequestListSearch, requestSearch } from './request-search.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { useSources } from './use-sources.ts'

const route = getRouteApi('/signed-in/admins/settings/requests')

const statusTexts = {
  '2xx': t`2xx · succeeded`,
  '3xx': t`3xx · not modified`,
  '4xx': t`4xx · rejected`,
  '5xx': t`5xx · failed`,
}
const statusOptions = statusClasses.map((value) => ({ value, label: statusTexts[value] }))
/** As the API reference writes them. */
const endpointOptions = endpoints.map((value) => ({ value, label: value.replace(/:(\w+)/, '{$1}') }))

/** The requests of API keys and to webhooks, newest first. */
export function RequestLogPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/settings/requests' })
  const sources = useSources()
  const isNarrow = useNarrow()
  const log = useInfiniteQuery(requestsQuery(search))
  const rows = log.data?.pages.flatMap(({ data }) => data)
  const change = (changed: RequestChange) => void navigate({ search: (before) => ({ ...before, ...changed }) })
  const onSearch = useCallback(
    (text: string) => void navigate({ search: (before) => ({ ...before, search: text || undefined }), replace: true }),
    [navigate],
  )
  const open = (request: string | undefined, replace = false) =>
    void navigate({ search: (before) => ({ ...before, request }), replace, resetScroll: false })
  const clear = () => void navigate({ search: requestSearch({}) })
  const { request, ...filters } = search
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const [failed, succeeded] = [perMinute.failed.ofSource, perMinute.succeeded.ofSource]
  const nameOf = ({ via_id }: LoggedRequest) => sources.find(({ id }) => id === via_id)?.name ?? ''

  return (
    <Page
      title={t`Request log`}
      wide
      about={
        <Trans>
          Requests with API keys and to webhooks in the last {keptDays} days. The first {failed} failed and {succeeded}{' '}
          successful requests of each key and webhook in a minute are logged, without bodies and values that may be
          personal.
        </Trans>
      }
    >
      <Group gap={8} mb={16} wrap={isNarrow ? 'nowrap' : 'wrap'}>
        <SearchField label={t`Request id, path, error…`} value={search.search ?? ''} onSearch={onSearch} />
        <Filters filters={filtersOf(search, sources, change)} onClear={clear} />
      </Group>
      {log.error && !rows ? (
        <Problem error={log.error} retry={() => void log.refetch()} />
      ) : (
        <DataTable
          label={t`Requests`}
          manyColumns
          columns={columnsOf(nameOf)}
          rows={rows}
          rowKey={({ id }) => id}
          narrow={(row) => narrow(row, nameOf(row))}
          onOpen={({ id }) => open(id, request !== undefined)}
          openKey={request}
          busy={log.isPlaceholderData}
          empty={
            isFiltered ? (
              <NoMatches
                icon={<IconListSearch />}
                description={t`No logged request matches all filters.`}
                onClear={clear}
              />
            ) : (
              <EmptyState
                mt={32}
                icon={<IconListSearch />}
                title={t`No requests yet`}
                description={t`A request is shown here a second after it was answered.`}
              />
            )
          }
        />
      )}
      <MoreButton
        hasMore={log.hasNextPage}
        waiting={log.isFetchingNextPage}
        shown={rows?.length ?? 0}
        onMore={() => void log.fetchNextPage()}
      />
      <RequestDrawer requestId={request} nameOf={nameOf} onClose={() => open(undefined)} />
    </Page>
  )
}

type RequestChange = Partial<RequestListSearch>

function filtersOf(
  { source, status, endpoint }: RequestListSearch,
  sources: { id: string; name: string }[],
  onChange: (change: RequestChange) => void,
): Filter[] {
  return [
    {
      label: t`Key or webhook`,
      width: 272,
      value: source,
      options: sources.map(({ id, name }) => ({ value: id, label: name })),
      onChange: (value) => onChange({ source: value }),
    },
    {
      label: t`Status`,
      value: status,
      options: statusOptions,
      onChange: (value) => onChange({ status: statusClasses.find((one) => one === value) }),
    },
    {
      label: t`Endpoint`,
      width: 272,
      value: endpoint,
      options: endpointOptions,
      onChange: (value) => onChange({ endpoint: endpoints.find((one) => one === value) }),
    },
  ]
}

function RequestLine({ row: { id, method, path } }: { row: LoggedRequest }) {
  return (
    <Anchor
      c="inherit"
      className="code"
      renderRoot={(props) => (
        <Link
          from="/settings/requests"
          to="."
          search={(before) => ({ ...before, request: id })}
          resetScroll={false}
          {...props}
        />
      )}
    >
      {method} {path}
    </Anchor>
  )
}

const ErrorLine = ({ row: { message } }: { row: LoggedRequest }) => (
  <Text size="xs" c="dimmed" lineClamp={2}>
    {message}
  </Text>
)

const columnsOf = (nameOf: (row: LoggedRequest) => string): Column<LoggedRequest>[] => [
  {
    header: t`Request`,
    cell: (row) => (
      <>
        <RequestLine row={row} />
        <ErrorLine row={row} />
      </>
    ),
  },
  { header: t`Status`, cell: ({ status }) => <StatusBadge status={status} />, width: 90 },
  { header: t`Key or webhook`, cell: (row) => <Text lineClamp={2}>{nameOf(row)}</Text>, width: 200 },
  { header: t`Time`, cell: ({ at }) => <Timestamp at={at} short />, width: 120 },
  { header: t`Duration`, cell: ({ ms }) => duration(ms), width: 100, align: 'right' },
  { header: t`Request id`, cell: ({ id }) => <span className="code">{id.slice(0, 8)}…</span>, width: 120 },
]

const narrow = (row: LoggedRequest, name: string) => ({
  first: (
    <>
      <RequestLine row={row} />
      <Box component="span" flex="none">
        <StatusBadge status={row.status} />
      </Box>
    </>
  ),
  second: (
    <>
      {row.message ? <ErrorLine row={row} /> : <span>{name}</span>}
      <Box component="span" flex="none">
        <Timestamp at={row.at} short />
      </Box>
    </>
  ),
})

const duration = (ms: number) => t`${{ time: formatNumber(ms) }} ms`
