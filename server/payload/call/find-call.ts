import type { CallType } from '../../calls/contract.ts'
import { phoneIn } from '../../contacts/written-contact.ts'
import { pathText } from '../path.ts'
import type { Group, Leaf } from '../structure/leaves.ts'
import { isBlank, isId, lastDigits } from '../structure/values.ts'
import type { CallParts, Said } from './call-parts.ts'
import { durationIn, recordingIn, timeIn } from './call-values.ts'
import { directionIn, isWord, outcomeIn, stateIn, wordsIn } from './call-words.ts'
import { type Sign, signOf } from './party.ts'

export interface FoundCall {
  parts: CallParts
  /** The customer's number, if there is one. */
  customer: Leaf[]
  /** Of agents and of the business's lines. */
  taken: Leaf[]
}

/** Finds a call in the payload of an unknown telephone system; null if it is none by clear evidence. `isCall`: its owner says so. */
export function findCall(leaves: readonly Leaf[], isCall: boolean): FoundCall | null {
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
  const statuses = signs.filter((sign) => isStatus(sign))
  const times = timesIn(
    signs,
    [...events, ...statuses],
    new Set([...directions, ...statuses].map(({ leaf }) => leaf.group)),
  )
  const lengths = lengthsIn(signs)
  const recordings = signs.filter(isRecording)
  const numbers = signs.filter(({ isPhone }) => isPhone)
  if (!isCall) {
    const has = (party: Sign['party']) => numbers.some((one) => one.party === party)
    const isPair = has('from') && (has('to') || has('line') || has('agent'))
    const happened =
      lengths.length > 0 || recordings.length > 0 || times.answered_at.length + times.ended_at.length > 0 || isPair
    const hasId = ids.some(({ key }) => key.includes('call'))
    const isNamed = hasId || events.some(({ value }) => stateIn(value) ?? outcomeIn(value))
    if (isMessage(signs, lengths.length > 0 || hasId)) return null
    const isClear =
      (isNamed && (happened || has('agent') || has('from') || (directions.length > 0 && numbers.length > 0))) ||
      (directions.length > 0 && (isPair || (happened && numbers.length > 0) || lengths.length > 0)) ||
      (statuses.length > 0 &&
        numbers.length > 0 &&
        ids.some(({ leaf }) => lengths.some((one) => one.leaf.group === leaf.group))) ||
      (statuses.some((sign) => isOfCall(sign)) && happened && (numbers.length > 0 || ids.length > 0))
    if (!isClear) return null
  }
  const near = [...directions, ...statuses, ...signs.filter(({ key, value }) => key === 'object' && value === 'call')]
  const groups = new Set((near.length > 0 ? near : events).map(({ leaf }) => leaf.group))
  const plainIds = signs.filter(
    ({ key, leaf, outer }) => key === 'id' && (isCallName(outer[0]) || groups.has(leaf.group)),
  )
  const parties = partiesOf(withLegs(signs, directions), directions)
  const direction = parties.direction
  const said = (all: readonly Sign[], reason: string) => all.map((sign) => saidBy(sign, reason))
  const parts: CallParts = {
    id: said([...inOrder(ids, idNames), ...plainIds], 'Id of the call'),
    direction: [...said(directions, 'Direction of the call'), ...parties.inferred],
    outcome: said(inOrder(statuses, outcomeNames, parties.direction).concat(events), 'How the call ended'),
    state: said(
      [...events, ...statuses].filter(({ value }) => stateIn(value) !== undefined),
      'How far the call has come',
    ),
    started_at: times.started_at,
    answered_at: said(times.answered_at, ''),
    ended_at: said(times.ended_at, ''),
    talk_time:
      times.answered_at.length > 0 && times.ended_at.length > 0
        ? said(lengths.filter(isTalk), 'Talk time')
        : said(lengths, 'Talk time').map((one) => inMilliseconds(one, times)),
    agents: said(agentsIn(signs, direction), 'Agent of the call'),
    recording: said(recordings, 'Recording of the call'),
    notes: said(signs.filter(isRemark), 'Remark on the call'),
  }
  const isOurs = (sign: Sign) => isOfBusiness(sign, parties)
  return {
    parts,
    customer: parties.customer ? [parties.customer.leaf] : [],
    taken: signs.filter(isOurs).map(({ leaf }) => leaf),
  }
}

const isPerson = (value: string) => /^(user|agent|customer|contact|lead|external|operator|employee)s?$/i.test(value)

/** Of a leg of the call that is an agent's, the number is, too. */
function withLegs(signs: readonly Sign[], directions: readonly Sign[]): Sign[] {
  const whole = new Set(directions.map(({ leaf }) => leaf.group))
  const groupsOf = (wanted: Sign['party']) =>
    new Set(signs.filter(({ party }) => party === wanted).map(({ leaf }) => leaf.group))
  const [ofAgents, ofCustomers] = [groupsOf('agent'), groupsOf('customer')]
  const isLeg = ({ group }: Leaf) =>
    group.parent !== undefined &&
    group.name !== undefined &&
    ofAgents.has(group) &&
    !ofCustomers.has(group) &&
    !whole.has(group)
  const numbers = signs.filter(({ isPhone }) => isPhone)
  return numbers.map((sign) =>
    sign.party === undefined && isLeg(sign.leaf) ? { ...sign, party: 'agent' as const } : sign,
  )
}

/** Users are agents, unless others are. */
function withUsers(signs: Sign[]): Sign[] {
  const party = signs.some((sign) => sign.party === 'agent' && (sign.isPhone || isNaming(sign))) ? undefined : 'agent'
  return signs.map((sign) => (sign.party === 'user' ? { ...sign, party } : sign))
}

const role =
  /^(participant|party|member|leg|call)?[ _-]?(role|party|purpose|side)$|^(participant|party|member|leg)[ _-]?type$/i

/** What is said of another call, or of one that is yet to come. */
const elsewhere = new Set(
  'last previous prev next preferred prefered scheduled schedule best callback followup planned'.split(' '),
)

const saidBy = ({ leaf, value }: Sign, reason: string): Said => {
  return { path: pathText(leaf.path), value, name: leaf.labels[0] ?? '', reason, by: 'recognised' }
}

/** The ids of a call, the one that is the same in most events first. */
const idNames = [
  /^(call)?sessionid$|^callsession$|^linkedid$/,
  /^(parent|master|main|root|original|primary)call(s?id|uuid|guid|uniqueid)$/,
  /^(phone|voice)?call(s?id|uuid|guid)$/,
  /^(?!\w*(callback|recall))\w{0,12}call(s?id|uuid|guid|unique\w*id|ref\w{0,10}|identifier|key|no|recordid|logid|historyid|dataid)$/,
  /^(uniqueid|ucid|cdrid|monitorucid|interactionid|conversationu?u?id|calluniqueid)$/,
  /^(call)?(control|leg)id$|^(uuid|guid)$/,
]

function inOrder(signs: readonly Sign[], names: readonly RegExp[], direction?: CallType | null): Sign[] {
  const place = ({ key, party }: Sign) => {
    const at = names.findIndex((name) => name.test(key))
    // Of the legs of a call, that of who was called decides.
    const isCaller = direction === 'Outbound' ? party === 'agent' : party === 'customer'
    return (at === -1 ? names.length : at) + (direction !== undefined && isCaller ? 0.5 : 0)
  }
  return signs.toSorted((one, other) => place(one) - place(other))
}

const eventName =
  /^((system|webhook|hook|call)?event(type|name|action|code)?|\w*eventtype|type|topic|trigger|action|hook|notificationtype|webhooktype)$/

const aCall = /^(missed|phone|voice|in|out)?(bound|coming|going)?calls?$|^(cdr|telephony)$/

const callObject = /^(\w*call|calls|cdr|call(log|details?|info|data|record|session|event)s?)$/
const isCallName = (words: readonly string[] | undefined) => callObject.test((words ?? []).join(''))
const isOfCall = ({ key, outer }: Sign) =>
  /^(\w*call(?!er|ed|ing|back)|dial|hangup)/.test(key) || outer.some(isCallName)

function directionsIn(signs: readonly Sign[], events: readonly Sign[]): Sign[] {
  const named = signs.filter(({ key }) =>
    /^\w{0,12}direction(type)?$|^(is)?(in|out)(bound|coming|going)(call)?$|^calldir$/.test(key),
  )
  const typed = signs.filter((sign) => /^call(type|flow|mode|kind|category|nature)$/.test(sign.key))
  const inCall = signs.filter(
    (sign) => /^(type|flow|kind|mode)$/.test(sign.key) && (sign.outer.some(isCallName) || /call/i.test(sign.value)),
  )
  return [...named, ...typed, ...inCall, ...events].filter(({ value }) => directionIn(value) !== undefined)
}

const outcomeNames = [
  /^(call)?(outcome|result|finalstatus|disposition|answerstatus|completionstatus)$/,
  /^(call|dial)*(status|state)$/,
  /(status|state)$/,
  /(cause|reason)/,
]

function isStatus(sign: Sign): boolean {
  const { key, value, party } = sign
  if (outcomeIn(value) === undefined && stateIn(value) === undefined) return false
  if (
    /^(call|dial|hangup|end|answer|completion|final|leg|customer|agent|user|client|caller|callee|destination|source)*(status|state|result|outcome|disposition|cause|reason|stage|hangupcause|statusname|statustext)$/.test(
      key,
    )
  )
    return !/^(user|client)/.test(key) || party !== undefined
  return /^(hangup|disconnect(ion)?|termination|missedcall|end(ed)?)(cause|reason|by|type)\w{0,6}$|^calltype$/.test(key)
}

function isMessage(signs: readonly Sign[], hasCall: boolean): boolean {
  const isOne = ({ key, value }: Sign) =>
    (eventName.test(key) &&
      wordsIn(value).some((word) =>
        /^(sms|mms|message|messages|chat|email|whatsapp|meeting|webinar|lead|order)$/.test(word),
      ) &&
      !/call/i.test(value)) ||
    (!hasCall &&
      /^(sms|mms|msg|message|chat|wamid|wa)(s?id|uuid|body|text|type|status)$|^(body|text|smstext|message|msg|content)$/.test(
        key,
      ))
  return signs.some(isOne)
}

const suffix = '(on|at|time|date|datetime|timestamp|stamp|epoch|unix|utc|ist|ts|sec|ms|local|iso|dt)*'
const startNames = [
  new RegExp(
    `^(call|session|date|time|at)*(start|started|begin|began|initiated?|initiation|originated?|arrival|offered|placed)${suffix}$`,
  ),
  new RegExp(`^(call|calling|dial|dialed|dialled|ring|ringing|ringstart)${suffix}$`),
  /^(date|datetime|time|created(at|on|time|date)?|calldate)$/,
]
const answerName = new RegExp(
  `^(call|agent|date|time|at)*(answer|answered|connect|connected|pickup|pickedup|picked|accepted|bridged?|established|talkstart(ed)?|conversationstart(ed)?)${suffix}$`,
)
const endName = new RegExp(
  `^(call|session|date|time|at)*(end|ended|hangup|hungup|disconnect|disconnected|finish|finished|completed?|terminated?|termination|released?|stop|stopped|closed?)${suffix}$`,
)
const momentName =
  /^(event|occurred|received|updated?|modified)?(time|timestamp|at|date|datetime|stamp|ts)(ms|utc)?$|^occurredat$/

type Times = { started_at: Said[]; answered_at: Sign[]; ended_at: Sign[] }

function timesIn(signs: readonly Sign[], states: readonly Sign[], groups: ReadonlySet<Group>): Times {
  const isTime = ({ value }: Sign) => timeIn(value) !== undefined
  const isNear = ({ leaf }: Sign) => groups.has(leaf.group)
  const all = signs.filter(isTime)
  const moments = [...all.filter(isNear), ...all.filter((sign) => !isNear(sign))]
  const started = startNames.flatMap((name) => moments.filter(({ key }) => name.test(key)))
  const answered = moments.filter(({ key }) => answerName.test(key))
  const ended = moments.filter(({ key }) => endName.test(key))
  const isTimeless = started.length + answered.length + ended.length === 0
  const happened = isTimeless ? moments.filter(({ key }) => momentName.test(key)) : []
  const state = states.map(({ value }) => stateIn(value)).find((one) => one !== undefined)
  // A recording is ready later.
  const isLate = states.some(({ value }) => /record|transcri|summar|voicemail/i.test(value))
  if (happened.length > 0 && state === 'answered') return { started_at: [], answered_at: happened, ended_at: [] }
  if (happened.length > 0 && state === 'ended')
    return { started_at: [], answered_at: [], ended_at: isLate ? [] : happened }
  const starts = [...started, ...happened].map((sign) => {
    const said = saidBy(sign, 'Start of the call')
    const clock = /^\d+\D\d+\D\d+$/.test(sign.value) ? clockBeside(sign, signs) : undefined
    return clock === undefined ? said : { ...said, value: `${sign.value} ${clock}` }
  })
  return { started_at: starts, answered_at: answered, ended_at: ended }
}

/** A date may have its time beside it. */
const clockBeside = ({ leaf }: Sign, signs: readonly Sign[]) =>
  signs.find(
    ({ key, value, leaf: { group } }) =>
      group === leaf.group &&
      /^(call|start|calling)*time$/.test(key) &&
      /^\d{1,2}:\d{2}(:\d{2})?( ?[ap]m)?$/i.test(value),
  )?.value

const talkName =
  /^(call)?(talk|talking|conversation|speak|spoken|bill(able|ing|ed)?|answered|connected|bridged?|active)\w*(time|duration|sec|secs|seconds|length|min|minutes|ms)\w*$|talktime|talkduration|^durationanswered$|^bill(able)?secs?$/
const lengthName = /duration|^(call)?(length|seconds|secs)(in)?(sec|secs|seconds|ms)?$|^calltime(in)?(sec|seconds)$/
const notTalk = /ring|wait|queue|hold|wrap|ivr|setup|acw|silence|record|video|delay|mute|post|pre|park|timeout|max/

const isTalk = ({ key, value, leaf }: Sign) => talkName.test(key) && !notTalk.test(key) && isLength(value, leaf)
const isLength = (value: string, leaf: Leaf) =>
  durationIn(value, leaf.labels[0] ?? '') !== undefined && timeIn(value) === undefined

/** Talk times, then durations of which the name does not say whether ringing counts. */
function lengthsIn(signs: readonly Sign[]): Sign[] {
  const others = signs.filter(
    ({ key, value, leaf }) =>
      lengthName.test(key) && !talkName.test(key) && !notTalk.test(key) && isLength(value, leaf),
  )
  return [...signs.filter(isTalk), ...others]
}

/** A duration that is much longer than the call is in milliseconds. */
function inMilliseconds(said: Said, { started_at, ended_at }: Times): Said {
  const [start, end] = [started_at[0]?.value, ended_at[0]?.value].map((text) => Date.parse(timeIn(text ?? '') ?? ''))
  const length = durationIn(said.value, said.name) ?? 0
  return length > 1000 && length > (end! - start!) / 1000 + 60 ? { ...said, name: 'ms' } : said
}

const recordingName = /recording|recorded|audio|voicemail|playback|^(call)?rec(ord)?(file|url|link|path)$|mp3|wav/

const isRecording = ({ key, outer, value }: Sign) =>
  recordingIn(value) !== undefined &&
  (recordingName.test(key) ||
    recordingName.test((outer[0] ?? []).join('')) ||
    /\.(mp3|wav|ogg|m4a|aac|amr)(\?|$)/i.test(value))

const remarkName =
  /^(call|agent|caller)*(remarks?|notes?|comments?|wrapup(notes?|text|code|reason)?|(sub)?disposition\w*)$/

const isRemark = ({ key, value, party, leaf, outer }: Sign) =>
  remarkName.test(key) &&
  /\p{L}/u.test(value) &&
  !isId(value) &&
  !isWord(value) &&
  recordingIn(value) === undefined &&
  !(party === 'customer' && outer.length > 0 && leaf.around.length > 0) &&
  !/(id|time|date|at)$/.test(key)

type Parties = { customer: Sign | undefined; direction: CallType | null; ours: ReadonlySet<string>; inferred: Said[] }

/** Finds the customer's number: where it is named; by the direction, who called or was called. */
function partiesOf(numbers: readonly Sign[], directions: readonly Sign[]): Parties {
  const digitsOf = ({ value }: Sign) => lastDigits(phoneIn(value)!)
  const digits = (...parties: Sign['party'][]) =>
    new Set(numbers.filter(({ party }) => parties.includes(party)).map(digitsOf))
  const named = digits('customer')
  const ours = digits('agent', 'line').difference(named)
  const stated = directions.length > 0 ? (directionIn(directions[0]!.value) ?? null) : null
  const told = (party: 'from' | 'to', all: ReadonlySet<string>) =>
    numbers.find((one) => one.party === party && all.has(digitsOf(one)))
  const inbound = told('from', named) ?? told('to', ours)
  const outbound = told('to', named) ?? told('from', ours)
  const sign =
    stated === null && (inbound === undefined) !== (outbound === undefined) ? (inbound ?? outbound) : undefined
  const direction = stated ?? (sign ? (sign === inbound ? 'Inbound' : 'Outbound') : null)
  const hasSides = numbers.some(({ party }) => party === 'from' || party === 'to')
  const scoreOf = (one: Sign): number => {
    const isNamedCaller = [one.words, ...one.outer].flat().some((word) => /^caller/.test(word))
    if (one.party === 'customer')
      return one.outer.some((words) => words.includes('contact') || words.includes('customer')) ? 101 : 100
    if (one.party === 'agent' || one.party === 'line' || ours.has(digitsOf(one))) return 0
    if (one.party === 'to') return direction === 'Outbound' ? 90 : 0
    if (one.party !== 'from') return one.isPlain && !(direction === null && hasSides) ? 50 : 0
    if (direction === 'Outbound') return isNamedCaller ? 20 : 0
    // Without a direction, the learned weights decide.
    if (direction === null && !isNamedCaller) return 0
    return /id|cli|ani/.test(one.words.at(-1) ?? '') ? 40 : 80
  }
  const best = numbers.toSorted((one, other) => scoreOf(other) - scoreOf(one))[0]
  const customer = best && scoreOf(best) > 0 ? best : undefined
  const inferred = sign ? [{ ...saidBy(sign, 'Whose number it is'), value: direction! }] : []
  return { customer, direction, ours, inferred }
}

/** Whether a value is an agent's, or of the side of the call that is the business's. */
function isOfBusiness(sign: Sign, { customer, direction, ours }: Parties): boolean {
  if (sign === customer) return false
  const { party, isPhone, value, outer } = sign
  if (party === 'agent') return isPhone || isNaming(sign)
  if (party === 'line')
    return isPhone || outer.some((words) => /^(number|did|line|ivr|queue|department)s?$/.test(words.join('')))
  if (isPhone && ours.has(lastDigits(phoneIn(value)!))) return true
  if (direction === null) return false
  return party === 'to'
    ? direction === 'Inbound'
    : party === 'from' && direction === 'Outbound' && !sign.words.some((word) => /^caller/.test(word) && !isPhone)
}

const agentWords =
  'name number no num phone mobile cell tel email mail login username ext extn exten extension id by full code'.split(
    ' ',
  )
const bareAgent = /^(agent|user|operator|employee|staff|executive|member|representative|assignee|owner|answered|by)s?$/
/** A role, and what a machine says that answered. */
const noAgent =
  /^(agent|user|customer|human|machine\w*|bot|fax|unknown|system|(jio|airtel|vi|vodafone|idea|bsnl|mtnl|reliance)\b.*)$/i
const isNaming = ({ words }: Sign) => {
  const last = words.at(-1) ?? ''
  return agentWords.includes(last) || /^(full|first|display)?name$/.test(last)
}
const handled = /answer|attend|pick|handled|connected|whom/

/** Returns the numbers, emails, extensions and names of agents, the most exact first; of the calls's agents, those who answered. */
function agentsIn(signs: readonly Sign[], direction: CallType | null): Sign[] {
  const isOurSide = ({ key, party, value }: Sign) =>
    (party === (direction === 'Outbound' ? 'from' : 'to') || /^internal(number|ext|extension)?$/.test(key)) &&
    /^\d{2,6}$/.test(value)
  const isAgents = (sign: Sign) => {
    const { party, words, value } = sign
    const isNamed = isNaming(sign) || bareAgent.test(words.at(-1) ?? '')
    return (
      party === 'agent' &&
      isNamed &&
      value.length <= 100 &&
      !isWord(value) &&
      !noAgent.test(value) &&
      timeIn(value) === undefined &&
      !/^(true|false|https?:.*)$/i.test(value)
    )
  }
  const agents = signs.filter((sign) => isAgents(sign))
  const missed = agents.filter(({ key, outer }) => !/miss/.test(`${key} ${outer.flat().join(' ')}`))
  const some = missed.length > 0 ? missed : agents
  const spoke = some.filter(({ key, outer }) => handled.test(`${key} ${outer.flat().join(' ')}`))
  const rankOf = ({ isPhone, value, words }: Sign) =>
    isPhone || phoneIn(value)
      ? 0
      : value.includes('@')
        ? 1
        : /^\d{2,6}$/.test(value) && words.at(-1) !== 'id'
          ? 2
          : words.at(-1) === 'id'
            ? 4
            : 3
  const chosen = (spoke.length > 0 ? spoke : some).toSorted((one, other) => rankOf(one) - rankOf(other))
  const exact = chosen.filter((sign) => rankOf(sign) < 4)
  return exact.length > 0 ? exact : chosen.length > 0 ? chosen : signs.filter(isOurSide)
}
