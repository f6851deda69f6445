import {
  IconPhoneCheck,
  IconPhoneIncoming,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPhonePause,
  IconPhoneX,
  IconRecordMail,
} from '@tabler/icons-react'
import type { CallLog } from '#contract/calls'
import { Badge } from '../ui/Badge.tsx'

export const callOutcomeLooks = {
  Completed: { colour: 'green', icon: IconPhoneCheck },
  Busy: { colour: 'amber', icon: IconPhonePause },
  'No Answer': { colour: 'amber', icon: IconPhoneOff },
  Voicemail: { colour: 'grey', icon: IconRecordMail },
  Missed: { colour: 'red', icon: IconPhoneX },
} as const

export const CallOutcomeBadge = ({ outcome }: { outcome: CallLog['outcome'] }) => (
  <Badge {...callOutcomeLooks[outcome]}>{outcome}</Badge>
)

export const CallTypeBadge = ({ type }: { type: CallLog['call_type'] }) => (
  <Badge colour="grey" icon={type === 'Inbound' ? IconPhoneIncoming : IconPhoneOutgoing}>
    {type}
  </Badge>
)
