import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Box, Button, EmptyState, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ListedWebhook } from '#contract/intake/webhooks'
import { type Column, DataTable } from '../../platform/ui/DataTable.tsx'
import { type Filter, Filters } from '../../platform/ui/Filters.tsx'
import { NoMatches } from '../../platform/ui/NoMatches.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { SearchField } from '../../platform/ui/SearchField.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { CreateWebhook } from './CreateWebhook.tsx'
import { DayBars } from './DayBars.tsx'
import { EnabledBadge } from './EnabledBadge.tsx'
import { ignoredText } from './ignored-text.ts'
import { OutcomeBadge } from './OutcomeBadge.tsx'
import { webhooksQuery } from './queries.ts'
import { shownWebhooks } from './shown-webhooks.ts'
import { listFilters, type WebhookListSearch, webhookListSearch } from './webhook-search.ts'

const route = getRouteApi('/signed-in/admins/settings/webhooks')

/** So few are seen at a glance. */
const fewWebhooks = 8

export function WebhooksPage() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  const [creating, { open, close }] = useDisclosure()
  const navigate = useNavigate({ from: '/settings/webhooks' })
  const search = route.useSearch()
  const isNarrow = useNarrow()
  const choose = (change: Partial<WebhookListSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
  const onSearch = useCallback(
    (text: string) => void navigate({ search: (before) => ({ ...before, search: text || undefined }), replace: true }),
    [navigate],
  )
  const clear = () => void navigate({ search: webhookListSearch({}) })
  const isFiltered = search.search !== undefined || search.show !== undefined
  useAddKey(open)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      <Trans>Create webhook</Trans>
    </Button>
  )

  return (
    <Page
      wide
      title={t`Webhooks`}
      about={t`URLs to which portals, ad platforms and forms send leads. Each has its own source, tags and mapping.`}
      actions={create}
    >
      {error && !data ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <>
          {(isFiltered || (data && data.length > fewWebhooks)) && (
            <Group gap={8} mb={16} wrap={isNarrow ? 'nowrap' : 'wrap'}>
              <SearchField label={t`Name, source label…`} value={search.search ?? ''} onSearch={onSearch} />
              <Filters filters={filtersOf(search, choose)} onClear={clear} />
            </Group>
          )}
          <DataTable
            label={t`Webhooks`}
            manyColumns
            columns={columnsOf(search, choose)}
            rows={data && shownWebhooks(data, search)}
            rowKey={({ id }) => id}
            narrow={narrow}
            onOpen={({ id }) => void navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId: id } })}
            expected={4}
            empty={
              isFiltered ? (
                <NoMatches icon={<IconWebhook />} description={t`No webhook matches all filters.`} onClear={clear} />
              ) : (
                <EmptyState
                  mt={48}
                  icon={<IconWebhook />}
                  title={t`No webhooks yet`}
                  description={t`Paste the URL of a webhook into IndiaMART, Meta, Google Ads, your website’s form or any other source. What it sends becomes a lead at once.`}
                >
                  <EmptyState.Actions>
                    <Button variant="default" onClick={open}>
                      <Trans>Create the first webhook</Trans>
                    </Button>
                  </EmptyState.Actions>
                </EmptyState>
              )
            }
          />
        </>
      )}
      <CreateWebhook opened={creating} onClose={close} />
    </Page>
  )
}

const Name = ({ webhook: { id, name } }: { webhook: ListedWebhook }) => (
  <Anchor
    fw={500}
    c="inherit"
    lineClamp={2}
    renderRoot={(props) => <Link to="/settings/webhooks/$webhookId" params={{ webhookId: id }} {...props} />}
  >
    {name}
  </Anchor>
)

/** Why a webhook needs attention, below its name. */
function Ignored({ webhook }: { webhook: ListedWebhook }) {
  const text = ignoredText(webhook)
  return (
    text && (
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    )
  )
}

const shownLabels = { enabled: t`Enabled`, disabled: t`Disabled`, attention: t`Needs attention` }

const filtersOf = ({ show }: WebhookListSearch, choose: (change: Partial<WebhookListSearch>) => void): Filter[] => [
  {
    label: t`Status`,
    value: show,
    options: listFilters.map((value) => ({ value, label: shownLabels[value] })),
    onChange: (value) => choose({ show: listFilters.find((one) => one === value) }),
  },
]

function Today({ webhook: { today }, withWord = false }: { webhook: ListedWebhook; withWord?: boolean }) {
  const received = formatNumber(today.received)
  return (
    <>
      {withWord ? t`${received} today` : received}
      {today.rejected > 0 && (
        <Text span size="xs" c="dimmed">
          {' '}
          · {t`${{ rejected: formatNumber(today.rejected) }} rejected`}
        </Text>
      )}
    </>
  )
}

function Last({ webhook: { last_delivery: last } }: { webhook: ListedWebhook }) {
  if (!last)
    return (
      <Text span inherit c="dimmed">
        <Trans>None yet</Trans>
      </Text>
    )
  return (
    <Group component="span" display="inline-flex" gap={12}>
      <OutcomeBadge outcome={last.outcome} />
      <Timestamp at={last.received_at} short />
    </Group>
  )
}

/** Names begin with A, numbers and times with the highest. */
function columnsOf(
  { sort = 'name', reverse }: WebhookListSearch,
  choose: (change: Partial<WebhookListSearch>) => void,
): Column<ListedWebhook>[] {
  const sorted = (by: NonNullable<WebhookListSearch['sort']>): Column<ListedWebhook>['sort'] => ({
    state: sort !== by ? 'none' : (by === 'name') === !reverse ? 'ascending' : 'descending',
    onSort: () => choose({ sort: by === 'name' ? undefined : by, reverse: sort === by && !reverse ? true : undefined }),
  })
  return [
    {
      header: t`Name`,
      sort: sorted('name'),
      cell: (webhook) => (
        <>
          <Name webhook={webhook} />
          <Ignored webhook={webhook} />
        </>
      ),
    },
    { header: t`Source label`, cell: ({ source_label }) => <Text lineClamp={1}>{source_label}</Text> },
    { header: t`Status`, cell: ({ enabled }) => <EnabledBadge enabled={enabled} />, width: 120 },
    { header: t`Last 14 days`, cell: ({ days }) => <DayBars days={days} />, width: 140 },
    { header: t`Today`, sort: sorted('today'), cell: (webhook) => <Today webhook={webhook} />, width: 140 },
    { header: t`Last delivery`, sort: sorted('last'), cell: (webhook) => <Last webhook={webhook} />, width: 210 },
  ]
}

const narrow = (webhook: ListedWebhook) => ({
  first: (
    <>
      <div>
        <Name webhook={webhook} />
        <Ignored webhook={webhook} />
      </div>
      <Box component="span" flex="none">
        <EnabledBadge enabled={webhook.enabled} />
      </Box>
    </>
  ),
  second: (
    <>
      <span>
        <Last webhook={webhook} />
      </span>
      <Box component="span" flex="none">
        <Today webhook={webhook} withWord />
      </Box>
    </>
  ),
})
