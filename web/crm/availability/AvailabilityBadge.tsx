import { IconClock, IconPlayerPause } from '@tabler/icons-react'
import type { UserAvailability } from '#contract/crm/availability'
import { Badge } from '../../platform/ui/Badge.tsx'
import { stateInWords } from './availability-words.ts'

/** Whether a user has joined, and gets new leads now. */
export function AvailabilityBadge({ availability }: { availability: UserAvailability | undefined }) {
  if (!availability) return null
  const text = stateInWords(availability)
  if (availability.state === 'available') return <Badge colour="green">{text}</Badge>
  if (availability.state === 'outside_hours')
    return (
      <Badge colour="grey" icon={IconClock}>
        {text}
      </Badge>
    )
  return (
    <Badge colour="amber" icon={availability.state === 'invited' ? IconClock : IconPlayerPause}>
      {text}
    </Badge>
  )
}
