import { IconClock, IconPlayerPause } from '@tabler/icons-react'
import type { UserAvailability } from '#contract/crm/availability'
import { Badge } from '../../platform/ui/Badge.tsx'
import { stateInWords } from './availability-words.ts'

/** Whether a user gets new leads now. */
export function AvailabilityBadge({ availability }: { availability: UserAvailability }) {
  const text = stateInWords(availability)
  if (availability.state === 'available') return <Badge colour="green">{text}</Badge>
  if (availability.state === 'outside_hours')
    return (
      <Badge colour="grey" icon={IconClock}>
        {text}
      </Badge>
    )
  return (
    <Badge colour="amber" icon={IconPlayerPause}>
      {text}
    </Badge>
  )
}
