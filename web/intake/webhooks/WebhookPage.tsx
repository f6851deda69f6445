import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Skeleton, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { ApiProblem, isNotFound } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { BackLink } from '../../platform/ui/BackLink.tsx'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { LocalUrlNotice } from '../../platform/ui/LocalUrlNotice.tsx'
import { NotFound } from '../../platform/ui/NotFound.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { DefaultsTab } from './DefaultsTab.tsx'
import { DeliveriesTab } from './deliveries/DeliveriesTab.tsx'
import { FirstLead } from './FirstLead.tsx'
import { MappingTab } from './mapping/MappingTab.tsx'
import { isWaiting, webhookKeys, webhookQuery } from './queries.ts'
import { Waiting } from './Waiting.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { WebhookFacts } from './WebhookFacts.tsx'
import styles from './WebhookPage.module.css'

const route = getRouteApi('/signed-in/admins/settings/webhooks/$webhookId')

const back = (
  <BackLink renderRoot={(props) => <Link {...props} to="/settings/webhooks" />}>
    <Trans>Webhooks</Trans>
  </BackLink>
)

export function WebhookPage() {
  const { webhookId } = route.useParams()
  const { data: webhook, error, refetch } = useQuery(webhookQuery(webhookId))
  if (isNotFound(error) || (error instanceof ApiProblem && error.status === 400)) return <NotFound />
  if (!webhook)
    return (
      <Page wide title={t`Webhook`} back={back}>
        {error ? <Problem error={error} retry={() => void refetch()} /> : <PageSkeleton />}
      </Page>
    )
  return <Shown key={webhookId} webhook={webhook} />
}

function Shown({ webhook }: { webhook: ShownWebhook }) {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const waiting = isWaiting(webhook)
  const [wasWaiting] = useState(waiting)
  useNewDeliveries(webhook, waiting)

  return (
    <Page wide title={webhook.name} back={back} actions={<WebhookActions webhook={webhook} />}>
      <div className={styles.url}>
        <CopyableText value={webhook.url} label={t`Webhook URL`} />
      </div>
      <LocalUrlNotice url={webhook.url} />
      <WebhookFacts webhook={webhook} />
      {wasWaiting && !waiting && <FirstLead webhookId={webhook.id} />}
      <Tabs
        value={tab ?? 'deliveries'}
        onChange={(chosen) =>
          void navigate({ search: { tab: chosen === 'deliveries' ? undefined : (chosen as typeof tab) } })
        }
        keepMounted={false}
      >
        <Tabs.List mb={16}>
          <Tabs.Tab value="deliveries">
            <Trans>Deliveries</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="mapping">
            <Trans>Mapping</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="defaults">
            <Trans>Defaults</Trans>
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          {waiting ? <Waiting webhook={webhook} /> : <DeliveriesTab webhook={webhook} />}
        </Tabs.Panel>
        <Tabs.Panel value="mapping">
          {waiting ? <Waiting webhook={webhook} /> : <MappingTab webhook={webhook} />}
        </Tabs.Panel>
        <Tabs.Panel value="defaults">
          <DefaultsTab webhook={webhook} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

/** The first delivery opens the mapping tab; later ones refresh the list. */
function useNewDeliveries(webhook: ShownWebhook, waiting: boolean) {
  const { tab, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const before = useRef({ waiting, last: webhook.last_delivery?.received_at, rejected: webhook.today.rejected })
  const { last_delivery, today, id } = webhook
  useEffect(() => {
    const was = before.current
    before.current = { waiting, last: last_delivery?.received_at, rejected: today.rejected }
    if (was.waiting && !waiting && tab !== 'defaults' && delivery === undefined)
      void navigate({ search: { tab: 'mapping' }, replace: true })
    else if (was.last !== last_delivery?.received_at || was.rejected !== today.rejected) {
      void queryClient.invalidateQueries({ queryKey: webhookKeys.deliveries(id) })
      void queryClient.invalidateQueries({ queryKey: webhookKeys.replayable(id) })
    }
  }, [waiting, last_delivery, today.rejected, id, tab, delivery, navigate])
}

const PageSkeleton = () => (
  <Stack gap={12}>
    <Skeleton height={42} maw={720} />
    <Skeleton height={20} maw={400} mb={8} />
    <Skeleton height={36} maw={300} />
    <Skeleton height={240} />
  </Stack>
)
