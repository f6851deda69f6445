import { t } from '@lingui/core/macro'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Drawer } from '../../../platform/ui/Dialog.tsx'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { useNarrow } from '../../../platform/ui/screen-size.ts'
import { deliveryQuery } from '../queries.ts'
import { DeliveryDetail } from './DeliveryDetail.tsx'

interface Props {
  webhookId: string
  deliveryId: string | undefined
  onClose(): void
}

/** Shows the open delivery, and keeps showing it while the drawer closes. */
export function DeliveryDrawer({ webhookId, deliveryId, onClose }: Props) {
  const [last, setLast] = useState(deliveryId)
  if (deliveryId !== undefined && deliveryId !== last) setLast(deliveryId)
  const narrow = useNarrow()
  return (
    <Drawer
      opened={deliveryId !== undefined}
      inUrl
      onClose={onClose}
      position="right"
      size={narrow ? '100%' : 560}
      title={t`Delivery`}
      overlayProps={{ backgroundOpacity: 0.2 }}
    >
      {last !== undefined && <Contents key={last} webhookId={webhookId} deliveryId={last} />}
    </Drawer>
  )
}

function Contents({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const { data, error, refetch } = useQuery(deliveryQuery(deliveryId))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <Stack gap={12}>
        <Skeleton height={20} width="60%" />
        <Skeleton height={36} width="40%" />
        <Skeleton height={160} />
        <Skeleton height={240} />
      </Stack>
    )
  return <DeliveryDetail webhookId={webhookId} delivery={data} />
}
