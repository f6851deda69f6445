import { msg } from '@lingui/core/runtime-macro'
import type { Text } from '../../../platform/languages/translate.ts'
import type { Group, Leaf } from '../structure/leaves.ts'
import type { Said } from './call-parts.ts'
import { durationIn, isNoTime, saysUtc, timeIn } from './call-values.ts'
import { stateIn } from './call-words.ts'
import { keyOf, type Sign, saidBy } from './party.ts'

const suffix = '(on|at|time|tm|date|stamp|epoch|unix|utc|gmt|ist|ts|sec|secs|ms|us|ns|micros?|nanos?|local|iso|dt|c)*'
const started =
  '(start|started|st|begin|began|initiated?|init|initiation|originated?|orig|arrival|arrived|offered|placed|attempt|attempted|invite|setup|entered|rang|shuru)'
const ended =
  '(end|ended|et|hangup|hungup|hup|disconnect|disconnected|disc|dropped|finish|finished|completed?|terminated?|termination|released?|stop|stopped|closed?|over|hung|khatam)'
/** The words before the start of a call; of those that are not here, the last of all names may begin with any. */
const ofCall = '(crm|hs|call|cdr|activity|engagement|task|session|conversation|interaction|date|time|t|at|utc|gmt)*'
/** A part of a call, or something else that starts and ends. */
const otherStart =
  /ring|queue|hold|wrap|ivr|record|park|break|shift|campaign|plan|subscription|meeting|event|agent|user|account|contact|customer|lead|restart/
const anyStart = new RegExp(`(start|started|begin|began|initiated|originated|created)${suffix}$`)
const startNames: ((key: string) => boolean)[] = [
  named(`${ofCall}${started}${suffix}`),
  named(`(call|calling|dial|dialed|dialled|ring|ringing|ringstart(ed)?)${suffix}`),
  named('date|datetime|time|created(at|on|time|date)?|calldate'),
  (key) => anyStart.test(key) && !otherStart.test(key),
]
const isAnswer = named(
  `(call|agent|date|time|t|at|cdr)*(answer|answered|ans|connect|connected|conn|pickup|pickedup|picked|joined|accepted|bridged?|established|talkstart(ed)?)(to|by|agent|customer|user)*${suffix}`,
)
const isEnd = named(`${ofCall}${ended}${suffix}`)
const isMoment = named(
  '(event|occurred|received|updated?|modified)?(time|timestamp|at|date|datetime|stamp|ts)(ms|utc)?|occurredat',
)

function named(pattern: string): (key: string) => boolean {
  const whole = new RegExp(`^(?:${pattern})$`)
  return (key) => whole.test(key)
}

export type Times = { started_at: Said[]; answered_at: Said[]; ended_at: Said[] }

/** Finds the times of a call; those in `groups` first, where its direction or status is. */
export function timesIn(signs: readonly Sign[], states: readonly Sign[], groups: ReadonlySet<Group>): Times {
  const isNear = ({ leaf }: Sign) => groups.has(leaf.group)
  const all = signs.flatMap((sign) => withDate(sign, signs)).filter(mayBeTime)
  const moments = [...all.filter(isNear), ...all.filter((sign) => !isNear(sign))]
  const answers = moments.filter(({ key }) => isAnswer(key))
  const ends = moments.filter(({ key }) => isEnd(key))
  const named = startNames.flatMap((isStart) => moments.filter((sign) => isStart(sign.key) || isOfActivity(sign)))
  const others = moments.filter(
    (sign) => mayBeStart(sign) && [...answers, ...ends].every((one) => !isBefore(one, sign)),
  )
  const starts = earliestFirst(named, others)
  const isTimeless = ![...starts, ...answers, ...ends].some(isTime)
  const happened = isTimeless ? moments.filter((sign) => isMoment(sign.key) && isTime(sign)) : []
  const state = states.map(({ value }) => stateIn(value)).find((one) => one !== undefined)
  // A recording is ready later.
  const isLate = states.some(({ value }) => /record|transcri|summar|voicemail/i.test(value))
  const isOver = lengthsIn(signs).some(({ value }) => Number(value) !== 0)
  const said = (signs: readonly Sign[], reason: Text = '') => signs.map((sign) => saidBy(sign, reason))
  // The event of an answer happened when the call was answered.
  const answer = state === 'answered' && answers.length === 0 && ends.length === 0 && !isOver
  if (answer && !isTimeless) answers.push(...moments.filter((sign) => isMoment(sign.key) && isTime(sign)))
  if (happened.length > 0 && state === 'answered' && !isOver)
    return { started_at: [], answered_at: said(happened), ended_at: [] }
  if (happened.length > 0 && (state === 'ended' || state === 'answered'))
    return { started_at: [], answered_at: [], ended_at: isLate ? [] : said(happened) }
  const likely = others.some(isNear) ? others.filter(isNear) : others
  const unnamed = happened.length > 0 ? [] : likely.toSorted(byTime)
  return {
    started_at: said([...starts, ...happened, ...unnamed], start),
    answered_at: said(answers),
    ended_at: said(ends),
  }
}

const isTime = ({ value }: Sign) => timeIn(value) !== undefined

/** Whether it may be when the call started, although no name says so. A number may be anything, and a date alone is no time. */
const mayBeStart = (sign: Sign) =>
  isTime(sign) &&
  !isDate(sign) &&
  !isAnswer(sign.key) &&
  !isEnd(sign.key) &&
  !notStart.test(sign.key) &&
  (/[^\d.]/.test(sign.value) || /(time|date|at|on|stamp|ts|when|epoch|utc)$/.test(sign.key))
const notStart =
  /answer|connect|end|hang|updat|modif|creat|delet|sync|sent|deliver|due|expir|valid|birth|dob|since|until|next|follow|remind|paid|visit|regist|signup|book|appoint|wrap|hold|login/
const instantOf = ({ value, leaf }: Sign) => Date.parse(timeIn(value, saysUtc(leaf.labels[0] ?? '')) ?? '')
const byTime = (one: Sign, other: Sign) => instantOf(one) - instantOf(other)
const isBefore = (one: Sign, other: Sign) => isTime(one) && byTime(one, other) < 0

/** The time of a task or an activity of a CRM. */
const isOfActivity = ({ key, outer }: Sign) =>
  isMoment(key) && outer.some((words) => words.some((word) => /^(engagement|activity|task)s?$/.test(word)))

/** In milliseconds. A time that is longer before the start is of something else, or in another zone. */
const maxSetup = 15 * 60_000

/** A call starts with the earliest of its times: when it was offered, and not when a leg of it was. */
function earliestFirst(starts: readonly Sign[], others: readonly Sign[]): Sign[] {
  const first = starts.find(isTime)
  if (!first) return [...starts]
  const isEarlier = (sign: Sign) => isBefore(sign, first) && instantOf(first) - instantOf(sign) <= maxSetup
  return [...[...starts, ...others].filter(isEarlier).toSorted(byTime), ...starts]
}

/** Whether it is a time, or under the name of one, and neither that nor a duration or a number. */
const mayBeTime = (sign: Sign) => {
  if (isTime(sign)) return true
  const { key, value, isPhone } = sign
  if (isPhone || isNoTime(value) || !(startNames[0]!(key) || isAnswer(key) || isEnd(key))) return false
  const isMeant = /(time|date|at|stamp|utc|gmt)$/.test(key) || /^\d{1,4}\D\d{1,2}\D\d{1,4}\D/.test(value)
  return isClock(sign) || (isMeant && durationIn(value) === undefined)
}

/** Returns a clock with its date, which are apart; a date with a clock beside it is no time of its own. */
function withDate(sign: Sign, signs: readonly Sign[]): Sign[] {
  const isClocked = isClock(sign)
  if (!isClocked && !isDate(sign)) return [sign]
  const besides = signs.filter(({ leaf }) => leaf.group === sign.leaf.group)
  if (!isClocked) return signs.some((one) => isClock(one) && isWithin(one.leaf.group, sign.leaf.group)) ? [] : [sign]
  const dates =
    [besides, signs.filter(({ leaf }) => isWithin(sign.leaf.group, leaf.group))]
      .map((some) => some.filter(isDate))
      .find((some) => some.length > 0) ?? []
  const stem = sign.key.replace(/(time|tm)$/, '')
  const date =
    dates.find(({ key }) => key === `${stem}date` || key === `${stem}dt`) ?? dates.find(({ key }) => !isEnd(key))
  return date ? [{ ...sign, value: `${date.value.replace(midnight, '')} ${sign.value}` }] : [sign]
}

export function isWithin(group: Group | undefined, outer: Group): boolean {
  return group !== undefined && (group === outer || isWithin(group.parent, outer))
}

const midnight = /[T ]00:00:00(\.0+)?Z?$/
const isDate = ({ key, value }: Sign) =>
  /date|day|dt$/.test(key) &&
  /^(\d+\D\d+\D\d+|\d{1,2}\W+\p{L}+\W+\d{4}|\d{8})$/u.test(value.replace(midnight, '')) &&
  timeIn(value) !== undefined

/** `00:00:45` under `answered_time` is a duration. */
const isClock = ({ key, value }: Sign) =>
  /^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[ap]\.?m\.?)?$/i.test(value) &&
  (startNames.some((isStart) => isStart(key)) || isEnd(key) || (isAnswer(key) && !value.startsWith('00:')))

/** Returns the empty answer times of a call that has ended, and who did not answer it. */
export function withoutAnswer(leaves: readonly Leaf[], { answered_at, ended_at }: Times): Leaf[] {
  if (ended_at.length === 0 || answered_at.some(({ value }) => timeIn(value) !== undefined)) return []
  return leaves.filter(({ labels, value }) => /^([0\W_TZ]*|null)$/.test(value) && isAnswer(keyOf(labels[0] ?? '')))
}

const talkName =
  /^(total)?(talk|talked|conversation|conv|spoken|incall|bsec|baathui|baatkasamay)s?$|^(call|variable|total)?(talk|talking|talked|conversation|conv|speak|spoken|bill(able|ing|ed)?|answered|connected|bridged?|active)\w*(time|duration|sec|secs|seconds|length|min|minutes|ms)\w*$|talktime|talkduration|^durationanswered$|^bill(able)?secs?$/
const lengthName =
  /duration|^(call)?(length|seconds|secs|sec|dur)(in)?(sec|secs|seconds|ms)?$|^calltime(in)?(sec|seconds)$/
const notTalk =
  /ring|wait|queue|hold|wrap|ivr|setup|acw|silence|record|video|delay|mute|post|pre|park|timeout|max|pulse/

export const isTalk = ({ key, value, leaf }: Sign) => talkName.test(key) && !notTalk.test(key) && isLength(value, leaf)
/** In milliseconds, it may be longer than any call is in seconds. */
const isLength = (value: string, leaf: Leaf) =>
  (/^\d{6,8}$/.test(value) || durationIn(value, leaf.labels[0] ?? '') !== undefined) && timeIn(value) === undefined

/** Talk times, then durations of which the name does not say whether ringing counts. */
export function lengthsIn(signs: readonly Sign[]): Sign[] {
  const others = signs.filter(
    ({ key, value, leaf }) =>
      lengthName.test(key) && !talkName.test(key) && !notTalk.test(key) && isLength(value, leaf),
  )
  const secondsOf = ({ value, leaf }: Sign) => durationIn(value, leaf.labels[0]) ?? 0
  const maxSeconds = Math.max(...others.map(secondsOf))
  // What is billed may be rounded up to minutes.
  const isRounded = (sign: Sign) => sign.key.includes('bill') && maxSeconds > 0 && secondsOf(sign) > maxSeconds
  return [...signs.filter((sign) => isTalk(sign) && !isRounded(sign)), ...others]
}

/** Between the answer and the end of a call, a duration that may count the ringing says nothing new. */
export function lengthsSaid(lengths: readonly Sign[], { answered_at, ended_at }: Times, reason: Text): Said[] {
  const isKnown = [answered_at, ended_at].every((said) => said.some(({ value }) => timeIn(value) !== undefined))
  const said = lengths.map((sign) => (isTalk(sign) ? saidBy(sign, reason) : { ...saidBy(sign, reason), isWhole: true }))
  return isKnown ? said.filter(({ isWhole }) => !isWhole) : said
}

const start = msg`Start of the call`
