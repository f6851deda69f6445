import type { CallOutcome, CallType } from './contract.ts'

/** How far a call has come. */
export const callStates = ['ringing', 'answered', 'ended'] as const
export type CallState = (typeof callStates)[number]

/** What an event of a telephone system says of a call. Null, or an empty list: the event does not say it. Times are ISO 8601 in UTC. */
export interface CallEvent {
  /** The system's id of the call, the same in all its events. */
  platform_id: string | null
  state: CallState
  direction: CallType | null
  outcome: CallOutcome | null
  /** The outcome says only who or what ended the call, as `caller_hangup`: not whether another event says that it was answered. */
  is_weak?: true
  /** The call goes on with another agent, perhaps as another call: what it says of an end is weak. */
  is_forwarded?: true
  started_at: string | null
  answered_at: string | null
  ended_at: string | null
  /** Talk time in seconds, without ringing. */
  talk_seconds: number | null
  /** The numbers, extensions, emails, logins or names of who is rung or spoke, the most exact first. */
  agents: string[]
  recording_url: string | null
  /** Disposition and remarks of the agent. */
  notes: string | null
}

/** What an event says of a call if it says nothing. */
export const nothingSaid = {
  direction: null,
  outcome: null,
  started_at: null,
  answered_at: null,
  ended_at: null,
  talk_seconds: null,
  agents: [],
  recording_url: null,
  notes: null,
} satisfies Omit<CallEvent, 'platform_id' | 'state'>
