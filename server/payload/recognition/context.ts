import { meaningOf, type Senses } from './label.ts'
import { ambiguousRoleWords, hollow } from './label-within.ts'
import type { Group, Leaf } from './leaves.ts'
import { isOwner } from './owners.ts'
import type { Facts } from './payload-facts.ts'

/** Returns whose a value is by the names around it: the lead's, the business's or a thing's. */
export function contextOf(leaf: Leaf, facts: Facts, senses: Senses): 'person' | 'staff' | 'thing' | undefined {
  const { around, group } = leaf
  const role = facts.roles.get(group)
  if (role === 'staff') return role
  if (role === 'person') return meaningOf(around[0] ?? '').to ? 'staff' : 'person'
  if (around.some((name) => schema.test(name))) return 'thing'
  let record: Group | undefined = group
  for (const [distance, name] of around.entries()) {
    const { person, staff, thing, to, words } = meaningOf(name)
    const [inner = '', outer = ''] = [around[distance - 1], around[distance + 1]]
    if (isLeads(name, leaf, facts)) return 'person'
    // The attributes of a target are those of a record, not of a receiver.
    if (to && hollow.test(inner)) continue
    // Answers are the lead's, whatever holds them.
    if (/^(responses?|mapped[ _-]?values|form[ _-]?(answers|responses?))$/i.test(name) && distance > 0) return undefined
    if (staff) {
      if ((distance === 0 && facts.registered.has(group)) || isOfAnswers(name, outer)) continue
      return 'staff'
    }
    // A contact's own channels.
    if (/channels$/i.test(name) || (thing && record && facts.named.has(record))) continue
    if (thing) {
      if (holdsLeads({ name, distance, record }, leaf, facts, senses)) continue
      return 'thing'
    }
    if (person && !words.some((word) => ambiguousRoleWords.has(word))) {
      const isAnyones = words.every((word) => anyones.has(word))
      return isAnyones && meaningOf(outer).words.some((word) => firms.test(word)) ? 'staff' : 'person'
    }
    // The parts of an address have no group of their own.
    if (record?.name === name) record = record.parent
  }
  return undefined
}

/** Whether what has this name is the lead's, without regard to what is around it. */
function isLeads(name: string, { group }: Leaf, { owners, placed }: Facts): boolean {
  const meaning = meaningOf(name)
  if (isOwner(meaning, owners) || (asker.test(meaning.words.join(' ')) && !meaning.staff)) return true
  // Where goods go to is where their buyer lives.
  const holder = outermost(group, name)
  return /^(destination|receiver|recipient)$/i.test(name) && holder !== undefined && placed.has(holder)
}

/** Whether a name that means the business's people holds a message of a service, or what a bot asked for. */
function isOfAnswers(name: string, outer: string): boolean {
  const { words } = meaningOf(name)
  return (
    envelopes.test(name) ||
    (told.test(words.join(' ')) && !words.includes('by')) ||
    (/\d/.test(name) && told.test(meaningOf(outer).words.join(' ')))
  )
}

/** Whether what has the name of a thing holds what the lead said: a form its answers, an order the wishes of who ordered. */
function holdsLeads(
  { name, distance, record }: { name: string; distance: number; record: Group | undefined },
  { labels: [label = ''], group }: Leaf,
  { roles, withContact, aroundContact }: Facts,
  senses: Senses,
): boolean {
  const { words } = meaningOf(name)
  if (/^forms?$/i.test(name) && ownText.test(label)) return true
  const isEvent = /^((dm|direct|messag(es?|ing)|chat|incoming|inbound) )*events?$/.test(words.join(' '))
  if (isEvent && senses.notes && (distance > 0 || ownText.test(label))) return true
  const isContainer =
    /^(request|application|enquiry|inquiry|registration|submission|signup)s?$/.test(words.at(-1) ?? '') ||
    words.every((word) => containers.has(word.replace(/s$/, '')) || !meaningOf(word).thing)
  if (!isContainer) return false
  if (roles.get(group) === 'message' || neutral.test(words.join(' '))) return true
  const holder = outermost(group, name) ?? record
  if (holder !== undefined && aroundContact.has(holder)) return true
  // Beside a contact, a form holds what its person answered, and an order what they wrote.
  const isCommented =
    /^((customer|special|delivery)[ _-]?)?(comments?|instructions?)$/i.test(label) ||
    (/^(order|pedido|meeting)s?$/i.test(name) &&
      (senses.notes ?? 0) >= 78 &&
      !/desc|detail|summary|text|title|agenda/i.test(label))
  const isBeside =
    (isCommented && aroundContact.size > 0) ||
    (group.parent !== undefined && withContact.has(group.parent) && !senses.name)
  const isOfThing = Boolean(senses.company || senses.city || senses.source)
  const isOwn = (word: string) => answered.has(word) || (!isOfThing && asked.has(word))
  return isBeside && words.some(isOwn)
}

/** Returns the outermost group of this name around a group. */
function outermost(group: Group, name: string): Group | undefined {
  let found: Group | undefined
  for (let one: Group | undefined = group; one; one = one.parent) if (one.name === name) found = one
  return found
}

const ownText = /^(message|comments?|notes?|instructions)$/i

/** A description of a form, not what somebody wrote in it. */
const schema = /(structure|schema|definition)$/i

const containers = new Set(
  `formulario formulaire formular pedido bestellung commande subject form survey quiz screen flow workflow automation order page popup widget event webinar campaign group item payment step block
  site table sheet board card cart basket invoice app template list funnel resource activity privacy attachment transaction membership tour trip newsletter signature agreement
  center centre model meeting`.split(/\s+/),
)
/** Containers of what a person answered, and of what one wants. */
const answered = new Set(['form', 'survey', 'quiz', 'formulario', 'formulaire', 'formular'])
const asked = new Set(['order', 'meeting', 'event', 'trip', 'pedido', 'bestellung', 'commande'])
const neutral =
  /\b(data|meta|response|responses|fields|field|submission|submissions|answers|values|entry|details|payload|body)\b/
/** Answers to a bot are the lead's. */
const told = /\b(variables?|slots?|extracted|collected|captured|outputs?|answers?|responses?)\b/
/** What holds a message of a service, not a person to notify. */
const envelopes = /^(notifications?|test)$/i
/** The contact of a job, an order or an event is the lead. */
const asker =
  /^(\w+ )?(customer|client|buyer|requester|requestor|attendee|guest|visitor|participant|applicant|candidate|patient|student|holder)s?$|^(job|case|booking|order|appointment|deal|ticket|request|enquiry|inquiry) contact$/

/** People that a business has too: the surroundings decide whose contact it is. */
export const anyones = new Set(['contact', 'contacts', 'person', 'user', 'profile', 'member'])
const firms =
  /^(vendor|dealer|dealership|seller|supplier|merchant|broker|provider|agent|agents|agency|owner|assignee|organizer|organiser|host|builder|developer|partner)$/
