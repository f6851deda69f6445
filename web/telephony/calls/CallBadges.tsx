import {
  IconPhoneCheck,
  IconPhoneIncoming,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPhonePause,
  IconPhoneX,
  IconRecordMail,
} from '@tabler/icons-react'
import type { CallLog } from '#contract/telephony/calls'
import { Badge } from '../../platform/ui/Badge.tsx'
import { callOutcomeNames, callTypeNames } from './call-words.ts'

export const callOutcomeLooks = {
  Completed: { colour: 'green', icon: IconPhoneCheck },
  Busy: { colour: 'amber', icon: IconPhonePause },
  'No Answer': { colour: 'amber', icon: IconPhoneOff },
  Voicemail: { colour: 'grey', icon: IconRecordMail },
  Missed: { colour: 'red', icon: IconPhoneX },
} as const

export const CallOutcomeBadge = ({ outcome }: { outcome: CallLog['outcome'] }) => (
  <Badge {...callOutcomeLooks[outcome]}>{callOutcomeNames[outcome]}</Badge>
)

export const CallTypeBadge = ({ type }: { type: CallLog['call_type'] }) => (
  <Badge colour="grey" icon={type === 'Inbound' ? IconPhoneIncoming : IconPhoneOutgoing}>
    {callTypeNames[type]}
  </Badge>
)
