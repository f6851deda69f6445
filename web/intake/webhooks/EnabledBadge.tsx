import { t } from '@lingui/core/macro'
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { Badge } from '../../platform/ui/Badge.tsx'

export const EnabledBadge = ({ enabled }: { enabled: boolean }) =>
  enabled ? (
    <Badge colour="green" icon={IconCircleCheck}>
      {t`Enabled`}
    </Badge>
  ) : (
    <Badge colour="grey" icon={IconPlayerPause}>
      {t`Disabled`}
    </Badge>
  )
