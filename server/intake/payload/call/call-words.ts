import type { CallState } from '../../../telephony/calls/call-event.ts'
import type { CallOutcome, CallType } from '../../../telephony/calls/contract.ts'

/** What the words of telephone systems mean. They are compared without capitals, spaces and punctuation: `No-Answer` as `noanswer`. */

const directions = table<CallType>({
  Inbound: 'inbound incoming in inboundcall incomingcall received ib terminating inboundapi missed missedcall',
  Outbound: `outbound outgoing out outboundcall outgoingcall outbounddial outboundapi dialed dialled clicktocall clicktodial click2call c2c
    ob originating progressive predictive preview autodial autodialer dialer manualdial manual callout`,
})

const states = table<CallState>({
  ringing: `ringing ring rings initiated initiate initial queued queue enqueued inqueue dialing dialling dial started start created new
    originate originated trying early alerting waiting offered placed proceeding routing routed setup incomingcall progress incoming
    pending calling triggered ringback arrived init begin transferred transfer transferring forwarded forward forwarding`,
  answered: `answered answer answers connected connect bridged bridge inprogress ongoing accepted pickedup picked pickup established
    talking active live up join joined onhold hold unhold resumed incall`,
  ended: `completed complete hangup hungup hangedup ended end finished finish disconnected disconnect terminated terminate terminal done
    closed close released destroyed stopped over summary recording recorded recordingready recordingavailable recordingcompleted
    transcribed transcription transcript tagged rated commented archived postcall aftercall cdr clicked wrapup wrap logged`,
})

/** An outcome that an event of a finished call may have, too, whose conversation did not come about. */
const weaklyCompleted = words('completed complete success successful done ok normal normalclearing normalcallclearing')

const outcomes = table<CallOutcome>({
  Completed: `answered answer connected bridged talked attended pickedup picked accepted received contacted ansd complete completed success
    successful done ok normal normalclearing normalcallclearing`,
  Busy: 'busy userbusy linebusy engaged onanothercall usersbusy customerbusy agentbusy',
  'No Answer': `noanswer na notanswered unanswered noreply noansw didnotanswer notpicked notpickedup nopickup notreachable
    unreachable notconnected cancel canceled cancelled originatorcancel failed failure fail error rejected reject declined decline
    callrejected congestion chanunavail unavailable notavailable switchedoff outofcoverage ringtimeout timeout timedout norcvanswer
    nouserresponse temporarilyunavailable invalidnumber numberchanged unallocatednumber ringnoanswer rna noresponse unsuccessful
    blocked notexist outofservice networkerror undelivered dnd`,
  Voicemail: 'voicemail voicemailleft leftvoicemail vm voicemessage answeringmachine machine amd sentvoicemail',
  Missed: `missed miss missedcall abandoned abandon abandonedcall callattempt incomplete lost unattended notattended clienthangup
    callerhangup dropped drop hangupinqueue hangupinivr ivrabandoned queueabandoned noagent noagentavailable noavailableagent
    offlineagent nooneavailable outofhours afterhours officehours aftertime notanswer`,
})

// In a longer text, `in` and `out` are no directions.
export const directionIn = (text: string) => find(directions, text, 4)
export const outcomeIn = (text: string) => find(outcomes, text)

/** A call that ended without a conversation is over. */
export function stateIn(text: string): CallState | undefined {
  const state = find(states, text)
  const outcome = outcomeIn(text)
  return outcome === undefined || outcome === 'Completed' ? state : 'ended'
}

/** Whether the whole text is one of the words, and no remark. */
export const isWord = (text: string) => [states, outcomes, directions].some((known) => known.has(squeezed(text)))

/** Whether an outcome only says that the call is over. */
export const isWeak = (text: string) => weaklyCompleted.has(squeezed(text))

/** In lower case, without spaces and punctuation. */
export const squeezed = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '')

function words(list: string): Set<string> {
  return new Set(list.split(/\s+/))
}

function table<Word extends string>(lists: Record<Word, string>): ReadonlyMap<string, Word> {
  const pairs = Object.entries<string>(lists).flatMap(([word, list]) =>
    [...words(list)].map((one) => [one, word] as const),
  )
  return new Map(pairs as [string, Word][])
}

/** A longer text is a sentence, which says more than a word. */
const limits = { length: 60, words: 6 }

/** Finds the word, or in `call.not_answered` and `inbound call ended` the longest one that is known; the last of two. */
function find<Word>(known: ReadonlyMap<string, Word>, text: string, minLength = 3): Word | undefined {
  if (text.length > limits.length) return undefined
  const whole = known.get(squeezed(text))
  if (whole !== undefined) return whole
  const parts = wordsIn(text)
  if (parts.length > limits.words) return undefined
  for (let size = Math.min(3, parts.length); size > 0; size--) {
    for (let at = parts.length - size; at >= 0; at--) {
      const part = parts.slice(at, at + size).join('')
      const word = part.length >= minLength ? known.get(part) : undefined
      if (word !== undefined) return word
    }
  }
  return undefined
}

/** The words of `callEnded`, `CALL_ENDED` and `call.ended`, in lower case. */
export function wordsIn(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

const forwards = table({ forward: 'transferred transfer transferring forwarded forward forwarding' })

/** Whether the call, or a leg of it, goes on with another agent, and nothing else is said of it. */
export const isForward = (text: string) => find(forwards, text) !== undefined && outcomeIn(text) === undefined
