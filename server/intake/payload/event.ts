import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { mailboxIn, phoneIn } from '../../crm/contacts/parse-contact.ts'
import { isChallenge } from './challenge.ts'
import { type FieldMatch, isInvalidContact, isUncertain } from './contract.ts'
import { toLeadField } from './lead-builder.ts'
import { hasContact } from './lead-draft.ts'
import { type EntryToRead, placeOf } from './manual-mapping.ts'
import type { Reading } from './map-payload.ts'
import { isNotice } from './notice.ts'
import { type Path, pathText } from './path.ts'
import { type Leaf, leavesOf } from './structure/leaves.ts'
import { isEntries, Opener } from './structure/open-value.ts'

/** A payload without any lead field: a ping, a status event, a handshake. */
export interface Event {
  /** The text that the platform expects in the answer, or null. */
  challenge: string | null
  /** The token that Zoom expects signed, or null. */
  plain_token: string | null
  /** It contains a possible phone or email: an Admin should look at it. */
  has_contact: boolean
}

interface EventOptions {
  mapping: EntryToRead[]
  country: CountryCode
  isKnown?: boolean
  isCall?: boolean
}

/** Returns null if the payload has a lead field: then it is a lead, or is rejected. `isKnown`: its sender says that it is no lead. */
export function readEvent(
  payload: Record<string, unknown>,
  { picks, warnings, lead }: Pick<Reading, 'picks' | 'warnings' | 'lead'>,
  { mapping, country, isKnown = false, isCall = false }: EventOptions,
): Event | null {
  if (hasContact(lead)) return null
  // The number came with another event of the call, or is withheld.
  if (isCall) return { challenge: null, plain_token: null, has_contact: false }
  const plain_token = plainTokenOf(payload)
  if (plain_token !== null) return { challenge: null, plain_token, has_contact: false }
  if (warnings.some(isInvalidContact)) return null
  const counting = leadFieldsOf(payload)
  const counts = (match: FieldMatch) =>
    match.by !== 'recognised' || (counting.has(match.field) && !(inEvents.has(match.field) && isUncertain(match)))
  if (picks.some(counts)) return null
  // A mapped path exists, even if it is empty: somebody expects leads here.
  const opener = new Opener()
  if (mapping.some(({ path, field }) => toLeadField(field) !== 'ignore' && placeOf(payload, path, opener))) return null
  const ignored = new Set(mapping.filter(({ field }) => field === 'ignore').map(({ path }) => path))
  const has_contact = !isKnown && mayHoldContact(payload, country, ignored)
  return { challenge: challengeOf(payload), plain_token: null, has_contact }
}

/** Any event may have a status, a source, a tag or an amount, so these alone make no lead. */
const everywhere = new Set(['name', 'first_name', 'last_name', 'company', 'city', 'notes'])
/** An event has texts of its own, which are not an enquiry. */
const inEvents = new Set(['name', 'first_name', 'last_name'])
const inPings = new Set<string>()

function leadFieldsOf(payload: Record<string, unknown>): Set<string> {
  let kinds = everywhere
  for (const [key, value] of Object.entries(payload)) {
    if (typeof value !== 'string' || !isEventsKey(key)) continue
    if (/^(ping|test|handshake|(url|endpoint|webhook)?[._ -]?(verification|validation|test|ping))$/i.test(value))
      return inPings
    kinds = inEvents
  }
  return kinds
}

/** Whether a key at the top of a payload says what an event is. */
const isEventsKey = (key: string) =>
  /^((system|webhook)?event(type|name|action)?|\w*eventtype|type|topic|trigger|object)$/.test(
    key.toLowerCase().replace(/[^a-z]/g, ''),
  )

function challengeOf({ challenge }: Record<string, unknown>): string | null {
  return isChallenge(challenge) ? challenge : null
}

/**
 * Returns the token of Zoom's URL check. Zoom signs its webhooks with the same secret, and what it signs has colons and braces: a
 * text with these is never signed for those who know the URL.
 */
function plainTokenOf({ event, payload }: Record<string, unknown>): string | null {
  const token = event === 'endpoint.url_validation' && isEntries(payload) ? payload.plainToken : undefined
  return typeof token === 'string' && /^[\w+/=-]{1,200}$/.test(token) ? token : null
}

const maxLooked = 300

function mayHoldContact(payload: Record<string, unknown>, country: CountryCode, ignored: ReadonlySet<string>): boolean {
  const leaves = leavesOf(payload)
  if (isNotice(leaves)) return false
  return leaves
    .filter(({ path, value }) => value.length <= 320 && !isReceipt(path) && !ignored.has(pathText(path)))
    .slice(0, maxLooked)
    .some((leaf) => mailboxIn(leaf.value) !== undefined || isNumber(leaf, country))
}

/** WhatsApp reports the status of the business's own messages, thousands a day: these numbers are no leads. */
const isReceipt = (path: Path) => path.some((step) => step === 'statuses' || step === 'display_phone_number')

/** Whether it is a valid phone number whose name is not that of an id or a time. */
function isNumber({ value, labels }: Leaf, country: CountryCode): boolean {
  if (/(^|[_ .-])(id|ids|uuid|time|timestamp|ts|at|hash|amount)$|Id$/.test(labels[0] ?? '')) return false
  const number = phoneIn(value)
  return number !== undefined && parsePhoneNumberFromString(number, country)?.isValid() === true
}
