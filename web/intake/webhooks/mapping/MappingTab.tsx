import { plural, t } from '@lingui/core/macro'
import { EmptyState } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { accountQuery } from '../../../access/account/queries.ts'
import { ConfirmLeave } from '../../../platform/ui/ConfirmLeave.tsx'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { deliveriesQuery } from '../queries.ts'
import { ConfirmMapping } from './ConfirmMapping.tsx'
import { DeliveryChoice } from './DeliveryChoice.tsx'
import { changesBetween, type Draft, drafted } from './edit-mapping.ts'
import { MappingEditor } from './MappingEditor.tsx'
import { MappingSkeleton } from './MappingSkeleton.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SavedBar } from './SavedBar.tsx'

const route = getRouteApi('/signed-in/admins/settings/webhooks/$webhookId')

export function MappingTab({ webhook }: { webhook: ShownWebhook }) {
  const { id } = webhook
  const { delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, isFetchedAfterMount, refetch } = useInfiniteQuery(deliveriesQuery(id, {}))
  const { data: account } = useQuery(accountQuery)
  const days = account?.delivery_retention_days ?? 30
  const [draft, setDraft] = useState<Draft | null>(null)
  /** The draft that undoes the last save. */
  const [undo, setUndo] = useState<Draft | null>(null)
  const mapping = useMemo(() => (draft ? drafted(webhook.mapping, draft) : webhook.mapping), [draft, webhook.mapping])
  const changes = changesBetween(webhook.mapping, mapping)
  const title = useRef<HTMLHeadingElement>(null)
  /** Moves the focus from the bar, which closes, to the title of the payload. */
  const leaveBar = () => {
    setUndo(null)
    title.current?.focus({ preventScroll: true })
  }

  const listed = data?.pages[0]?.data
  const newest = listed?.[0]?.id
  // The sample stays the same while new deliveries are received.
  const [first, setFirst] = useState<string>()
  if (first === undefined && newest !== undefined && isFetchedAfterMount) setFirst(newest)
  const shown = delivery ?? first ?? newest
  const choose = (chosen: string | undefined) =>
    void navigate({ search: { tab: 'mapping', delivery: chosen }, replace: true, resetScroll: false })
  if (error && !listed) return <Problem error={error} retry={() => void refetch()} />
  if (!listed) return <MappingSkeleton />
  if (!shown)
    return (
      <EmptyState
        mt={32}
        icon={<IconInbox />}
        title={t`No delivery to map`}
        description={t`Deliveries are kept for ${plural(days, { one: '# day', other: '# days' })}. The next one appears here with its values and their fields.`}
      />
    )
  return (
    <>
      <ConfirmLeave when={changes > 0} tab="mapping" what={t`the mapping`} />
      {webhook.needs_check && changes === 0 && <ConfirmMapping webhook={webhook} onDone={leaveBar} />}
      <DeliveryChoice deliveries={listed} chosen={shown} onChoose={choose} />
      <MappingEditor
        webhook={webhook}
        deliveryId={shown}
        mapping={mapping}
        title={title}
        onChange={(edited) => {
          setDraft({ base: webhook.mapping, mapping: edited })
          setUndo(null)
        }}
        onNewest={() => {
          setFirst(newest)
          choose(undefined)
        }}
      />
      {undo && changes === 0 && <SavedBar webhookId={id} undo={undo} onDone={leaveBar} />}
      {draft && changes > 0 && (
        <SaveBar
          webhookId={id}
          draft={draft}
          mapping={mapping}
          changes={changes}
          onDiscard={() => {
            setDraft(null)
            leaveBar()
          }}
          onSaved={(saved, undoesIt) => {
            setDraft((now) => (now === saved ? null : now))
            setUndo(undoesIt)
          }}
        />
      )}
    </>
  )
}
