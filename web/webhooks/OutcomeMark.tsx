import { IconArrowMerge, IconCircleX, IconFlask, IconPlus } from '@tabler/icons-react'
import { Mark } from '../ui/Mark.tsx'

const outcomes = {
  created: { colour: 'green', icon: IconPlus, word: 'Created' },
  merged: { colour: 'violet', icon: IconArrowMerge, word: 'Merged' },
  rejected: { colour: 'red', icon: IconCircleX, word: 'Refused' },
  test: { colour: 'grey', icon: IconFlask, word: 'Test' },
} as const

/** What became of a delivery. */
export function OutcomeMark({ outcome }: { outcome: keyof typeof outcomes }) {
  const { word, ...look } = outcomes[outcome]
  return <Mark {...look}>{word}</Mark>
}
