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
import { callTypeNames, isWrongNumber, outcomeNameOf } from './call-words.ts'

export const callOutcomeLooks = {
  Completed: { colour: 'green', icon: IconPhoneCheck },
  Busy: { colour: 'amber', icon: IconPhonePause },
  'No Answer': { colour: 'amber', icon: IconPhoneOff },
  Voicemail: { colour: 'grey', icon: IconRecordMail },
  Missed: { colour: 'red', icon: IconPhoneX },
} as const

export const CallOutcomeBadge = (call: Parameters<typeof outcomeNameOf>[0]) => (
  <Badge {...(isWrongNumber(call) ? { colour: 'red', icon: IconPhoneX } : callOutcomeLooks[call.outcome])}>
    {outcomeNameOf(call)}
  </Badge>
)

export const CallTypeBadge = ({ type }: { type: CallLog['call_type'] }) => (
  <Badge colour="grey" icon={type === 'Inbound' ? IconPhoneIncoming : IconPhoneOutgoing}>
    {callTypeNames[type]}
  </Badge>
)
