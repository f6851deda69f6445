import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { phoneKey } from '../server/crm/contacts/contact.ts'
import type { FieldMatch } from '../server/intake/payload/contract.ts'
import type { LeadDraft } from '../server/intake/payload/lead-draft.ts'
import { type PayloadContent, readPayloadSync } from '../server/intake/payload/reading.ts'

/** The fields that recognition finds. */
export const judgedFields = ['name', 'email', 'phone', 'company', 'city', 'source', 'notes'] as const
export type JudgedField = (typeof judgedFields)[number]
export type Fields = Partial<Record<JudgedField, string>>

/** The remarks on a call are notes of the call, and not of the lead. */
type ReadFields = Fields & { remarks?: string[] }

/** A payload that a platform sends, with the fields that a careful person takes out of it. */
export type LabelledPayload = {
  platform: string
  /** The kind of platform: cross-validation leaves out one kind at a time. */
  family: string
  /** Where the shape comes from. */
  origin: string
  /** Tests read it: the sample has most keys and shapes of all payloads together. */
  sample?: true
  /** Held back: rules are not adjusted to it, and weights are not trained with it. */
  blind?: true
  payload: Record<string, unknown>
  /** The fields of one lead, or of each record of a batch; empty if no lead may come of it. */
  expected: Fields | Fields[]
}

/** Returns all labelled payloads, the sample and those held back among them. */
export function payloadCorpus(): LabelledPayload[] {
  const lines = gunzipSync(readFileSync(new URL('payload-corpus.jsonl.gz', import.meta.url)))
    .toString()
    .trimEnd()
  return lines.split('\n').map((line) => JSON.parse(line))
}

/** The payloads that tests read. */
export const samplePayloads: readonly LabelledPayload[] = payloadCorpus().filter(({ sample }) => sample)

type Judgement = {
  platform: string
  family: string
  field: JudgedField
  result: 'right' | 'wrong' | 'missed'
  want: string | undefined
  got: string | undefined
}

export type Judged = { fields: Judgement[]; rejected: string[]; invented: string[] }

/** Compares what is read, by default by the service without a mapping, with what is expected. */
export function judge(
  samples: readonly LabelledPayload[],
  readLeads: (payload: Record<string, unknown>) => ReadFields[] = leadsIn,
): Judged {
  const judged: Judged = { fields: [], rejected: [], invented: [] }
  for (const sample of samples) {
    const wanted = Array.isArray(sample.expected) ? sample.expected : [sample.expected]
    const leads = readLeads(sample.payload)
    for (let at = 0; at < Math.max(wanted.length, leads.length); at++) {
      const [want = {}, { remarks = [], ...read } = {}] = [wanted[at], leads[at]]
      const isRemark = read.notes === undefined && want.notes !== undefined && remarks.includes(want.notes.trim())
      const got = isRemark ? { ...read, notes: want.notes } : read
      const isLead = (fields: Fields) => fields.email !== undefined || fields.phone !== undefined
      if (isLead(want) && !isLead(got)) judged.rejected.push(sample.platform)
      if (!isLead(want) && isLead(got)) judged.invented.push(sample.platform)
      for (const field of judgedFields) {
        const result = resultOf(field, want[field]?.trim(), got[field])
        if (result)
          judged.fields.push({
            platform: sample.platform,
            family: sample.family,
            field,
            result,
            want: want[field],
            got: got[field],
          })
      }
    }
  }
  return judged
}

function resultOf(
  field: JudgedField,
  want: string | undefined,
  got: string | undefined,
): Judgement['result'] | undefined {
  if (want === got) return want === undefined ? undefined : 'right'
  if (field === 'phone' && want && got && phoneKey(want, 'IN') === phoneKey(got, 'IN')) return 'right'
  return got === undefined ? 'missed' : 'wrong'
}

/** Reads each record of a payload as the service does without a mapping, in an account in India. */
export function readRecords(payload: unknown): PayloadContent[] {
  const read = (body: string): PayloadContent => {
    const reading = readPayloadSync({
      body: Buffer.from(body),
      content_type: 'application/json',
      mapping: [],
      country: 'IN',
    })
    if ('problem' in reading) throw new Error(reading.problem)
    return reading
  }
  const whole = read(JSON.stringify(payload))
  return whole.records?.map(read) ?? [whole]
}

const leadsIn = (payload: unknown): ReadFields[] =>
  readRecords(payload).map(({ is_own, reading, call }) =>
    is_own ? {} : { ...fieldsOf(reading), remarks: call?.notes?.split('\n') ?? [] },
  )

/** Without a name that was taken from the email or phone. */
function fieldsOf({ lead, picks }: { lead: LeadDraft; picks: FieldMatch[] }): Fields {
  const isStated = picks.some(({ field }) => field === 'name' || field === 'first_name' || field === 'last_name')
  return Object.fromEntries(
    judgedFields
      .filter((field) => (field !== 'name' || isStated) && lead[field] !== undefined)
      .map((field) => [field, lead[field]!.trim()]),
  )
}
