import type { CountryCode } from 'libphonenumber-js/max'
import { type LeadField, leadFields } from '../leads/contract.ts'
import type { MappedField } from './contract.ts'
import { fitTags, fitText, isFitted } from './fit-lead.ts'
import { fieldReaders, type LeadDraft, lines } from './lead-draft.ts'
import { ownerPicks } from './owner-mapping.ts'
import { type Path, pathText } from './path.ts'
import { isOwnMessage } from './platform-marks.ts'
import { readLeaves } from './recognition/leaves.ts'
import { recognise } from './recognition/recognise.ts'
import { statedPicks } from './stated-fields.ts'

/** By the owner's hand: what stands at `path` is `field`. */
export type MappingEntry = { path: string; field: MappedField }

export type Pick = { field: MappedField; path: string; value: string; reason: string; by: 'owner' | 'recognised' }
export type Warning = { field: string; message: string }

export type Reading = {
  lead: LeadDraft
  /** Why each field holds what it holds. A name taken from the email or phone has no pick. */
  picks: Pick[]
  warnings: Warning[]
  /** The paths of values nobody took. */
  unmapped: string[]
  /** The mapped paths that the payload does not have. */
  absent: string[]
}

const mostUnmapped = 200
/** A longer one belongs to no form. */
const longestPath = 300

/**
 * What a payload says of a lead: the owner's mapping first, recognition for the fields nobody mapped and for those whose
 * mapped paths hold nothing usable.
 */
export function mapPayload(
  payload: Record<string, unknown>,
  { mapping, country, cut = false }: { mapping: MappingEntry[]; country: CountryCode; cut?: boolean },
): Reading {
  const { leaves: all, cut: more } = readLeaves(payload)
  const owner = ownerPicks(payload, mapping, all, country)
  const { found, impossible } = recognise(all, country, owner)
  const settled = new Set(owner.picks.map(({ field }) => field))
  const own = isOwnMessage(payload)
  const chosen = found
    .filter(({ field }) => !isSettled(field, settled))
    .filter(({ field, leaf }) => !own || !isSenders(leadFieldOf(field), leaf.path))
  const recognised = chosen.map(
    ({ field, leaf, value, reason }): Pick => ({ field, path: pathText(leaf.path), value, reason, by: 'recognised' }),
  )
  const stated = statedPicks(payload).filter(({ field, path }) => !settled.has(field) && !owner.decides(field, path))
  const values = [...owner.picks, ...recognised, ...stated]
  const given = new Set(values.map(({ field }) => leadFieldOf(field)))
  const reading = written([...values, ...owner.placeholders.filter(({ field }) => !given.has(leadFieldOf(field)))])
  const recognisedLeaves = new Set(chosen.map(({ leaf }) => leaf))
  for (const { field, value, path, leaf } of owner.unusable) {
    // What is taken for another field is not lost.
    if (!leaf || !recognisedLeaves.has(leaf)) refuse(reading, field, value, path)
  }
  keepImpossible(
    reading,
    impossible
      .filter(({ field }) => !reading.lead[field])
      .filter(({ field, leaf }) => !owner.unusable.some((one) => one.field === field && one.leaf === leaf))
      .map(({ field, leaf }) => ({ field, value: leaf.value })),
  )
  giveName(reading)
  reading.warnings = reading.warnings.slice(0, mostWarnings)
  if (cut || more) reading.warnings.push(tooMuch)
  const taken = new Set(reading.picks.map(({ path }) => path))
  const free = all.filter((leaf) => !owner.taken.has(leaf)).map((leaf) => pathText(leaf.path))
  const unmapped = [...new Set(free)]
    .filter((path) => !taken.has(path) && path.length <= longestPath)
    .slice(0, mostUnmapped)
  return { ...reading, unmapped, absent: owner.absent }
}

/** Beside a part of a name that the owner mapped, recognition may only add the other part. */
function isSettled(field: MappedField, settled: ReadonlySet<MappedField>): boolean {
  if (leadFieldOf(field) !== 'name') return settled.has(field)
  const hasPart = settled.has('first_name') || settled.has('last_name')
  return settled.has('name') || settled.has(field) || (field === 'name' && hasPart)
}

const tooMuch = { field: 'payload', message: 'has more values than are read; the last were left out' }

/** The lead that values make whose fields are all known, as in a file's row. */
export function leadOfPicks(picks: Pick[]): { lead: LeadDraft; warnings: Warning[] } {
  const { lead, warnings, ...more } = written(picks)
  const reading = { lead, warnings, ...more }
  giveName(reading)
  return { lead, warnings: warnings.slice(0, mostWarnings) }
}

/** Of a message: its words, its sender's name, and the number that it came from. */
function isSenders(field: MappedField, path: Path): boolean {
  return field === 'notes' || field === 'name' || /^(from|sender)/i.test(String(path.at(-1)))
}

/** The lead field that a mapped field is written to. */
export function leadFieldOf(field: MappedField): LeadField | 'ignore' {
  return field === 'first_name' || field === 'last_name' ? 'name' : field
}

const longestShown = 1000
const mostWarnings = 100

type Written = Omit<Reading, 'unmapped' | 'absent'>

function written(picks: Pick[]): Written {
  const written: Written = { lead: {}, picks: [], warnings: [] }
  const parts: { name?: string; first_name?: string; last_name?: string } = {}
  for (const pick of picks) {
    const { field } = pick
    if (field === 'ignore') continue
    if (field === 'name' || field === 'first_name' || field === 'last_name') {
      const part = fieldReaders.name(pick.value)
      if (part === undefined || parts[field] !== undefined) continue
      parts[field] = part
    } else if (!write(written, field, pick)) continue
    // The lead holds the value; here it is shown.
    written.picks.push({ ...pick, value: pick.value.slice(0, longestShown) })
  }
  const name = fullName(parts)
  if (name) written.lead.name = fitText(written.warnings, 'name', name)
  return written
}

function fullName({ name, first_name, last_name }: { name?: string; first_name?: string; last_name?: string }) {
  const missing = (part: string | undefined) => part && !name?.toLowerCase().includes(part.toLowerCase())
  const parts = name
    ? [missing(first_name) && first_name, name, missing(last_name) && last_name]
    : [first_name, last_name]
  return fieldReaders.name(parts.filter(Boolean).join(' '))
}

function write(written: Written, field: LeadField, { value, path }: Pick): boolean {
  const { lead, warnings } = written
  const read = fieldReaders[field](value)
  if (read === undefined) {
    if (value.trim() !== '') refuse(written, field, value, path)
    return false
  }
  if (field === 'tags') lead.tags = fitTags(warnings, [...(lead.tags ?? []), ...(read as string[])])
  else if (field === 'notes' && lead.notes) lead.notes = fitText(warnings, 'notes', `${lead.notes}\n${read}`)
  else if (lead[field] !== undefined) return false
  else Object.assign(lead, { [field]: isFitted(field) ? fitText(warnings, field, String(read)) : read })
  return true
}

const wanted: Partial<Record<LeadField, string>> = {
  status: 'is no status',
  priority: 'is no priority',
  deal_value: 'is no amount',
  assigned_to: 'is no email address of a user',
}

function refuse(written: Written, field: LeadField, value: string, path: string): void {
  if (field === 'email' || field === 'phone') keepImpossible(written, [{ field, value }])
  else written.warnings.push({ field, message: `“${shown(value)}” at ${path} ${wanted[field] ?? 'cannot be read'}` })
}

function shown(text: string): string {
  const short = lines(text)?.replace(/\s+/g, ' ') ?? ''
  return short.length > 80 ? `${short.slice(0, 80).toWellFormed()}…` : short
}

/** A contact that cannot be one does not cost the lead: it is kept in the notes, for a person to read. */
function keepImpossible({ lead, warnings }: Written, contacts: { field: 'email' | 'phone'; value: string }[]) {
  const notes = contacts.map(({ field, value: sent }) => {
    const value = shown(sent)
    warnings.push({
      field,
      message: `“${value}” is no possible ${field === 'email' ? 'email address' : 'phone number'}; it is kept in the notes`,
    })
    return `${field === 'email' ? 'Email' : 'Phone'} as sent: ${value}`
  })
  if (notes.length === 0) return
  const added = notes.join('\n')
  // What was said before makes room for them.
  const before = fitText(warnings, 'notes', lead.notes ?? '', leadFields.notes.longest - added.length - 1)
  lead.notes = before ? `${before}\n${added}` : added
}

function giveName({ lead, warnings }: Written): void {
  const contact = lead.email ?? lead.phone
  if (lead.name || !contact) return
  lead.name = contact.slice(0, 200)
  warnings.push({ field: 'name', message: `No name was sent; it is taken from the ${lead.email ? 'email' : 'phone'}` })
}
