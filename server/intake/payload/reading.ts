import type { CountryCode } from 'libphonenumber-js/max'
import type { EnquiryDraft } from '../../crm/enquiries/enquiry.ts'
import type { Language } from '../../platform/languages/contract.ts'
import type { CallEvent } from '../../telephony/calls/call-event.ts'
import { boundPayload } from './bound-payload.ts'
import type { CallNumbers } from './call/find-call.ts'
import type { DeliveryPreview, FieldMatch } from './contract.ts'
import { enquiryOfPayload } from './enquiry/enquiry-of-payload.ts'
import { type Event, readEvent } from './event.ts'
import { withWarnings } from './fit-lead.ts'
import type { LeadDraft } from './lead-draft.ts'
import { type EntryToRead, matchOrigin, placeOf } from './manual-mapping.ts'
import { mapPayload, type Reading } from './map-payload.ts'
import { pathText } from './path.ts'
import { findPlatformId, hashContent, isOwnMessage, isTest } from './platform-marks.ts'
import { readBody } from './read-body.ts'
import { recordsIn } from './records.ts'
import { findSender } from './senders/read-sender.ts'
import { followPath } from './structure/follow-path.ts'
import { type Leaf, readLeaves } from './structure/leaves.ts'
import { Opener } from './structure/open-value.ts'

/** Everything here can be sent to a worker thread and back. */
export interface PayloadInput {
  body: Uint8Array
  content_type: string | null
  mapping: EntryToRead[]
  country: CountryCode
  /** Numbers of the business, among those of a call. */
  own?: string[]
  /** Adds every value of the payload, for the mapping editor. */
  withValues?: boolean
  language?: Language | undefined
}

/** All that the service needs to know of a payload. A problem is a sentence without its full stop. */
export type PayloadReading = { problem: string } | PayloadContent

export interface PayloadContent {
  reading: Reading
  platform_id: string | null
  /** The folder of its sender, if it is known. */
  sender: string | null
  /** Covers the content, without what a platform changes when it repeats a delivery. */
  content_hash: string
  is_test: boolean
  /** The business itself sent the message. */
  is_own: boolean
  /** Set if the payload has no lead field. */
  event: Event | null
  /** Set if it is an event of a call, with a lead or without. */
  call: CallEvent | null
  /** The caller withholds the number, so the call makes no lead. */
  is_withheld: boolean
  /** In E.164. */
  numbers: CallNumbers
  values: DeliveryPreview['values']
  /** The bodies of its records where it is a batch; then all else is of the first. */
  records: string[] | null
}

/** Reads a body. Synchronous: callers use `readPayload`, which does not block the event loop. */
export function readPayloadSync({ body, content_type, withValues, ...settings }: PayloadInput): PayloadReading {
  const read = readBody(body, content_type ?? undefined)
  if ('problem' in read) return read
  const paths = settings.mapping.map(({ path }) => path)
  const records = recordsIn(read.payload, settings.country, read.isList === true)
  const bodies = records?.map((record) => JSON.stringify(record))
  const { payload, cut } = boundPayload(records?.[0] ?? read.payload, paths)
  const sender = findSender(payload)
  const { call, is_withheld, numbers, ...mapped } = mapPayload(payload, { ...settings, sender, cut: cut || read.cut })
  const reading = { ...mapped, warnings: withWarnings(read.warnings ?? [], mapped.warnings) }
  return {
    reading,
    platform_id: findPlatformId(payload),
    sender: sender?.folder ?? null,
    content_hash: hashContent(payload),
    is_test: isTest(payload),
    is_own: sender?.shape.is === 'own' || isOwnMessage(payload),
    event: readEvent(payload, reading, { ...settings, isKnown: sender?.shape.is !== undefined, isCall: call !== null }),
    call,
    is_withheld,
    numbers,
    values: withValues ? valuesOf(payload, reading, settings.mapping) : [],
    records: bodies && bodies.length > 1 ? bodies : null,
  }
}

/** The fields of a body that are no lead fields, and the lead that they come with. */
export interface OtherFields {
  fields: Record<string, unknown>
  lead: LeadDraft
}

/** Reads the enquiry of fields that no lead field takes. */
export function readOtherFieldsSync({ fields, lead }: OtherFields): EnquiryDraft {
  const { payload } = boundPayload(fields, [])
  const none = { decided: new Map(), places: new Map(), shape: undefined, outside: new Set<Leaf>(), isCall: false }
  return enquiryOfPayload(payload, readLeaves(payload).all, { lead, ...none }).enquiry
}

/** Returns as much of the payload as a page can show; null if it cannot be read. */
export function showPayloadSync({ body, content_type }: Pick<PayloadInput, 'body' | 'content_type'>) {
  const read = readBody(body, content_type ?? undefined)
  return 'payload' in read ? boundPayload(read.payload, [], shown).payload : null
}

const shown = { nodes: 5000, text: 5000 }

/** Returns all values with their fields. A path may be written in several ways, so places are compared. */
function valuesOf(
  payload: Record<string, unknown>,
  { picks, parts }: Reading,
  mapping: EntryToRead[],
): DeliveryPreview['values'] {
  const opener = new Opener()
  const matchAt = new Map<string, FieldMatch>()
  const partAt = new Map(parts.map(({ path, part }) => [path, part]))
  const ignored = mapping.filter(({ field }) => field === 'ignore')
  const ignoring = ignored.map(
    ({ path, reason }): FieldMatch => ({
      field: 'ignore',
      path,
      value: '',
      ...matchOrigin(reason, 'Ignored manually'),
    }),
  )
  for (const match of [...picks, ...ignoring]) {
    const at = placeOf(payload, match.path, opener)?.at
    if (at !== undefined && !matchAt.has(at)) matchAt.set(at, match)
  }
  const values: DeliveryPreview['values'] = []
  let room = maxShown
  for (const { path, value } of readLeaves(payload).all) {
    const match = matchAt.get(followPath(payload, path, opener)?.at ?? '')
    const { field = null, by = null, reason = null, confidence = null } = match ?? {}
    const text = pathText(path)
    const short = value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value
    room -= short.length + 2 * text.length
    if (room < 0) break
    values.push({
      path: text,
      segments: [...path],
      value: short,
      field,
      by,
      reason,
      confidence,
      part: partAt.get(text) ?? null,
    })
  }
  return values
}

/** In characters. A longer list cannot be read by people. */
const [maxShownLength, maxShown] = [2000, 500_000]
