import { readFileSync } from 'node:fs'
import { phoneKey } from '../server/crm/contacts/contact.ts'
import { readPayloadSync } from '../server/intake/payload/reading.ts'
import type { CallEvent } from '../server/telephony/calls/call-event.ts'
import { callOf, joinEvents } from '../server/telephony/calls/join-events.ts'

/**
 * How right events of calls are read of systems that nothing is declared for: `npm run bench -- calls`. The payloads and what is expected of
 * them were written by somebody who did not know the reader.
 */

type Field =
  | 'phone'
  | 'agent'
  | 'duration_seconds'
  | keyof Omit<CallEvent, 'talk_seconds' | 'agents' | 'notes' | 'answered_at' | 'ended_at'>

interface LabelledCall {
  system: string
  payload: Record<string, unknown>
  expected: {
    phone: string | null
    call: Record<Exclude<Field, 'phone'>, string | number | null>
    call_log?: { call_type: string; outcome: string; duration_seconds: number } | null
  }
  /** Fields in which a careful reader may differ. They are not judged. */
  ambiguous?: string[]
}

const readLines = <Line>(file: string): Line[] =>
  readFileSync(new URL(`../test/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

function read(payload: Record<string, unknown>) {
  const body = Buffer.from(JSON.stringify(payload))
  const content = readPayloadSync({ body, content_type: 'application/json', mapping: [], country: 'IN' })
  if ('problem' in content) throw new Error(content.problem)
  return { call: content.call, phone: content.reading.lead.phone ?? null }
}

const compared = (value: unknown) =>
  value === null || value === undefined || value === 0
    ? null
    : (phoneKey(String(value), 'IN') ?? String(value).toLowerCase())

function judgeOne({ system, payload, expected, ambiguous = [] }: LabelledCall) {
  const { call, phone } = read(payload)
  const agents = new Set(call?.agents.map(compared))
  const agent = compared(expected.call.agent)
  const got: Record<string, unknown> = { phone, ...call, duration_seconds: call?.talk_seconds }
  got.agent = agents.has(agent) ? expected.call.agent : (call?.agents[0] ?? null)
  const wanted: Record<string, unknown> = { phone: expected.phone, ...expected.call }
  if (expected.call_log) {
    const log = call && callOf(joinEvents({}, call), '2026-11-28T00:00:00Z')
    for (const [field, value] of Object.entries(expected.call_log)) {
      wanted[`log: ${field}`] = value
      got[`log: ${field}`] = log?.[field as keyof typeof log]
    }
  }
  return Object.entries(wanted)
    .filter(([field]) => !ambiguous.includes(field.replace('log: ', '')))
    .map(([field, want]) => {
      const [one, other] = [compared(want), compared(got[field])]
      const result = one === other ? 'right' : other === null ? 'missed' : 'wrong'
      return { system, field, want, got: got[field] ?? null, result, isCall: call !== null }
    })
}

const judged = readLines<LabelledCall>('unseen-calls.jsonl').map(judgeOne)
const fields = judged.flat()
console.log(`${judged.length} events of calls, ${judged.filter(([first]) => first!.isCall).length} known as such`)
for (const [field, all] of Map.groupBy(fields, ({ field }) => field)) {
  const counted = ['right', 'wrong', 'missed'].map((result) => all.filter((one) => one.result === result).length)
  console.log(field.padEnd(24), ...counted.map((n) => String(n).padStart(5)))
}
for (const { system, field, want, got, result } of fields)
  if (result !== 'right')
    console.log(`  ${result} ${system} ${field}: ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`)

const others = readLines<{ system: string; payload: Record<string, unknown> }>('no-calls.jsonl')
const taken = others.filter(({ payload }) => read(payload).call !== null)
console.log(
  `${others.length} other payloads, ${taken.length} taken for calls: ${taken.map(({ system }) => system).join(', ')}`,
)
