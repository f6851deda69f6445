import { t } from '@lingui/core/macro'
import {
  IconArrowMerge,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconCopy,
  IconFlask,
  IconPlus,
} from '@tabler/icons-react'
import type { DeliveryOutcome } from '#contract/intake/webhooks'
import { Badge } from '../../platform/ui/Badge.tsx'

const outcomes = {
  created: { colour: 'green', icon: IconPlus, word: t`Created` },
  merged: { colour: 'violet', icon: IconArrowMerge, word: t`Merged` },
  duplicate: { colour: 'grey', icon: IconCopy, word: t`Duplicate` },
  rejected: { colour: 'red', icon: IconCircleX, word: t`Rejected` },
  waiting: { colour: 'amber', icon: IconClock, word: t`Waiting` },
  ignored: { colour: 'grey', icon: IconCircleMinus, word: t`Ignored` },
  test: { colour: 'grey', icon: IconFlask, word: t`Test` },
} as const satisfies Record<DeliveryOutcome, unknown>

export const outcomeOptions = Object.entries(outcomes).map(([value, { word }]) => ({ value, label: word }))

export const outcomeWord = (outcome: DeliveryOutcome) => outcomes[outcome].word

export function OutcomeBadge({ outcome }: { outcome: DeliveryOutcome }) {
  const { word, ...look } = outcomes[outcome]
  return <Badge {...look}>{word}</Badge>
}
