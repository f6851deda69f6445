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
import { Mark } from '../ui/Mark.tsx'

export const callOutcomeLooks = {
  Completed: { colour: 'green', icon: IconPhoneCheck },
  Busy: { colour: 'amber', icon: IconPhonePause },
  'No Answer': { colour: 'amber', icon: IconPhoneOff },
  Voicemail: { colour: 'grey', icon: IconRecordMail },
  Missed: { colour: 'red', icon: IconPhoneX },
} as const

export const CallOutcomeMark = ({ outcome }: { outcome: CallLog['outcome'] }) => (
  <Mark {...callOutcomeLooks[outcome]}>{outcome}</Mark>
)

export const CallTypeMark = ({ type }: { type: CallLog['call_type'] }) => (
  <Mark colour="grey" icon={type === 'Inbound' ? IconPhoneIncoming : IconPhoneOutgoing}>
    {type}
  </Mark>
)
