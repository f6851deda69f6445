import { msg } from '@lingui/core/runtime-macro'
import type { Group, Leaf } from '../structure/leaves.ts'
import type { Said } from './call-parts.ts'
import { durationIn, timeIn } from './call-values.ts'
import { stateIn } from './call-words.ts'
import { type Sign, saidBy } from './party.ts'

const suffix = '(on|at|time|date|stamp|epoch|unix|utc|ist|ts|sec|ms|local|iso|dt)*'
const startNames = [
  new RegExp(
    `^(call|session|conversation|interaction|date|time|at)*(start|started|begin|began|initiated?|initiation|originated?|arrival|offered|placed)${suffix}$`,
  ),
  new RegExp(`^(call|calling|dial|dialed|dialled|ring|ringing|ringstart)${suffix}$`),
  /^(date|datetime|time|created(at|on|time|date)?|calldate)$/,
]
const answerName = new RegExp(
  `^(call|agent|date|time|at)*(answer|answered|connect|connected|pickup|pickedup|picked|accepted|bridged?|established|talkstart(ed)?)(to|by|agent|customer|user)*${suffix}$`,
)
const endName = new RegExp(
  `^(call|session|conversation|interaction|date|time|at)*(end|ended|hangup|hungup|disconnect|disconnected|finish|finished|completed?|terminated?|termination|released?|stop|stopped|closed?)${suffix}$`,
)
const momentName =
  /^(event|occurred|received|updated?|modified)?(time|timestamp|at|date|datetime|stamp|ts)(ms|utc)?$|^occurredat$/

export type Times = { started_at: Said[]; answered_at: Sign[]; ended_at: Sign[] }

/** Finds the times of a call; those in `groups` first, where its direction or status is. */
export function timesIn(signs: readonly Sign[], states: readonly Sign[], groups: ReadonlySet<Group>): Times {
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
  const isOver = lengthsIn(signs).some(({ value }) => Number(value) !== 0)
  if (happened.length > 0 && state === 'answered' && !isOver)
    return { started_at: [], answered_at: happened, ended_at: [] }
  if (happened.length > 0 && (state === 'ended' || state === 'answered'))
    return { started_at: [], answered_at: [], ended_at: isLate ? [] : happened }
  const starts = [...started, ...happened].map((sign) => {
    const said = saidBy(sign, start)
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

export const isTalk = ({ key, value, leaf }: Sign) => talkName.test(key) && !notTalk.test(key) && isLength(value, leaf)
const isLength = (value: string, leaf: Leaf) =>
  durationIn(value, leaf.labels[0] ?? '') !== undefined && timeIn(value) === undefined

/** Talk times, then durations of which the name does not say whether ringing counts. */
export function lengthsIn(signs: readonly Sign[]): Sign[] {
  const others = signs.filter(
    ({ key, value, leaf }) =>
      lengthName.test(key) && !talkName.test(key) && !notTalk.test(key) && isLength(value, leaf),
  )
  return [...signs.filter(isTalk), ...others]
}

/** A duration that is much longer than the call is in milliseconds. */
export function inMilliseconds(said: Said, { started_at, ended_at }: Times): Said {
  const [start, end] = [started_at[0]?.value, ended_at[0]?.value].map((text) => Date.parse(timeIn(text ?? '') ?? ''))
  const length = durationIn(said.value, said.name) ?? 0
  return length > 1000 && length > (end! - start!) / 1000 + 60 ? { ...said, name: 'ms' } : said
}

const start = msg`Start of the call`
