import { IconArrowDown, IconArrowUp, IconMinus } from '@tabler/icons-react'
import type { LeadPriority, LeadStatus } from '#contract/leads'
import { Mark, type MarkColour } from '../ui/Mark.tsx'

export const statusColours: Record<LeadStatus, MarkColour> = {
  New: 'blue',
  Contacted: 'cyan',
  Qualified: 'violet',
  Proposal: 'amber',
  Won: 'green',
  Lost: 'grey',
}

export const StatusMark = ({ status }: { status: LeadStatus }) => <Mark colour={statusColours[status]}>{status}</Mark>

const priorities = {
  High: { colour: 'red', icon: IconArrowUp },
  Medium: { colour: 'amber', icon: IconMinus },
  Low: { colour: 'grey', icon: IconArrowDown },
} as const

export const PriorityMark = ({ priority }: { priority: LeadPriority }) => (
  <Mark {...priorities[priority]}>{priority}</Mark>
)
