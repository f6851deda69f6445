import { phoneIn } from '../../crm/contacts/parse-contact.ts'
import { wordsIn } from './call/call-words.ts'
import { type FoundCall, findCall, idRank } from './call/find-call.ts'
import { partyIn } from './call/party.ts'
import { leavesOf } from './structure/leaves.ts'
import { isEntries } from './structure/open-value.ts'
import { lastDigits } from './structure/values.ts'
import { meaningOf } from './words/meaning.ts'

type Entries = Record<string, unknown>
type Path = readonly (string | number)[]

/** Further elements of a longer list are like these. */
const maxLooked = 20

/** Names of lists that belong to one call, chat, meeting or person. */
const partsOfOne =
  /participant|part(y|ies)$|member|agent|attendee|invitee|guest|recipient|receiver|sender|^(to|cc|bcc|from|legs?|parts|(out(bound|going)|transferred|forwarded)_?calls)$|reply_?to|caller|callee|user|owner|operator|assign|staff|employee|rep(s|resentatives?)?$|host|organi[sz]er|moderator|speaker|follower|collaborator|watcher|address|phone|mobile|tel|(?<!voice)mail|channel|identit|account|relative|family|nominee|passenger|applicant|reference|item|product|note|comment|histor|question|field|answer|custom(?!er)/i

const roleName =
  /^(\w*_)?(role|side|direction|party)$|^is_?inbound$|^(participant|sender|recipient|user|author|member)_?type$/i

/** The names of such lists which, with only counts and pages around them, are those of a list response. */
const listResponses = /^(items|members|guests|attendees|participants|registrants|applicants|users)$/i

/** In an object of the payload, `items` only. */
const isListResponse = (parent: Entries, path: Path, name: string) =>
  (path.length === 1 ? listResponses.test(name) : /^items$/i.test(name)) &&
  Object.entries(parent).every(
    ([key, value]) => key === name || value === null || /^(number|boolean)$/.test(typeof value),
  )

export interface Records {
  /** False for people of the business among those of the list. */
  isRecord: (element: unknown) => boolean
  /** They are records only if their contacts differ. */
  mustDiffer: boolean
}

const all = { isRecord: () => true, mustDiffer: false }

/**
 * Returns which elements of a list may be records of their own; null if the list is about one call, chat, meeting or person. Calls are
 * several by their ids or customers, people by their roles, whatever the name of the list. Most lists are known by their names alone.
 */
export function recordsAmong(list: readonly unknown[], path: Path, payload: Entries): Records | null {
  const around = objectsAround(payload, path)
  const name = path.findLast((segment) => typeof segment === 'string')
  const isOfOne = name !== undefined && partsOfOne.test(name) && !isListResponse(around.at(-1)!, path, name)
  const looked = list.filter(isEntries).slice(0, maxLooked) as Entries[]
  if (withoutAgentsEvents(looked).length < looked.length)
    return { isRecord: (element) => !isOfAgents(element as Entries), mustDiffer: false }
  if (isOfOne && looked.every(holdsRows)) return all
  const hasRoles = looked.some((element) => rolesOf(element).length > 0)
  if (!isOfOne && !hasRoles) return all
  const calls = looked.map((element) => findCall(leavesOf(element), false))
  if (calls.some((call) => call !== null)) return areSeveral(calls, around) ? all : null
  return isOfOne ? null : peopleAmong(looked)
}

/** Whether an element has rows of its own, as an agent with a log of calls. */
const holdsRows = (element: Entries) =>
  Object.entries(element).some(
    ([key, value]) =>
      !partsOfOne.test(key) &&
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((row) => isEntries(row) && Object.keys(row).length > 2),
  )

const eventsOf = (element: Entries) =>
  Object.entries(element).flatMap(([key, value]) =>
    /^(event|event_?(type|name)|type|topic)$/i.test(key) && typeof value === 'string' ? [value.slice(0, 60)] : [],
  )
const namesCall = (element: Entries) => eventsOf(element).some((event) => /call|cdr/i.test(event))
/** Whether it is an event of an agent, as that of a pause. */
const isOfAgents = (element: Entries) =>
  !namesCall(element) && eventsOf(element).some((event) => /^(agent|user)$/.test(partyIn(wordsIn(event)) ?? ''))

/** Returns a list without the events of agents, if it has events of calls. */
export const withoutAgentsEvents = (list: readonly Entries[]) =>
  list.slice(0, maxLooked).some(namesCall) ? list.filter((element) => !isOfAgents(element)) : list

/** Returns the objects on the way to a list. */
function objectsAround(payload: Entries, path: Path): Entries[] {
  const around: Entries[] = []
  let value: unknown = payload
  for (const step of path) {
    if (isEntries(value)) around.push(value as Entries)
    value = (value as Entries)[step]
  }
  return around
}

/** Whether calls are several: of one, they have the same id, or none but the one around them, or one customer. */
function areSeveral(calls: readonly (FoundCall | null)[], around: readonly Entries[]): boolean {
  const ids = calls.flatMap((call) => call?.parts.id?.find(({ name }) => idRank(name) < Infinity) ?? [])
  const distinct = new Set(ids.map(({ value }) => value))
  const isSame = distinct.size === 1 && ids.length === calls.length
  const inside = Math.min(...ids.map(({ name }) => idRank(name)))
  const outside = Math.min(
    ...around.flatMap((one) => Object.entries(one)).map(([key, value]) => (isId(value) ? idRank(key) : Infinity)),
  )
  if (isSame || (outside <= inside && outside < Infinity)) return false
  const customers = new Set(calls.flatMap((call) => call?.customer.map(({ value }) => lastDigits(value)) ?? []))
  return customers.size > 1 || (distinct.size === calls.length && customers.size > 0)
}

const isId = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/**
 * Sides of one conversation have different roles, one of which is known, as that of an agent or a user. Of several customers beside others,
 * each is a record. Agents alone are no records.
 */
function peopleAmong(looked: readonly Entries[]): Records | null {
  const known = looked.map(partyOf).filter((party) => party !== undefined)
  const isMixed = new Set(looked.flatMap((element) => rolesOf(element).join(' '))).size > 1
  if (known.length === 0 || (!isMixed && known[0] !== 'agent')) return { ...all, mustDiffer: true }
  const isCustomer = (element: unknown) => partyOf(element as Entries) === 'customer'
  return looked.filter(isCustomer).length > 1 ? { isRecord: isCustomer, mustDiffer: true } : null
}

const rolesOf = (element: Entries) =>
  Object.entries(element).flatMap(([key, value]) =>
    roleName.test(key) && !phoneIn(String(value)) ? String(value).slice(0, 40) : [],
  )

const partyOf = (element: Entries) =>
  rolesOf(element)
    .map((role) => partyIn(meaningOf(role).words))
    .find((party) => party !== undefined)
