import { msg } from '@lingui/core/runtime-macro'
import { isWithheld } from '../../../crm/contacts/withheld.ts'
import type { Text } from '../../../platform/languages/translate.ts'
import type { CallType } from '../../../telephony/calls/contract.ts'
import type { Group, Leaf } from '../structure/leaves.ts'
import { isBlank, mayBeName } from '../structure/values.ts'
import { agentsIn } from './agents.ts'
import type { CallParts } from './call-parts.ts'
import { isTalk, isWithin, lengthsIn, lengthsSaid, timesIn, withoutAnswer } from './call-times.ts'
import { isRecordingFile, recordingIn } from './call-values.ts'
import { directionIn, isDirection, isWord, outcomeIn, stateIn, weaknessOf, wordsIn } from './call-words.ts'
import { isEventOfCall } from './is-call.ts'
import { isPhoneName, keyOf, type Sign, saidBy, signOf } from './party.ts'
import { isOfBusiness, isPlaced, partiesOf, withUsers } from './sides.ts'

/** The numbers of a call of an unknown system. */
export interface CallNumbers {
  /** Those of its sides, its agents and its lines, except the lead's: they are the business's. */
  own: string[]
  /** All, if neither a direction nor a name says whose they are. */
  guessed: string[]
}

export interface FoundCall {
  parts: CallParts
  /** The customer's number, if there is one. */
  customer: Leaf[]
  /** What stands for the number of a caller who withholds it. */
  withheld: Leaf[]
  /** The customer's name as the system has it, if there is one. */
  name: Leaf[]
  /** Numbers of agents and of the business's lines. */
  taken: Leaf[]
  /** The last digits of the numbers that were called. */
  called: ReadonlySet<string>
  /** The numbers that the business may have, as they were sent. */
  numbers: CallNumbers
}

/**
 * Finds a call in the payload of an unknown telephone system; null if it is none. `isCall`: its mapping says so. `own`: the
 * last digits of numbers that are the business's.
 */
export function findCall(
  leaves: readonly Leaf[],
  isCall: boolean,
  own: ReadonlySet<string> = new Set(),
): FoundCall | null {
  if (!isCall && !isEventOfCall(leaves)) return null
  const roles = new Map<Group, string>()
  for (const { labels, group, value } of leaves)
    if (value.length < 40 && (role.test(labels[0] ?? '') || (/^type$/i.test(labels[0] ?? '') && isPerson(value))))
      roles.set(group, value)
  const all = leaves
    .filter(({ value }) => !isBlank(value.trim()))
    .map((leaf) => signOf(leaf, roles.get(leaf.group)))
    .filter(({ words, outer }) => ![words, ...outer].some((one) => one.some((word) => elsewhere.has(word))))
  const signs = withUsers(all)
  const ids = signs.filter(({ key, value }) => idNames.some((name) => name.test(key)) && value.length <= 200)
  const events = signs.filter(
    ({ key, value }) => eventName.test(key) && wordsIn(value).some((word) => aCall.test(word)),
  )
  const directions = directionsIn(signs, events)
  const statuses = signs.filter(isStatus)
  const lengths = lengthsIn(signs)
  const recordings = signs.filter(isRecording)
  const withheld = leaves.flatMap((leaf) => withheldIn(leaf, roles.get(leaf.group)))
  const phones = signs.filter(({ isPhone }) => isPhone)
  const near = [...directions, ...statuses]
  const groups = new Set((near.length > 0 ? near : events).map(({ leaf }) => leaf.group))
  const plainIds = signs.filter(
    ({ key, leaf, outer }) => key === 'id' && (isCallName(outer[0]) || groups.has(leaf.group)),
  )
  // Without a number and an id, it could be joined with no other event, and has no customer.
  if (!isCall && phones.length + withheld.length + ids.length + plainIds.length === 0) return null
  const placed = signs.filter(isPlaced)
  const parties = partiesOf(signs, [...directions, ...placed], own)
  const direction = parties.direction
  const ofCall = withoutAgentsLeg(signs, statuses, direction)
  const results = ofOneAgent(statuses, direction).filter(
    (sign) => ofCall.includes(sign) && (lengths.length > 0 || !isOfResponse(sign, directions)),
  )
  const named = signs.filter(isStateName)
  const states = [...events, ...named, ...statuses]
  const times = timesIn(ofCall, states, groups)
  const said = (all: readonly Sign[], reason: Text) => all.map((sign) => saidBy(sign, reason))
  const parts: CallParts = {
    id: said([...inOrder(ids, idNames), ...plainIds], reasons.id),
    direction: [...said([...directions, ...placed], reasons.direction), ...parties.inferred],
    outcome: [
      ...said(signs.filter(isVoicemail), reasons.outcome).map((one) => ({ ...one, value: 'voicemail' })),
      ...said(flagsIn(signs), reasons.outcome),
      ...said(
        [
          ...inOrder(results, outcomeNames),
          ...events,
          ...named.filter(({ value }) => outcomeIn(value) !== 'Completed'),
          ...signs.filter(({ key, value }) => remarkName.test(key) && isWord(value) && outcomeIn(value) !== undefined),
        ],
        reasons.outcome,
      ),
      ...said(
        lengths.some(isTalk) ? [] : withoutAnswer(leaves, times).map((leaf) => signOf(leaf, undefined)),
        reasons.outcome,
      ).map((one) => ({ ...one, value: 'not answered' })),
    ],
    state: said(
      states.filter(({ value }) => stateIn(value) !== undefined),
      reasons.state,
    ),
    ...times,
    talk_time: lengthsSaid(lengthsIn(ofCall), times, reasons.talkTime),
    agents: said(agentsIn(signs, direction), reasons.agent),
    recording: said(recordings, reasons.recording),
    notes: said(signs.filter(isRemark), reasons.notes),
  }
  const isOurs = (sign: Sign) => isOfBusiness(sign, parties)
  return {
    parts,
    customer: parties.customer ? [parties.customer.leaf] : [],
    withheld: withheld.map(({ leaf }) => leaf),
    name: signs.filter((sign) => isNameOfCustomer(sign, parties.direction)).map(({ leaf }) => leaf),
    taken: signs.filter(isOurs).map(({ leaf }) => leaf),
    called: parties.called,
    numbers: {
      own: phones.flatMap(({ party, value }) => (party !== undefined && party !== 'customer' ? value : [])),
      guessed: parties.isGuess ? phones.map(({ value }) => value) : [],
    },
  }
}

/** What stands for the number of a caller who withholds it, which may be a word that is empty elsewhere. */
function withheldIn(leaf: Leaf, role: string | undefined): Sign[] {
  if (!isWithheld(leaf.value)) return []
  const sign = signOf(leaf, role)
  const isOfCaller = sign.party === 'customer' || sign.party === 'from'
  return isOfCaller && isPhoneName(sign.words, leaf.labels[0] ?? '') ? [sign] : []
}

const isPerson = (value: string) => /^(user|agent|customer|contact|lead|external|operator|employee)s?$/i.test(value)

const role =
  /^(participant|party|member|leg|call)?[ _-]?(role|party|purpose|side)$|^(participant|party|member|leg)[ _-]?type$/i

/** What is said of another call, or of one that is yet to come. */
const elsewhere = new Set(
  'last previous prev next preferred prefered scheduled schedule best callback followup planned'.split(' '),
)

/** The ids of a call, the one that is the same in most events first. */
const idNames = [
  /^(call)?sessionid$|^callsession$|^linkedid$/,
  /^(parent|master|main|root|original|primary)call(s?id|uuid|guid|uniqueid)$/,
  /^(phone|voice)?call(s?id|uuid|guid)$/,
  /^(?!\w*(callback|recall))\w{0,12}call(s?id|uuid|guid|unique\w*id|ref\w{0,10}|identifier|key|no|recordid|logid|historyid|dataid)$/,
  /^(uniqueid|ucid|cdrid|monitorucid|interactionid|conversationu?u?id|calluniqueid)$/,
  /^(call)?(control|leg)id$|^(uuid|guid)$/,
]

/** How much a name says that its value is the id of a call, the least first; Infinity if it does not. */
export function idRank(name: string): number {
  const key = keyOf(name)
  const at = idNames.findIndex((one) => one.test(key))
  return at === -1 ? Infinity : at
}

function inOrder(signs: readonly Sign[], names: readonly RegExp[]): Sign[] {
  const place = ({ key }: Sign) => {
    const at = names.findIndex((name) => name.test(key))
    return at === -1 ? names.length : at
  }
  return signs.toSorted((one, other) => place(one) - place(other))
}

const eventName =
  /^((system|webhook|hook|call)?event(type|name|action|code)?|\w*eventtype|type|topic|trigger|action|hook|notificationtype|webhooktype)$/

const aCall = /^(missed|phone|voice|in|out)?(bound|coming|going)?calls?$|^(cdr|telephony)$/

/** `event: ringing`. A record of a call is created when the call is over. */
const isStateName = ({ key, value }: Sign) =>
  eventName.test(key) &&
  !/^(type|topic)$/.test(key) &&
  isWord(value) &&
  !directionIn(value) &&
  !/^(created?|new)$/i.test(value)

const callObject = /^(\w*call|calls|cdr|call(log|details?|info|data|record|session|event)s?)$/
const isCallName = (words: readonly string[] | undefined) => callObject.test((words ?? []).join(''))

function directionsIn(signs: readonly Sign[], events: readonly Sign[]): Sign[] {
  const named = signs.filter(({ key }) =>
    /^\w{0,12}direction(type)?$|^(is)?(in|out)(bound|coming|going)(call)?$|^calldir$/.test(key),
  )
  const typed = signs.filter((sign) => /^(call|dial)+(type|typ|flow|mode|kind|category|nature)$/.test(sign.key))
  const inCall = signs.filter(
    (sign) =>
      /^(typ|type|flow|kind|mode)$/.test(sign.key) &&
      (sign.outer.some(isCallName) || /call/i.test(sign.value) || isWord(sign.value)),
  )
  const plain = signs.filter(({ value }) => isDirection(value))
  const short = signs.filter(({ key, value }) => /^(dir|d|way|leg|(in)?out)$/.test(key) && isWord(value))
  return [...named, ...typed, ...inCall, ...events, ...short, ...plain, ...signs.flatMap(spelledOut)].filter(
    ({ value }) => directionIn(value) !== undefined,
  )
}

/** A subject or the name of an event may say it: `Outgoing call to Hemant`, `NOTIFY_OUT_START`. */
function spelledOut(sign: Sign): Sign[] {
  const way =
    eventName.test(sign.key) && /\b(in|out) (call|start|ring|answer|hangup|end)/.exec(wordsIn(sign.value).join(' '))
  if (way) return [{ ...sign, value: way[1]! }]
  if (!/^(subject|title|summary|description|name)$/.test(sign.key)) return []
  const [value] = /\b(missed|(in|out)(bound|coming|going))( phone| voice)? call\b/i.exec(sign.value) ?? []
  return value === undefined ? [] : [{ ...sign, value }]
}

const outcomeNames = [
  /^(call)?(outcome|result|finalstatus|disposition|answerstatus|completionstatus)$/,
  /^(call|dial)*(status|state)$/,
  /(status|state)$/,
  /(cause|reason)/,
]

const statusName =
  /^(call|dial|hangup|end|answer|completion|final|overall|queue|sip|leg|customer|agent|user|client|caller|callee|destination|source)*(status|state|result|outcome|disposition|stage|statusname|statustext|(hangup)?(cause|reason)(code|text|txt)?)$|^(hangup|disconnect(ion)?|termination|missedcall|end(ed)?)(cause|reason|by|type)\w{0,6}$|^calltype$|^sip(response|status)?code$/

const isStatus = ({ key, value }: Sign) =>
  statusName.test(key) && (outcomeIn(value, key) ?? stateIn(value)) !== undefined

const recordingName = /recording|recorded|audio|voicemail|playback|^(call)?rec(ord)?(file|url|link|path)$|mp3|wav/

const isRecording = ({ key, outer, value }: Sign) =>
  recordingIn(value) === undefined
    ? isRecordingFile(value) && recordingName.test(key)
    : recordingName.test(key) ||
      recordingName.test((outer[0] ?? []).join('')) ||
      /\.(mp3|wav|ogg|m4a|aac|amr)(\?|$)/i.test(value)

/** Returns the values without those of the agent's leg, if the customer's leg of an outbound call has its own. */
function withoutAgentsLeg(signs: Sign[], statuses: readonly Sign[], direction: CallType | null): Sign[] {
  const hasLeg = direction === 'Outbound' && statuses.some(({ party }) => party === 'customer')
  return hasLeg ? signs.filter(({ party, isPhone }) => party !== 'agent' || isPhone) : signs
}

/** Returns the statuses; if several agents were called, only those of the agents who answered. */
function ofOneAgent(statuses: readonly Sign[], direction: CallType | null): readonly Sign[] {
  if (direction === 'Outbound') return statuses
  const places = Map.groupBy(statuses, ({ leaf }) => leaf.path.filter((step) => typeof step === 'string').join(' '))
  const isOfAgent = (sign: Sign) =>
    sign.party === 'agent' || [...places.values()].some((of) => of.length > 1 && of.includes(sign))
  const isAnswered = ({ value }: Sign) => outcomeIn(value) === 'Completed' && weaknessOf(value) === undefined
  const hasAnswered = statuses.some((sign) => isOfAgent(sign) && isAnswered(sign))
  return hasAnswered ? statuses.filter((sign) => !isOfAgent(sign) || isAnswered(sign)) : statuses
}

/** Whether it is the status of a response with the call in it: `{ status: 'success', data }`. */
const isOfResponse = ({ leaf, value }: Sign, directions: readonly Sign[]) =>
  /^(success(ful)?|ok|true)$/i.test(value) &&
  directions.some((one) => one.leaf.group !== leaf.group && isWithin(one.leaf.group, leaf.group))

/** `answered: yes` and `is_missed: no`, as an outcome. */
const flagsIn = (signs: readonly Sign[]) =>
  signs.flatMap((sign) => {
    const [, name] =
      /^(?:is|was|call|agent)*(answered|connected|pickedup|uthayi|uthaya|missed|baathui)$/.exec(sign.key) ?? []
    const [yes] = /^(true|yes|y|1|haan)$/i.exec(sign.value) ?? []
    const isFlag = name !== undefined && (yes !== undefined || /^(false|no|n|0|nahi)$/i.test(sign.value))
    // A menu answers each call.
    if (!isFlag || (name === 'missed' && !yes) || sign.outer.some((words) => words.includes('ivr'))) return []
    return { ...sign, value: name === 'missed' || !yes ? 'not answered' : 'answered' }
  })

/** Whether a flag, a URL, a file or a machine that was detected says that the caller spoke to a voicemail. */
const isVoicemail = (sign: Sign) =>
  (/amd|answeredby|answertype|machine/.test(sign.key) &&
    (outcomeIn(sign.value) === 'Voicemail' ||
      (sign.key.includes('machine') && /^(true|yes|y|1)$/i.test(sign.value)))) ||
  (/^(is|has|left)?voicemail(left|flag|url|link|file|path|recording\w*)?$/.test(sign.key)
    ? /^(true|yes|y|1)$/i.test(sign.value) || recordingIn(sign.value) !== undefined || isRecordingFile(sign.value)
    : isRecording(sign) && (/voice-?mail/i.test(sign.value) || sign.outer[0]?.join('') === 'voicemail'))

/** Whether it is the customer's name as the system has it, which may be a firm. */
const isNameOfCustomer = ({ key, party, value }: Sign, direction: CallType | null) =>
  /^(call(er|ee|ed)|from|to|cli|id|cnam|customer|cust|client|contact|lead|patient|visitor|external|remote|party|number|full|display)*name$/.test(
    key,
  ) &&
  (party === 'customer' || party === (direction === 'Outbound' ? 'to' : 'from')) &&
  mayBeName(value) &&
  !isWithheld(value)

const remarkName =
  /^(call|agent|caller)*(remarks?|notes?|comments?|wrapup(notes?|text|code|reason)?|(sub)?disposition\w*)$/

const isRemark = ({ key, value, party, leaf, outer }: Sign) =>
  remarkName.test(key) &&
  /\p{L}/u.test(value) &&
  !isWord(value) &&
  recordingIn(value) === undefined &&
  !(party === 'customer' && outer.length > 0 && leaf.around.length > 0) &&
  !/(id|time|date|at)$/.test(key)

const reasons = {
  id: msg`Id of the call`,
  direction: msg`Direction of the call`,
  outcome: msg`How the call ended`,
  state: msg`How far the call has come`,
  talkTime: msg`Talk time`,
  agent: msg`Agent of the call`,
  recording: msg`Recording of the call`,
  notes: msg`Remark on the call`,
}
