import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Box, Button, EmptyState, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ListedWebhook } from '#contract/intake/webhooks'
import { type Column, DataTable } from '../../platform/ui/DataTable.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { CreateWebhook } from './CreateWebhook.tsx'
import { DayBars } from './DayBars.tsx'
import { EnabledBadge } from './EnabledBadge.tsx'
import { OutcomeBadge } from './OutcomeBadge.tsx'
import { webhooksQuery } from './queries.ts'

export function WebhooksPage() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  const [creating, { open, close }] = useDisclosure()
  const navigate = useNavigate()
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
        <DataTable
          label={t`Webhooks`}
          manyColumns
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          narrow={narrow}
          onOpen={({ id }) => void navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId: id } })}
          expected={4}
          empty={
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
          }
        />
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

const columns: Column<ListedWebhook>[] = [
  { header: t`Name`, cell: (webhook) => <Name webhook={webhook} /> },
  { header: t`Source label`, cell: ({ source_label }) => <Text lineClamp={1}>{source_label}</Text> },
  { header: t`Status`, cell: ({ enabled }) => <EnabledBadge enabled={enabled} />, width: 120 },
  { header: t`Last 14 days`, cell: ({ days }) => <DayBars days={days} />, width: 140 },
  { header: t`Today`, cell: (webhook) => <Today webhook={webhook} />, width: 140 },
  { header: t`Last delivery`, cell: (webhook) => <Last webhook={webhook} />, width: 210 },
]

const narrow = (webhook: ListedWebhook) => ({
  first: (
    <>
      <Name webhook={webhook} />
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
