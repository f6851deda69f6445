import { IconArrowDown, IconArrowUp, IconMinus } from '@tabler/icons-react'
import type { LeadPriority, LeadStatus } from '#contract/crm/leads'
import { Badge, type BadgeColour } from '../../platform/ui/Badge.tsx'
import { priorityNames, statusNames } from './lead-words.ts'

export const statusColours: Record<LeadStatus, BadgeColour> = {
  New: 'blue',
  Contacted: 'cyan',
  Qualified: 'violet',
  Proposal: 'amber',
  Won: 'green',
  Lost: 'grey',
}

export const StatusBadge = ({ status }: { status: LeadStatus }) => (
  <Badge colour={statusColours[status]}>{statusNames[status]}</Badge>
)

const priorities = {
  High: { colour: 'red', icon: IconArrowUp },
  Medium: { colour: 'amber', icon: IconMinus },
  Low: { colour: 'grey', icon: IconArrowDown },
} as const

export const PriorityBadge = ({ priority }: { priority: LeadPriority }) => (
  <Badge {...priorities[priority]}>{priorityNames[priority]}</Badge>
)
