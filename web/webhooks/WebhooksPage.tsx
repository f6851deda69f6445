import { Anchor, Box, Button, EmptyState, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ListedWebhook } from '#contract/webhooks'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { formatNumber } from '../ui/numbers.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { useAddKey } from '../ui/page-keys.ts'
import { Timestamp } from '../ui/Timestamp.tsx'
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
      Create webhook
    </Button>
  )

  return (
    <Page
      wide
      title="Webhooks"
      about="URLs to which portals, ad platforms and forms send leads. Each has its own source, tags and mapping."
      actions={create}
    >
      {error && !data ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <DataTable
          label="Webhooks"
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
              title="No webhooks yet"
              description="Paste the URL of a webhook into IndiaMART, Meta, Google Ads, your website’s form or any other source. What it sends becomes a lead at once."
            >
              <EmptyState.Actions>
                <Button variant="default" onClick={open}>
                  Create the first webhook
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

function Today({ webhook: { today }, word = '' }: { webhook: ListedWebhook; word?: string }) {
  return (
    <>
      {formatNumber(today.received)}
      {word}
      {today.rejected > 0 && (
        <Text span size="xs" c="dimmed">
          {' '}
          · {formatNumber(today.rejected)} rejected
        </Text>
      )}
    </>
  )
}

function Last({ webhook: { last_delivery: last } }: { webhook: ListedWebhook }) {
  if (!last)
    return (
      <Text span inherit c="dimmed">
        None yet
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
  { header: 'Name', cell: (webhook) => <Name webhook={webhook} /> },
  { header: 'Source label', cell: ({ source_label }) => <Text lineClamp={1}>{source_label}</Text> },
  { header: 'Status', cell: ({ enabled }) => <EnabledBadge enabled={enabled} />, width: 120 },
  { header: 'Last 14 days', cell: ({ days }) => <DayBars days={days} />, width: 140 },
  { header: 'Today', cell: (webhook) => <Today webhook={webhook} />, width: 140 },
  { header: 'Last delivery', cell: (webhook) => <Last webhook={webhook} />, width: 210 },
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
        <Today webhook={webhook} word=" today" />
      </Box>
    </>
  ),
})
