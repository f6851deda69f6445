import { EmptyState } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ShownWebhook } from '#contract/webhooks'
import { accountQuery } from '../../account/queries.ts'
import { LeaveUnsaved } from '../../ui/LeaveUnsaved.tsx'
import { counted } from '../../ui/money.ts'
import { Problem } from '../../ui/Problem.tsx'
import { deliveriesQuery, type Mapping } from '../queries.ts'
import { DeliveryChoice } from './DeliveryChoice.tsx'
import { changesBetween } from './edit-mapping.ts'
import { MappingEditor } from './MappingEditor.tsx'
import { MappingSkeleton } from './MappingSkeleton.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SavedBar } from './SavedBar.tsx'

const route = getRouteApi('/signed-in/admins/settings/webhooks/$webhookId')

export function MappingTab({ webhook }: { webhook: ShownWebhook }) {
  const { id } = webhook
  const { delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useInfiniteQuery(deliveriesQuery(id))
  const { data: account } = useQuery(accountQuery)
  const [draft, setDraft] = useState<Mapping | null>(null)
  /** What was in force until it was saved. */
  const [before, setBefore] = useState<Mapping | null>(null)
  const mapping = draft ?? webhook.mapping
  const changes = changesBetween(webhook.mapping, mapping)
  const edit = (edited: Mapping | null) => {
    setDraft(edited)
    setBefore(null)
  }

  const listed = data?.pages[0]?.data
  const shown = delivery ?? listed?.[0]?.id
  if (error && !listed) return <Problem error={error} retry={() => void refetch()} />
  if (!listed) return <MappingSkeleton />
  if (!shown)
    return (
      <EmptyState
        mt={32}
        icon={<IconInbox />}
        title="No delivery to map"
        description={`Deliveries are kept for ${counted(account?.delivery_retention_days ?? 30, 'day')}. Once one comes, its values stand here with what they are read as.`}
      />
    )
  return (
    <>
      <LeaveUnsaved when={changes > 0} tab="mapping" what="the mapping" />
      <DeliveryChoice
        deliveries={listed}
        chosen={shown}
        onChoose={(chosen) =>
          void navigate({ search: { tab: 'mapping', delivery: chosen }, replace: true, resetScroll: false })
        }
      />
      <MappingEditor webhook={webhook} deliveryId={shown} mapping={mapping} onChange={edit} />
      {before && changes === 0 && <SavedBar webhookId={id} before={before} onDone={() => setBefore(null)} />}
      {changes > 0 && (
        <SaveBar
          webhook={webhook}
          mapping={mapping}
          changes={changes}
          onDiscard={() => edit(null)}
          onSaved={(was) => {
            setDraft(null)
            setBefore(was)
          }}
        />
      )}
    </>
  )
}
