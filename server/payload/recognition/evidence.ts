import { type Meaning, meaningOf, type Sense } from './label.ts'
import type { Group, Leaf } from './leaves.ts'
import { isBlank, mailboxIn, phoneIn } from './values.ts'

/** A value with the evidence of its name, its surroundings and its format. */
export type Evidence = Leaf & Omit<Meaning, 'words' | 'unknown'> & { leaf: Leaf; order: number }

export function evidenceOf(leaves: Leaf[]): Evidence[] {
  const groups = surveyGroups(leaves)
  return leaves.flatMap((leaf, order) => (isBlank(leaf.value) ? [] : [{ ...leaf, ...read(leaf, groups), leaf, order }]))
}

/** Properties of groups: which have a contact, directly or inside, and whose they are. */
type Groups = {
  contact: Set<Group>
  contactWithin: Set<Group>
  /** Whether a message has senders, so that its recipients are the business. */
  hasSender: boolean
  /** Whether somebody else is the customer, so that a user is of the business. */
  hasVisitor: boolean
  /** Whether a contact is outside of the records of users. */
  hasOtherContact: boolean
  roles: Map<Group, 'person' | 'staff' | 'message'>
}

const roleKey = /^((user|actor|participant|sender|author|contact|message)?_?(type|role|kind))$/i
const roles = {
  staff:
    /^(agent|admin|operator|bot|staff|employee|owner|host|system|assistant|seller|vendor|rep|representative|teammate|message_?to_?(visitor|customer|user))$/i,
  person: /^(customer|visitor|contact|lead|client|guest|end[_-]?user|user|buyer|subscriber|consumer|prospect)$/i,
  message: /^(message|msg|message_?to_?(operator|agent))$/i,
}

function surveyGroups(leaves: Leaf[]): Groups {
  const groups: Groups = {
    contact: new Set(),
    contactWithin: new Set(),
    hasSender: false,
    hasVisitor: false,
    hasOtherContact: false,
    roles: new Map(),
  }
  for (const leaf of leaves) {
    if (leaf.around.some((name) => /^senders?$/i.test(name))) groups.hasSender = true
    if (leaf.around.some((name) => /^(visitor|customer|prospect)$/i.test(name))) groups.hasVisitor = true
    const label = leaf.labels[0] ?? ''
    const { senses, staff } = meaningOf(label)
    const role = roleKey.test(label) && /^[\w-]{3,24}$/.test(leaf.value) ? roleOf(leaf.value) : undefined
    if (role) groups.roles.set(leaf.group, role)
    if (staff || meaningOf(leaf.around[0] ?? '').staff) continue
    if (!mailboxIn(leaf.value) && !(((senses.phone ?? 0) > 60 || senses.reach) && phoneIn(leaf.value))) continue
    if (!/^user$/i.test(leaf.around[0] ?? '')) groups.hasOtherContact = true
    groups.contact.add(leaf.group)
    for (let group: Group | undefined = leaf.group; group; group = group.parent) groups.contactWithin.add(group)
  }
  return groups
}

function roleOf(type: string): keyof typeof roles | undefined {
  return (['staff', 'person', 'message'] as const).find((role) => roles[role].test(type))
}

function read(leaf: Leaf, groups: Groups) {
  const parent = leaf.around.find((name) => !hollow.test(name))
  const meanings = leaf.labels.map((label) => within(parent, label))
  if (meanings.length === 0) meanings.push(meaningOf(''))
  const senses: Evidence['senses'] = {}
  for (const meaning of meanings) takeSenses(senses, meaning, 0)
  const named = Object.values(senses).some((strength) => strength >= 40)
  const staff = meanings.some((meaning) => meaning.staff)
  const thing = meanings.some((meaning) => meaning.thing)
  const attribute = meanings.some((meaning) => meaning.attribute && !meaning.opaque)
  if (leaf.type !== undefined) takeType(senses, meaningOf(leaf.type), named || staff || thing || attribute)
  const role = groups.roles.get(leaf.group)
  if (role === 'message' && senses.notes && senses.notes < 80) senses.notes = 80
  const ours =
    leaf.around.some((name) => ourselves.test(name) || (groups.hasSender && /^recipients?$/i.test(name))) ||
    (groups.hasVisitor && groups.hasOtherContact && isUsers(leaf.around))
  const own = !ours && meanings.some((meaning) => meaning.person && !meaning.words.some((word) => anybody.has(word)))
  const context = own && !staff && !thing && role !== 'staff' ? 'person' : contextOf(leaf, groups, senses)
  return {
    senses,
    // A role beside a value does not make the number of a store that of the person.
    person: own || (context === 'person' && !(thing && role === 'person')),
    staff: staff || ours || context === 'staff',
    thing: thing || context === 'thing',
    attribute,
    opaque: meanings.every((meaning) => meaning.opaque),
    bare: !own && meanings.every((meaning) => meaning.bare),
    question: meanings.some((meaning) => meaning.question),
    from: meanings.some((meaning) => meaning.from),
    to: meanings.some((meaning) => meaning.to),
  }
}

/** The account that received the message or the enquiry. */
const ourselves = /^(me|professional)$/i

const isUsers = (around: readonly string[]) =>
  /^user$/i.test(around[0] ?? '') &&
  !around.some((name) => /visitor|customer|prospect|author|sender|message/i.test(name))

/** Names that only hold the values of what is around them. */
const hollow = /^(properties|attributes)$/i

/** Hosts are users and authors too, so for these words the surroundings decide. */
const anybody = new Set(['user', 'users', 'author', 'profile', 'member'])

/** Reads a label with its parent: `first` inside `name` is a first name, `name` inside `company` is a company. */
function within(parent: string | undefined, label: string): Meaning {
  if (/^(body|text|content)$/i.test(label) && /^(text|sms|message|msg)s?$/i.test(parent ?? ''))
    return meaningOf('message')
  if (/^employment$/i.test(parent ?? '') && /^name$/i.test(label)) return meaningOf('employer')
  const alone = meaningOf(label)
  const silent = !says(alone, 40) || (/^(body|text|content)$/i.test(label) && says(meaningOf(parent ?? ''), 90))
  if (parent !== undefined && alone.words[0] === 'locality' && alone.words.length === 1 && /address/i.test(parent))
    return meaningOf(`address ${label}`)
  if (parent === undefined || !(alone.bare || (silent && alone.unknown === 0))) return alone
  const above = meaningOf(parent)
  // The name of a user is not a user name.
  if (/^name$/i.test(label) && above.words.every((word) => anybody.has(word))) return alone
  if (above.staff || above.thing || !(says(above, 60) || (above.attribute && !/param|query/i.test(parent))))
    return alone
  if (!silent && above.senses.notes && Object.keys(above.senses).length === 1) return alone
  return meaningOf(`${parent.replace(/[_ ]?ids?$/i, '')} ${label}`)
}

function says(meaning: Meaning, least: number): boolean {
  return Object.values(meaning.senses).some((strength) => strength >= least)
}

function takeSenses(senses: Evidence['senses'], meaning: Meaning, less: number): void {
  for (const [sense, strength] of Object.entries(meaning.senses) as [Sense, number][]) {
    if (strength - less > (senses[sense] ?? 0)) senses[sense] = strength - less
  }
}

/** Uses the type of a form's control if its label is unclear. */
function takeType(senses: Evidence['senses'], type: Meaning, named: boolean): void {
  const { email, phone, name, city, company, notes } = type.senses
  if (email && (senses.email ?? 0) < 85) senses.email = 85
  if (phone && (senses.phone ?? 0) < 85) senses.phone = 85
  if (named) return
  if (name) senses.name = 85
  if (city) senses.city = 85
  if (company) senses.company = 85
  if (notes || /long|multi|area|paragraph/.test(type.words.join(' '))) senses.notes = 62
}

const containers = new Set(
  `form survey quiz flow workflow automation order page popup widget event webinar campaign group item payment step block
  site table sheet board card invoice app template list funnel`.split(/\s+/),
)
const neutral =
  /\b(data|meta|response|responses|fields|field|submission|submissions|answers|values|entry|details|payload|body)\b/
/** Answers to a bot are the lead's. */
const told = /\b(variables?|slots?|extracted|collected|captured|outputs?|answers?|responses?)\b/
/** The contact of a job, an order or an event is the lead. */
const asker =
  /^(\w+ )?(customer|client|buyer|requester|requestor|attendee|guest|visitor|participant|applicant|candidate|patient|student)s?$|^(job|case|booking|order|appointment|deal|ticket|request|enquiry|inquiry) contact$/

/** People that a business has too: the surroundings decide whose contact it is. */
const anyones = new Set(['contact', 'contacts', 'person', 'user', 'profile', 'member'])
const firms =
  /^(vendor|dealer|dealership|seller|supplier|merchant|broker|provider|agent|agents|agency|owner|assignee|organizer|organiser|host|builder|developer|partner)$/

function contextOf(leaf: Leaf, groups: Groups, senses: Evidence['senses']): 'person' | 'staff' | 'thing' | undefined {
  const role = groups.roles.get(leaf.group)
  if (role === 'staff') return role
  if (role === 'person') return meaningOf(leaf.around[0] ?? '').to ? 'staff' : 'person'
  let group: Group | undefined = leaf.group
  const above = leaf.group.parent
  const beside = above !== undefined && groups.contact.has(above) && !senses.name
  if (leaf.around.some((name) => schema.test(name))) return 'thing'
  for (const [distance, name] of leaf.around.entries()) {
    const { person, staff, thing, words } = meaningOf(name)
    const outer = leaf.around[distance + 1] ?? ''
    if (asker.test(words.join(' ')) && !staff) return 'person'
    if (staff) {
      if (told.test(words.join(' ')) || (/\d/.test(name) && told.test(meaningOf(outer).words.join(' ')))) continue
      return 'staff'
    }
    if (thing) {
      const container = words.every((word) => containers.has(word.replace(/s$/, '')) || !meaningOf(word).thing)
      const isEvent = words.every((word) => word === 'event' || word === 'events')
      if (isEvent && senses.notes && (distance > 0 || ownText.test(leaf.labels[0] ?? ''))) continue
      const holder = named(leaf.group, name) ?? group
      const holdsContact = beside || (holder !== undefined && groups.contactWithin.has(holder))
      if (container && (holdsContact || role === 'message' || neutral.test(words.join(' ')))) continue
      return 'thing'
    }
    if (person && !words.some((word) => anybody.has(word))) {
      const generic = words.every((word) => anyones.has(word))
      return generic && meaningOf(outer).words.some((word) => firms.test(word)) ? 'staff' : 'person'
    }
    group = group?.parent
  }
  return undefined
}

/** Returns the outermost group of this name around a group. */
function named(group: Group, name: string): Group | undefined {
  let found: Group | undefined
  for (let one: Group | undefined = group; one; one = one.parent) if (one.name === name) found = one
  return found
}

const ownText = /^(message|comments?|notes?)$/i

/** A description of a form, not what somebody wrote in it. */
const schema = /(structure|schema|definition)$/i

const grouped = new WeakMap<readonly Evidence[], Map<Group, Evidence[]>>()

/** Returns the values of the same group, from an index. */
export function inGroup(all: readonly Evidence[], group: Group): readonly Evidence[] {
  let groups = grouped.get(all)
  if (!groups) {
    groups = Map.groupBy(all, (one) => one.group)
    grouped.set(all, groups)
  }
  return groups.get(group) ?? []
}

/** Whether neither its own name nor a name around it means a field. */
export function isUnnamed({ opaque, senses }: Evidence): boolean {
  return opaque && Object.values(senses).every((strength) => strength < 40)
}
