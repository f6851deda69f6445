import type { CallState } from '../../../telephony/calls/call-event.ts'
import type { CallOutcome, CallType } from '../../../telephony/calls/contract.ts'

/** What the words of telephone systems mean. They are compared without capitals, spaces and punctuation: `No-Answer` as `noanswer`. */

const directions = table<CallType>({
  Inbound:
    'inbound incoming in inboundcall incomingcall received ib terminating inboundapi missed missedcall inward aanewali इनकमिंग',
  Outbound: `outbound outgoing out outboundcall outgoingcall outbounddial outboundapi dialed dialled clicktocall clicktodial click2call c2c
    ob originating progressive predictive preview autodial autodialer dialer manualdial manual callout dialout og outward आउटगोइंग janewali`,
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

const outcomes = table<CallOutcome>({
  Completed: `answered answer connected bridged talked spoke attended pickedup picked accepted received contacted ansd complete completed
    success successful done ok normal normalclearing normalcallclearing normalunspecified ans handled baathui baathogai baathogayi बातहुई बातहोगई`,
  Busy: 'busy userbusy linebusy engaged onanothercall usersbusy customerbusy agentbusy vyast व्यस्त बिज़ी',
  'No Answer': `noanswer na notanswered unanswered noreply noansw didnotanswer notpicked notpickedup notpickup notpick nopickup didntpick
    notreachable unreachable notconnected cancel canceled cancelled originatorcancel failed failure fail error rejected reject declined
    decline callrejected congestion chanunavail unavailable notavailable switchedoff switchoff outofcoverage ringtimeout timeout timedout
    norcvanswer nouserresponse nouserresponding notresponding subscriberabsent usernotregistered temporarilyunavailable invalidnumber
    numberchanged unallocated unallocatednumber noroutedestination outoforder destinationoutoforder networkoutoforder recoveryontimer
    ringnoanswer rna noresponse unsuccessful blocked notexist outofservice networkerror undelivered dnd noans notdialed nahiuthaya nahinuthaya uthayanahi
    नहींउठाया उठायानहीं`,
  Voicemail: 'voicemail voicemailleft leftvoicemail vm voicemessage answeringmachine machine amd sentvoicemail',
  Missed: `missed miss missedcall abandoned abandon abandonedcall callattempt incomplete lost unattended notattended clienthangup
    callerhangup dropped drop hangupinqueue hangupinivr ivrabandoned queueabandoned noagent noagentavailable noavailableagent
    offlineagent nooneavailable outofhours afterhours officehours aftertime notanswer`,
})

/** They say only that the call is over, also of one without a conversation. */
const over = words(
  'completed complete success successful done ok normal normalclearing normalcallclearing normalunspecified',
)

/** They say only who or what ended the call, also of one with a conversation. */
const endings =
  words(`cancel canceled cancelled originatorcancel failed failure fail error timeout timedout networkerror recoveryontimer
  clienthangup callerhangup dropped drop`)

/** Causes by their number in Q.850 and in SIP. */
const causes: ReadonlyMap<string, CallOutcome> = new Map([
  ...['17', '486', '600'].map((code) => [code, 'Busy'] as const),
  ...'1 3 18 19 20 21 27 28 34 38 41 42 404 408 410 480 484 487 503 603'
    .split(' ')
    .map((code) => [code, 'No Answer'] as const),
])

// In a longer text, `in` and `out` are no directions.
export const directionIn = (text: string) => find(directions, text, 4)

/** Whether the text is the word of a direction, wherever it is. */
export const isDirection = (text: string) =>
  /^(in|out)(bound|coming|going)( call)?$|^(aane|jane) wali$|^(आउटगोइंग|इनकमिंग)$/iu.test(text)

/** `name`: its key, which may say that a number is a cause. */
export const outcomeIn = (text: string, name = '') =>
  /cause|sip/i.test(name) && /^\d{1,3}$/.test(text)
    ? causes.get(text)
    : leftVoicemail(text)
      ? 'Voicemail'
      : find(outcomes, text)

const leftVoicemail = (text: string) =>
  text.length <= limits.length &&
  /voice[-_ ]?mail|_vm$/i.test(text) &&
  !/\b(no|not|without)\b/i.test(wordsIn(text).join(' '))

/** A call that ended without a conversation is over. */
export function stateIn(text: string): CallState | undefined {
  const state = find(states, text)
  const outcome = outcomeIn(text)
  return outcome === undefined || outcome === 'Completed' ? state : 'ended'
}

/** Whether the whole text is one of the words, and no remark. */
export const isWord = (text: string) => [states, outcomes, directions].some((known) => known.has(squeezed(text)))

/** Whether the word of an outcome says only that the call is over, or only who or what ended it. */
export function weaknessOf(text: string): 'over' | 'ending' | undefined {
  const word = findWord(outcomes, text) ?? ''
  return over.has(word) ? 'over' : endings.has(word) ? 'ending' : undefined
}

const latin = /^[\x20-\x7e]*$/

/** In lower case, without spaces and punctuation. */
export const squeezed = (text: string) =>
  latin.test(text)
    ? text.toLowerCase().replace(/[^a-z\d]/g, '')
    : text
        .normalize()
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\d]/gu, '')

function words(list: string): Set<string> {
  return new Set(list.normalize().split(/\s+/))
}

function table<Word extends string>(lists: Record<Word, string>): ReadonlyMap<string, Word> {
  const pairs = Object.entries<string>(lists).flatMap(([word, list]) =>
    [...words(list)].map((one) => [one, word] as const),
  )
  return new Map(pairs as [string, Word][])
}

/** A longer text is a sentence, which says more than a word. */
const limits = { length: 60, words: 6 }

function find<Word>(known: ReadonlyMap<string, Word>, text: string, minLength?: number): Word | undefined {
  const word = findWord(known, text, minLength)
  return word === undefined ? undefined : known.get(word)
}

/** Each text is looked for in several tables. */
let last: { text: string; whole: string; parts: string[] } = { text: '', whole: '', parts: [] }

/** Finds the word, or in `call.not_answered` and `inbound call ended` the longest one that is known; the last of two. */
function findWord(known: ReadonlyMap<string, unknown>, text: string, minLength = 3): string | undefined {
  if (text.length > limits.length) return undefined
  if (text !== last.text) last = { text, whole: squeezed(text), parts: wordsIn(text) }
  const { whole, parts } = last
  if (known.has(whole)) return whole
  if (parts.length > limits.words) return undefined
  for (let size = Math.min(3, parts.length); size > 0; size--) {
    for (let at = parts.length - size; at >= 0; at--) {
      const part = parts.slice(at, at + size).join('')
      if (part.length >= minLength && known.has(part)) return part
    }
  }
  return undefined
}

/** The words of `callEnded`, `CALL_ENDED` and `call.ended`, in lower case. */
export function wordsIn(text: string): string[] {
  return text
    .normalize()
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(latin.test(text) ? /[^a-z\d]+/ : /[^\p{L}\p{M}\d]+/u)
    .filter((word) => word !== '')
}

const forwards = table({ forward: 'transferred transfer transferring forwarded forward forwarding' })

/** Whether the call, or a leg of it, goes on with another agent, and nothing else is said of it. */
export const isForward = (text: string) => find(forwards, text) !== undefined && outcomeIn(text) === undefined
