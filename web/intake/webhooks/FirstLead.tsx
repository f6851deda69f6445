import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeliveryPage } from '#contract/intake/webhooks'
import { CreateWebhook } from './CreateWebhook.tsx'
import { deliveriesQuery } from './queries.ts'

/** Shows which lead a new webhook made first, and offers to connect another source. `stays`: on this page, also for the next one. */
export function FirstLead({ webhookId, stays = false }: { webhookId: string; stays?: boolean }) {
  const query = deliveriesQuery(webhookId, {})
  const { data: lead } = useInfiniteQuery({
    ...query,
    select: ({ pages }) => firstLeadOf(pages),
    // A test or a rejected delivery may have come before it.
    refetchInterval: ({ state: { data } }) => (data && firstLeadOf(data.pages) ? false : 5000),
  })
  const [connecting, { open, close }] = useDisclosure()
  return (
    <Group gap={16} mb={16}>
      {lead?.lead_id && (
        <Text role="status">
          <Trans>
            First lead:{' '}
            <Anchor
              renderRoot={(props) => <Link to="/leads/$leadId" params={{ leadId: lead.lead_id! }} {...props} />}
              underline="always"
            >
              {lead.name}
            </Anchor>
          </Trans>
        </Text>
      )}
      <Button variant="default" onClick={open}>
        <Trans>Connect the next source</Trans>
      </Button>
      <CreateWebhook opened={connecting} onClose={close} stays={stays} />
    </Group>
  )
}

/** Undefined if there are older deliveries than those of the pages. */
function firstLeadOf(pages: DeliveryPage[]) {
  if (pages.at(-1)?.next) return undefined
  return pages.flatMap(({ data }) => data).findLast(({ lead_id, name }) => lead_id !== null && name !== null)
}
