import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { MappingEntry } from './contract.ts'
import type { Reading } from './map-payload.ts'
import { placeOf } from './owner-mapping.ts'
import { type Path, pathText } from './path.ts'
import { type Leaf, leavesOf } from './recognition/leaves.ts'
import { Opener } from './recognition/open-value.ts'
import { mailboxIn, phoneIn } from './recognition/values.ts'

/** What a payload without a person is: a ping, a status event, a handshake. */
export interface Event {
  /** What the platform wants to have back; null where it asks for nothing. */
  challenge: string | null
  /** It holds what may be a phone or an email: the owner should look. */
  has_contact: boolean
}

/** Null where the payload holds a lead field: then it is a lead, or is rejected. */
export function eventOf(
  payload: Record<string, unknown>,
  { picks, warnings, lead }: Pick<Reading, 'picks' | 'warnings' | 'lead'>,
  { mapping, country }: { mapping: MappingEntry[]; country: CountryCode },
): Event | null {
  if (lead.email !== undefined || lead.phone !== undefined) return null
  if (warnings.some(({ field }) => field === 'email' || field === 'phone')) return null
  const counting = leadFieldsOf(payload)
  if (picks.some(({ field, by }) => by === 'owner' || counting.has(field))) return null
  // Mapped and there, though empty: this is what the owner takes for a lead.
  const opener = new Opener()
  if (mapping.some(({ path, field }) => field !== 'ignore' && placeOf(payload, path, opener))) return null
  const ignored = new Set(mapping.filter(({ field }) => field === 'ignore').map(({ path }) => path))
  return { challenge: challengeOf(payload), has_contact: hasContact(payload, country, ignored) }
}

/** A status, a source, a tag or an amount alone is said by any event, and speaks of no lead. */
const everywhere = new Set(['name', 'first_name', 'last_name', 'company', 'city', 'notes'])
/** An event has texts of its own, which are no enquiry. */
const inEvents = new Set(['name', 'first_name', 'last_name'])
const inPings = new Set<string>()

function leadFieldsOf(payload: Record<string, unknown>): Set<string> {
  let kinds = everywhere
  for (const [key, value] of Object.entries(payload)) {
    if (typeof value !== 'string' || !eventKeys.has(key.toLowerCase().replace(/[^a-z]/g, ''))) continue
    if (/^(ping|test|handshake|(url|endpoint|webhook)?[._ -]?(verification|validation|test|ping))$/i.test(value))
      return inPings
    kinds = inEvents
  }
  return kinds
}

const eventKeys = new Set(['event', 'eventtype', 'eventname', 'type', 'topic', 'object', 'webhookevent'])

function challengeOf({ challenge }: Record<string, unknown>): string | null {
  return isChallenge(challenge) ? challenge : null
}

/** Short and printable: whatever is sent back is harmless as text. */
export function isChallenge(text: unknown): text is string {
  return typeof text === 'string' && /^[\x20-\x7e]{1,1000}$/.test(text)
}

const mostLooked = 300

function hasContact(payload: Record<string, unknown>, country: CountryCode, ignored: ReadonlySet<string>): boolean {
  return leavesOf(payload)
    .filter(({ path, value }) => value.length <= 320 && !isReceipt(path) && !ignored.has(pathText(path)))
    .slice(0, mostLooked)
    .some((leaf) => mailboxIn(leaf.value) !== undefined || isNumber(leaf, country))
}

/** WhatsApp tells what became of the firm's own messages, thousands a day: those numbers are known. */
const isReceipt = (path: Path) => path.some((step) => step === 'statuses' || step === 'display_phone_number')

/** A number that some country's plan has. An id that is one by chance has a name that says so. */
function isNumber({ value, labels }: Leaf, country: CountryCode): boolean {
  if (/(^|[_ .-])(id|ids|uuid|time|timestamp|ts|at|hash|amount)$|Id$/.test(labels[0] ?? '')) return false
  const number = phoneIn(value)
  return number !== undefined && parsePhoneNumberFromString(number, country)?.isValid() === true
}
