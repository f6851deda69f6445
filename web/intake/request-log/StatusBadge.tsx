import { IconAlertTriangle, IconCheck, IconCircleX, IconEqual } from '@tabler/icons-react'
import { Badge } from '../../platform/ui/Badge.tsx'

const looks = {
  2: { colour: 'green', icon: IconCheck },
  3: { colour: 'grey', icon: IconEqual },
  4: { colour: 'amber', icon: IconAlertTriangle },
  5: { colour: 'red', icon: IconCircleX },
} as const

export const StatusBadge = ({ status }: { status: number }) => (
  <Badge {...looks[Math.floor(status / 100) as keyof typeof looks]}>{String(status)}</Badge>
)
