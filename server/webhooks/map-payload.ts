import type { CountryCode } from 'libphonenumber-js/max'
import type { MappedField } from './contract.ts'
import { type FittedField, fitTags, fitText, longest } from './fit-lead.ts'
import { fieldReaders, type LeadDraft, type LeadField, lines } from './lead-draft.ts'
import { ownerPicks } from './owner-mapping.ts'
import { type Path, pathText } from './path.ts'
import { isOwnMessage } from './platform-marks.ts'
import { readLeaves } from './recognition/leaves.ts'
import { type Impossible, recognise } from './recognition/recognise.ts'
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
}

const mostUnmapped = 200

/** What a payload says of a lead: the owner's mapping first, recognition for the fields nobody mapped (D18). */
export function mapPayload(
  payload: Record<string, unknown>,
  { mapping, country, cut = false }: { mapping: MappingEntry[]; country: CountryCode; cut?: boolean },
): Reading {
  const { leaves: all, cut: more } = readLeaves(payload)
  const owner = ownerPicks(payload, mapping, all, country)
  const { found, impossible } = recognise(all, country, owner)
  const mapped = new Set(mapping.map(({ field }) => leadFieldOf(field)))
  const own = isOwnMessage(payload)
  const recognised = found
    .filter(({ field }) => !mapped.has(leadFieldOf(field)))
    .filter(({ field, leaf }) => !own || !isSenders(leadFieldOf(field), leaf.path))
    .map(
      ({ field, leaf, value, reason }): Pick => ({ field, path: pathText(leaf.path), value, reason, by: 'recognised' }),
    )
  const stated = statedPicks(payload).filter(({ field, path }) => !mapped.has(field) && !owner.ignores(path))
  const reading = written([...owner.picks, ...recognised, ...stated])
  keepImpossible(
    reading,
    impossible.filter(({ field }) => !mapped.has(field) && !reading.lead[field]),
  )
  giveName(reading)
  if (cut || more) reading.warnings.push(tooMuch)
  const taken = new Set(reading.picks.map(({ path }) => path))
  const free = all.filter((leaf) => !owner.taken.has(leaf)).map((leaf) => pathText(leaf.path))
  return { ...reading, unmapped: [...new Set(free)].filter((path) => !taken.has(path)).slice(0, mostUnmapped) }
}

const tooMuch = { field: 'payload', message: 'has more values than are read; the last were left out' }

/** Of a message: its words, its sender's name, and the number that it came from. */
function isSenders(field: MappedField, path: Path): boolean {
  return field === 'notes' || field === 'name' || /^(from|sender)/i.test(String(path.at(-1)))
}

function leadFieldOf(field: MappedField): MappedField {
  return field === 'first_name' || field === 'last_name' ? 'name' : field
}

type Written = Omit<Reading, 'unmapped'>

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
    written.picks.push(pick)
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

const isFitted = (field: LeadField): field is FittedField => field in longest

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
function keepImpossible(
  { lead, warnings }: Written,
  contacts: (Impossible | { field: 'email' | 'phone'; value: string })[],
) {
  const notes = contacts.map((contact) => {
    const { field } = contact
    const value = shown('leaf' in contact ? contact.leaf.value : contact.value)
    warnings.push({
      field,
      message: `“${value}” is no possible ${field === 'email' ? 'email address' : 'phone number'}; it is kept in the notes`,
    })
    return `${field === 'email' ? 'Email' : 'Phone'} as sent: ${value}`
  })
  if (notes.length === 0) return
  const added = notes.join('\n')
  // What was said before makes room for them.
  const before = fitText(warnings, 'notes', lead.notes ?? '', longest.notes - added.length - 1)
  lead.notes = before ? `${before}\n${added}` : added
}

function giveName({ lead, warnings }: Written): void {
  const contact = lead.email ?? lead.phone
  if (lead.name || !contact) return
  lead.name = contact.slice(0, 200)
  warnings.push({ field: 'name', message: `No name was sent; it is taken from the ${lead.email ? 'email' : 'phone'}` })
}
