import type { CountryCode } from 'libphonenumber-js/max'
import { phoneKey } from '../../crm/contacts/contact.ts'
import { phoneIn } from '../../crm/contacts/parse-contact.ts'
import type { EnquiryDraft } from '../../crm/enquiries/enquiry.ts'
import type { Language } from '../../platform/languages/contract.ts'
import type { CallEvent } from '../../telephony/calls/call-event.ts'
import type { CallNumbers } from './call/find-call.ts'
import { noCall, readCall } from './call/read-call.ts'
import type { FieldMatch, LeadTarget, MappedField, Warning } from './contract.ts'
import { enquiryOfPayload, type ReadPart } from './enquiry/enquiry-of-payload.ts'
import { partNamed, questionIn } from './enquiry/part-of-value.ts'
import { LeadBuilder, shortMatch, toLeadField } from './lead-builder.ts'
import type { LeadDraft } from './lead-draft.ts'
import { type EntryToRead, manualMatches, placesOf } from './manual-mapping.ts'
import { pathText } from './path.ts'
import { rawControls } from './read-json.ts'
import { recognise } from './recognition/recognise.ts'
import { type Known, readSender } from './senders/read-sender.ts'
import { statedMatches } from './stated-fields.ts'
import { type Leaf, readLeaves } from './structure/leaves.ts'
import { Opener } from './structure/open-value.ts'
import { isWordAndSurname, lastDigits } from './structure/values.ts'

export type Reading = {
  lead: LeadDraft
  /** Why each field has its value. A name taken from the email or phone has no match. */
  picks: FieldMatch[]
  warnings: Warning[]
  /** The paths of values that were not used. */
  unmapped: string[]
  /** The mapped paths that the payload does not have. */
  absent: string[]
  /** What else the person sent. */
  enquiry: EnquiryDraft
  /** What it was read from. */
  parts: ReadPart[]
}

const maxUnmapped = 200
/** A longer one belongs to no form. */
const maxPathLength = 300

interface Options {
  mapping: EntryToRead[]
  country: CountryCode
  /** Numbers of the business. */
  own?: readonly string[] | undefined
  cut?: boolean
  sender?: Known | undefined
  /** The row of a file, which is no event of a call. */
  isRow?: boolean
  /** The language of the reasons. */
  language?: Language | undefined
}

/**
 * Reads a lead from a payload: by the manual mapping first, then by what is known of its sender, then by recognition for
 * fields that have no usable value; and the call, if it is an event of one.
 */
export function mapPayload(
  payload: Record<string, unknown>,
  { mapping, country, own, cut = false, sender, isRow = false, language }: Options,
): Reading & { call: CallEvent | null; is_withheld: boolean; numbers: CallNumbers } {
  const { leaves: all, all: leaves, cut: more, hasRawControls } = readLeaves(payload)
  const declared = sender ? readSender(sender, payload, leaves, language) : { mapping: [], outside: [] }
  const { call, ...ofCall } = isRow ? noCall : readCall(payload, all, { mapping, sender, own, language })
  const entries = [...mapping, ...declared.mapping, ...ofCall.customer].filter(
    ({ field, path }) => field !== 'phone' || !ofCall.withheld.has(path),
  )
  const manual = manualMatches(payload, entries, leaves, country)
  const isWithheld = ofCall.withheld.size > 0 && !manual.picks.some(({ field }) => field === 'phone')
  // What a person consents to is no message.
  const consents = all.filter(
    ({ labels, around, value }) => partNamed({ question: questionIn(labels) ?? '', around, value }) === 'consent',
  )
  const taken = new Set([...manual.taken, ...declared.outside, ...ofCall.taken, ...consents])
  const readable = sender?.shape.is || isWithheld ? [] : all
  const { found, invalid } = recognise(readable, country, { ...manual, taken }, language)
  const settled = new Set(manual.picks.map(({ field }) => field as LeadTarget))
  const chosen = found.filter(({ field }) => !isSettled(field, settled))
  const matches = chosen.map(
    ({ field, leaf, value, reason, confidence }): FieldMatch => ({
      field,
      path: pathText(leaf.path),
      value,
      reason,
      by: 'recognised',
      confidence,
    }),
  )
  const recognised = matches.filter(({ confidence }) => confidence !== 'suggested')
  const suggested = matches.filter(({ confidence }) => confidence === 'suggested')
  const callPaths = new Set(ofCall.picks.map(({ path }) => path))
  // The status of a call is not that of its lead.
  const stated = statedMatches(payload, language).filter(
    ({ field, path }) => !settled.has(field) && !manual.decides(field, path) && !callPaths.has(path),
  )
  const surnames = manual.placeholders.filter((one) => isSurnameBeside(one, [...manual.picks, ...recognised]))
  const values = [...manual.picks, ...surnames, ...recognised, ...stated]
  const given = new Set(values.map(({ field }) => toLeadField(field)))
  const placeholders = manual.placeholders.filter(
    ({ field, by }) => by !== 'recognised' && !given.has(toLeadField(field)),
  )
  const builder = new LeadBuilder([...values, ...placeholders])
  const recognisedPaths = new Set(values.filter(({ by }) => by === 'recognised').map(({ path }) => path))
  for (const { field, value, path, leaf, bySender } of manual.unusable) {
    // A value that was used for another field is not lost.
    if (leaf && recognisedPaths.has(pathText(leaf.path))) continue
    const isSpare = field === 'other_contacts' || builder.lead[field] || values.some((one) => one.value === value)
    if (bySender && (isSpare || call)) continue
    builder.rejectValue(field, value, path)
  }
  builder.noteInvalidContacts(
    invalid
      .filter(({ field }) => !builder.lead[field])
      .filter(({ field, leaf }) => !manual.unusable.some((one) => one.field === field && one.leaf === leaf))
      .map(({ field, leaf }) => ({ field, value: leaf.value })),
  )
  builder.addNameFromContact(call ? country : undefined)
  for (const kind of ['phone', 'email'] as const) {
    const match = builder.matches.find(({ field }) => field === kind)
    const sent = all.find(({ path }) => pathText(path) === match?.path)
    if (sent) builder.addOthersIn({ kind, value: sent.value }, country)
  }
  const { lead } = builder
  // Where no name says the direction, the number that was chosen does.
  if (call && lead.phone && ofCall.called.has(lastDigits(lead.phone))) call.direction ??= 'Outbound'
  const picks = [...builder.matches, ...suggested.map(shortMatch), ...ofCall.picks.map(shortMatch)]
  const warnings = [...(hasRawControls ? [rawControls] : []), ...builder.warnings, ...ofCall.warnings]
  const used = new Set(picks.map(({ path }) => path))
  const free = all.filter((leaf) => !manual.taken.has(leaf)).map((leaf) => pathText(leaf.path))
  const unmapped = [...new Set(free)]
    // The only item of a list may be read by the path of the list.
    .filter((path) => !used.has(path) && !used.has(path.replace(/\[0\]$/, '')) && path.length <= maxPathLength)
    .slice(0, maxUnmapped)
  const absent = [...manual.absent, ...ofCall.absent]
  const decided = new Map<Leaf, MappedField>([
    ...(callPaths.size > 0 ? all : []).flatMap((leaf) =>
      callPaths.has(pathText(leaf.path)) ? [[leaf, 'call_notes'] as const] : [],
    ),
    ...manual.decided,
    ...chosen.flatMap(({ leaf, field, confidence }) => (confidence === 'suggested' ? [] : [[leaf, field] as const])),
    ...invalid.map(({ leaf, field }) => [leaf, field] as const),
    ...all.flatMap((leaf) => statedIn(leaf, stated, builder.matches)),
  ])
  for (const { field, leaf } of manual.unusable)
    if (leaf && field !== 'email' && field !== 'phone') decided.delete(leaf)
  const outside = new Set(declared.outside)
  const { enquiry, parts } = enquiryOfPayload(payload, leaves, {
    lead,
    decided,
    places:
      manual.places.size > 0 ? manual.places : placesOf(payload, sender?.shape.enquiry ? leaves : [], new Opener()),
    shape: sender?.shape,
    outside,
    isCall: call !== null,
  })
  return {
    lead,
    call,
    is_withheld: isWithheld,
    numbers: numbersOf(ofCall.numbers, lead.phone, country),
    enquiry,
    parts,
    picks,
    warnings: cut || more ? [...warnings, tooMuch] : warnings,
    unmapped,
    absent,
  }
}

/** Returns the numbers in E.164. `phone`: the lead's, without which none is known to be the business's. */
function numbersOf({ own, guessed }: CallNumbers, phone: string | undefined, country: CountryCode): CallNumbers {
  const phones = (all: string[]) => all.flatMap((number) => phoneIn(number) ?? [])
  const keysOf = (all: string[]) => [...new Set(phones(all).flatMap((number) => phoneKey(number, country) ?? []))]
  const others = own.filter((number) => phone !== undefined && lastDigits(number) !== lastDigits(phone))
  return { own: keysOf(others), guessed: keysOf(guessed) }
}

/** The field that takes a value by its exact name, if the lead has it from there. */
function statedIn(leaf: Leaf, stated: readonly FieldMatch[], matches: readonly FieldMatch[]) {
  const key = String(leaf.path[0])
  const match = stated.find(({ path }) => key === path || key.startsWith(`${path}[`))
  return match && matches.some(({ path }) => path === match.path) ? [[leaf, match.field] as const] : []
}

/** Whether it is a surname such as Null, which alone is a placeholder. */
const isSurnameBeside = ({ field, value }: FieldMatch, values: readonly FieldMatch[]) =>
  field === 'last_name' &&
  isWordAndSurname(value.trim()) &&
  values.some((one) => one.field === 'first_name' || (one.field === 'name' && !/\s/.test(one.value.trim())))

/** Beside a part of a name that is mapped by hand, recognition may only add the other part. */
function isSettled(field: LeadTarget, settled: ReadonlySet<LeadTarget>): boolean {
  if (toLeadField(field) !== 'name') return settled.has(field)
  const hasPart = settled.has('first_name') || settled.has('last_name')
  return settled.has('name') || settled.has(field) || (field === 'name' && hasPart)
}

const tooMuch = { field: 'payload', message: 'has more values than are read; the last were left out' }
