import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { Mark } from '../ui/Mark.tsx'

export const EnabledMark = ({ enabled }: { enabled: boolean }) =>
  enabled ? (
    <Mark colour="green" icon={IconCircleCheck}>
      Enabled
    </Mark>
  ) : (
    <Mark colour="grey" icon={IconPlayerPause}>
      Disabled
    </Mark>
  )
