import {
  IconArrowMerge,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconCopy,
  IconFlask,
  IconPlus,
} from '@tabler/icons-react'
import type { DeliveryOutcome } from '#contract/webhooks'
import { Badge } from '../ui/Badge.tsx'

const outcomes = {
  created: { colour: 'green', icon: IconPlus, word: 'Created' },
  merged: { colour: 'violet', icon: IconArrowMerge, word: 'Merged' },
  duplicate: { colour: 'grey', icon: IconCopy, word: 'Duplicate' },
  rejected: { colour: 'red', icon: IconCircleX, word: 'Rejected' },
  waiting: { colour: 'amber', icon: IconClock, word: 'Waiting' },
  ignored: { colour: 'grey', icon: IconCircleMinus, word: 'Ignored' },
  test: { colour: 'grey', icon: IconFlask, word: 'Test' },
} as const satisfies Record<DeliveryOutcome, unknown>

export const outcomeOptions = Object.entries(outcomes).map(([value, { word }]) => ({ value, label: word }))

export const outcomeWord = (outcome: DeliveryOutcome) => outcomes[outcome].word

export function OutcomeBadge({ outcome }: { outcome: DeliveryOutcome }) {
  const { word, ...look } = outcomes[outcome]
  return <Badge {...look}>{word}</Badge>
}
