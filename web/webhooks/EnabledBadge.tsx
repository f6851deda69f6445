import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { Badge } from '../ui/Badge.tsx'

export const EnabledBadge = ({ enabled }: { enabled: boolean }) =>
  enabled ? (
    <Badge colour="green" icon={IconCircleCheck}>
      Enabled
    </Badge>
  ) : (
    <Badge colour="grey" icon={IconPlayerPause}>
      Disabled
    </Badge>
  )
