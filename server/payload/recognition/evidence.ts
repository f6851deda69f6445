import { type Meaning, meaningOf, type Sense } from './label.ts'
import { type Group, isOurs, type Leaf } from './leaves.ts'
import { isBlank, mailboxIn, phoneIn } from './values.ts'
import { classesOf } from './words.ts'

/** A value with the evidence of its name, its surroundings and its format. */
export type Evidence = Leaf & Omit<Meaning, 'words' | 'unknown'> & { leaf: Leaf; order: number }

export function evidenceOf(leaves: Leaf[]): Evidence[] {
  const groups = surveyGroups(leaves)
  const all = leaves.flatMap((leaf, order) =>
    isBlank(leaf.value) ? [] : [{ ...leaf, ...read(leaf, groups), leaf, order }],
  )
  if (!all.some(isRelatives)) return all
  const own = all.filter((one) => !isRelatives(one) && !one.staff && !one.thing)
  const kinds = ['email', 'phone', 'name'] as const
  const isOthers = ({ group, around, senses }: Evidence) => {
    const beside = own.filter((one) => one.group === group && one.around.length === around.length)
    return kinds.some((kind) => (senses[kind] ?? 0) >= 45 && beside.some((one) => (one.senses[kind] ?? 0) >= 80))
  }
  return all.map((one) => (isRelatives(one) && isOthers(one) ? { ...one, staff: true, person: false } : one))
}

/** Beside the person's own name, email or phone, that of a parent or of a recipient is somebody else's. */
function isRelatives({ labels: [label = ''] }: Leaf): boolean {
  const { words, question } = meaningOf(label)
  return relatives.has(words[0] ?? '') && words.length > 1 && !question && !/\bor\b|\//.test(label)
}

const relatives = new Set(['parent', 'parents', 'guardian', 'father', 'mother', 'spouse', 'recipient'])

/** Properties of groups: which have a contact, directly or inside, and whose they are. */
type Groups = {
  contact: Set<Group>
  contactWithin: Set<Group>
  /** Whether a message has senders, so that its recipients are the business. */
  hasSender: boolean
  /** Whether a document has signers, so that its sender is the business. */
  hasSigner: boolean
  /** Whether somebody else is the customer, so that a user is of the business. */
  hasVisitor: boolean
  /** Whether somebody applies, so that an author is of the business. */
  hasApplicant: boolean
  /** Whether an owner is a customer, because an animal is owned. */
  ownsAnimal: boolean
  /** What of an owner is a customer's, because a business is owned. */
  ownsBusiness: { group: Group; names: RegExp } | undefined
  /** Whether a referrer is there, so that the lead is who was referred. */
  hasReferrer: boolean
  /** The owners and accounts that have a birthday or a gender, which senders say of customers. */
  described: Set<string>
  /** Records that name a person, so that they are that person's. */
  named: Set<Group>
  /** Records of partners and dealers who register: with both names, a company, and no customer. */
  registered: Set<Group>
  /** Records with a postal code or a street. */
  placed: Set<Group>
  /** Whether it is about a program, whose users write it. */
  isOfCode: boolean
  /** Whether it is about the driver of a delivery. The drivers of an insurance lead are the lead's. */
  isOfDriver: boolean
  /** Whether it is about a call, whose users are the business's. */
  isCall: boolean
  /** Whether it is about a voicemail, whose transcript is the caller's alone. */
  isVoicemail: boolean
  /** Whether the business called or wrote, so that the receiver is the lead. */
  isOutbound: boolean
  /** Whether it is a message of the business's own account, which makes its receiver no lead. */
  isEcho: boolean
  /** Records of calls and messages, with both of their sides. */
  calls: Set<Group>
  /** Whether a contact is outside of the records of users. */
  hasOtherContact: boolean
  roles: Map<Group, keyof typeof roles>
}

const roleKey = /^((user|actor|participant|sender|author|contact|message)?[_ -]?(type|role|kind))$/i
const roles = {
  staff:
    /^(business[_ -]?owner|agent|admin|operator|bot|staff|employee|owner|host|system|assistant|seller|vendor|rep|representative|teammate|affiliate|producer|driver|internal|to|cc|bcc|message_?to_?(visitor|customer|user))$/i,
  person:
    /^(customer|visitor|contact|lead|client|guest|end[_-]?user|user|buyer|subscriber|consumer|prospect|external|from|requester)$/i,
  message: /^(message|msg|message_?to_?(operator|agent))$/i,
  company: /^(company|organi[sz]ation)$/i,
}

function surveyGroups(leaves: Leaf[]): Groups {
  const selling = new Set<Group>()
  const names = [...new Set(leaves.flatMap(({ labels, around }) => [labels[0] ?? '', ...around]))]
  const groups: Groups = {
    contact: new Set(),
    contactWithin: new Set(),
    hasSender: false,
    hasSigner: leaves.some(
      ({ around, labels, value }) =>
        around.some((name) => meaningOf(name).words.some(isSigner)) ||
        (/^role$/i.test(labels[0] ?? '') && isSigner(value.toLowerCase())),
    ),
    hasVisitor: false,
    hasApplicant: names.some((name) => /^(applicant|candidate)$/i.test(name)),
    ownsAnimal: false,
    ownsBusiness: ownersIn(leaves),
    hasReferrer: names.some((name) => meaningOf(name).words[0] === 'referrer'),
    described: new Set(leaves.filter(isDescription).map(({ around }) => meaningOf(around[0] ?? '').words.join(' '))),
    named: new Set(),
    registered: new Set(),
    placed: new Set(
      leaves.filter(({ labels }) => /^(zip|post|pin|street|address)/i.test(labels[0] ?? '')).map(({ group }) => group),
    ),
    isCall: leaves.some(({ labels, value }) => /^direction$/i.test(labels[0] ?? '') && isDirection.test(value)),
    isOfCode: names.some((name) => /^(repository|commits?$|git[ _-]?(ssh|http))/i.test(name)),
    isOfDriver: leaves.some(
      ({ labels, value }) => /type|event|status/i.test(labels[0] ?? '') && /^driver[_ .-]/.test(value),
    ),
    isVoicemail: names.some((name) => /^voice[ _-]?mail/i.test(name)),
    isOutbound: leaves.some(isOutbound),
    isEcho: leaves.some(({ labels }) => /^from[ _-]?me$/i.test(labels[0] ?? '')),
    calls: new Set(),
    hasOtherContact: false,
    roles: new Map(),
  }
  const sides = (side: 'from' | 'to') =>
    leaves
      .filter(({ labels, value }) => isSide(labels[0], side) && !/^\d{4}$/.test(value) && !postcode.test(value))
      .map(({ group }) => group)
  groups.calls = new Set(sides('from')).intersection(new Set(sides('to')))
  for (const leaf of leaves) {
    if (leaf.around.some((name) => /^senders?$/i.test(name))) groups.hasSender = true
    const label = leaf.labels[0] ?? ''
    if (visitors.has(meaningOf(label).words[0] ?? '') || leaf.around.some((name) => isVisitors(name)))
      groups.hasVisitor = true
    if ([label, ...leaf.around].some((name) => animals.has(meaningOf(name).words[0] ?? ''))) groups.ownsAnimal = true
  }
  if (groups.hasVisitor) groups.ownsAnimal = false
  else groups.registered = registeredIn(leaves)
  for (const leaf of leaves) {
    const label = leaf.labels[0] ?? ''
    const { senses, person } = meaningOf(label)
    if (person && senses.name === 95 && !isRelatives(leaf)) groups.named.add(leaf.group)
    const role = roleKey.test(label) && /^[\w-]{3,24}$/.test(leaf.value) ? roleOf(leaf.value) : undefined
    if (leaf.value === 'true' && isOurs.test(label)) groups.roles.set(leaf.group, 'staff')
    // An assignee is a user too.
    const isUser = /^user$/i.test(leaf.value) && meaningOf(leaf.around[0] ?? '').staff
    if (role && !isUser) groups.roles.set(leaf.group, role)
    if (/^type$/i.test(label) && sellers.test(leaf.value)) selling.add(leaf.group)
    if (isStaff(label, groups, leaf.group) || isStaff(leaf.around[0] ?? '', groups)) continue
    if (!mailboxIn(leaf.value) && !(((senses.phone ?? 0) > 60 || senses.reach) && phoneIn(leaf.value))) continue
    if (!isUsers(leaf.around)) groups.hasOtherContact = true
    groups.contact.add(leaf.group)
    for (let group: Group | undefined = leaf.group; group; group = group.parent) groups.contactWithin.add(group)
  }
  for (const group of selling.intersection(groups.contact)) groups.roles.delete(group)
  for (const group of employersIn(leaves)) groups.roles.set(group, 'company')
  return groups
}

/** As the sides of a move or a trip. */
const postcode = /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$|^\d{5}$|^\d{6}$/i

const recruited = /(partner|dealer|vendor|franchise|reseller|affiliate|supplier)$/i

function registeredIn(leaves: Leaf[]): Set<Group> {
  const groups = leaves.filter(({ around }) => recruited.test(around[0] ?? '')).map(({ group }) => group)
  const holding = (sense: 'first' | 'last' | 'company') =>
    new Set(leaves.filter(({ labels }) => meaningOf(labels[0] ?? '').senses[sense]).map(({ group }) => group))
  return new Set(groups).intersection(holding('first')).intersection(holding('last')).intersection(holding('company'))
}

/** The people to contact at a company. */
export const contactPersons =
  /^(contact[ _-]?persons?|contactpersonen|ansprechpartner|contactos|contatos|contatti|kontakte)$/i

/** Returns the records of companies: those with contacts who have a position. */
function employersIn(leaves: Leaf[]): Group[] {
  return leaves.flatMap(({ labels, around, group }) => {
    if (!/^contacts$/i.test(around[0] ?? '') && !contactPersons.test(around[0] ?? '')) return []
    if (
      !/^((job[ _-]?)?(title|position|role|designation)|functie|funktion|cargo|fonction|ruolo|puesto)$/i.test(
        labels[0] ?? '',
      )
    )
      return []
    let outer: Group | undefined = group
    while (outer?.name === around[0]) outer = outer?.parent
    return outer ?? []
  })
}

/** As the type of a record with a contact: a lead who wants to sell. */
const sellers = /^(vendor|seller|owner)$/i

const isDirection = /^(in|out)(bound|going|coming)?$/i

/** Whether it says that a call or a message is the business's. */
function isOutbound({ labels, value }: Leaf): boolean {
  const label = labels[0] ?? ''
  if (/^(name|event([ _-]?(type|name))?)$/i.test(label)) return /^(new_)?(outgoing|outbound)[_ -]?call/i.test(value)
  return (
    labels.some((label) => /direction|call[ _-]?type|^type$|^(is_?)?(in|out)(bound|coming|going)$/i.test(label)) &&
    /^(outbound|outgoing|out|outbound-(api|dial)|click.?to.?call|c2c|dialer)(?![a-z])/i.test(value)
  )
}

const isDescription = ({ labels, around }: Leaf) =>
  /^(dob|date[ _-]?of[ _-]?birth|birth[ _-]?(day|date)|gender|marital[ _-]?status|address|street)$/i.test(
    labels[0] ?? '',
  ) && /^(owner|account)$/.test(meaningOf(around[0] ?? '').words.at(-1) ?? '')

const isSigner = (word: string) => /^signers?$/.test(word)

const visitors = new Set(['visitor', 'customer', 'prospect'])
const animals = new Set(['pet', 'pets', 'animal', 'animals', 'dog', 'cat', 'horse', 'puppy'])

const isStaff = (name: string, groups: Groups, group?: Group) =>
  meaningOf(name).staff && !isOwner(meaningOf(name), groups, group)

/** Whether it is of an owner who is a customer or is described like one, or of somebody whom a referrer referred. */
const isOwner = ({ words }: Meaning, { ownsAnimal, ownsBusiness, hasReferrer, described }: Groups, group?: Group) =>
  (ownsAnimal && words[0] === 'owner') ||
  described.has(words.join(' ')) ||
  (ownsBusiness?.group === group && ownsBusiness?.names.test(words.join(' '))) ||
  (hasReferrer && /^referr(ed|al)$/.test(words[0] ?? ''))

/** Returns what of the owner of a business is the lead's: the only name beside that of the business, and the only contacts. */
function ownersIn(leaves: Leaf[]): Groups['ownsBusiness'] {
  const isFirm = ({ labels }: Leaf) => /^(business|firm)[ _-]?name$/i.test(labels[0] ?? '')
  const isShop = ({ labels }: Leaf) =>
    /^(shop|store|restaurant|salon|hotel|clinic|gym)[ _-]?name$/i.test(labels[0] ?? '')
  const business = leaves.find(isFirm) ?? leaves.find(isShop)
  if (!business) return undefined
  const beside = leaves
    .filter(({ around, group }) => group === business.group && around.length === business.around.length)
    .map(({ labels }) => meaningOf(labels[0] ?? ''))
  const others = beside.filter(({ staff }) => !staff)
  const hasOwner = beside.some(({ words }) => words.join(' ') === 'owner name')
  if (!hasOwner || others.some(({ senses }) => senses.name === 95 || senses.first)) return undefined
  const hasContact = others.some(
    ({ senses, thing }) => !(thing && isFirm(business)) && (senses.email ?? senses.phone ?? 0) >= 75,
  )
  if (hasContact && !isFirm(business)) return undefined
  return { group: business.group, names: hasContact ? /^owner name$/ : /^owner \w+$/ }
}

const isVisitors = (name: string) =>
  /^(contact|lead|caller|invitee|person)s?$/i.test(name) || visitors.has(meaningOf(name).words[0] ?? '')

function roleOf(type: string): keyof typeof roles | undefined {
  return (['staff', 'person', 'message', 'company'] as const).find((role) => roles[role].test(type))
}

function read(leaf: Leaf, groups: Groups) {
  const parent = leaf.around.find((name) => !hollow.test(name))
  const meanings = leaf.labels.map((label) =>
    changes.test(leaf.around[1] ?? '')
      ? ofChange(parent, label)
      : within(parent, groups.isVoicemail && /^transcript$/i.test(label) ? 'voicemail message' : label),
  )
  if (meanings.length === 0) meanings.push(meaningOf(''))
  const senses: Evidence['senses'] = {}
  for (const meaning of meanings) takeSenses(senses, meaning, 0)
  const named = Object.values(senses).some((strength) => strength >= 40)
  const staff = meanings.some((meaning) => meaning.staff && !isOwner(meaning, groups, leaf.group))
  const isClear = meanings.length > 1 && !meanings[0]!.thing && says(meanings[0]!, 80)
  const thing = !isClear && meanings.some((meaning) => meaning.thing)
  const attribute = meanings.some((meaning) => meaning.attribute && !meaning.opaque)
  if (leaf.type !== undefined) takeType(senses, meaningOf(leaf.type), named || staff || thing || attribute)
  const role = groups.roles.get(leaf.group)
  // The name of a customer that is a company.
  if (role === 'company' && /^(name|naam|nombre|nome|nom|nazwa)$/i.test(leaf.labels[0] ?? ''))
    Object.assign(senses, { name: 0, company: 95 })
  if (
    role === 'message' &&
    senses.notes &&
    senses.notes < 80 &&
    /^\w+$/.test(leaf.labels[0] ?? '') &&
    meaningOf(leaf.labels[0] ?? '').unknown === 0
  )
    senses.notes = 80
  const ours =
    (/^user/i.test(leaf.labels[0] ?? '') && /^(context|actor|initiator)$/i.test(leaf.around[0] ?? '')) ||
    (groups.hasSigner && /^sender[ _-]?(name|email)$/i.test(leaf.labels[0] ?? '')) ||
    leaf.around.some(
      (name) =>
        ourselves.test(name) ||
        (groups.hasSigner ? /^sender$/i : groups.hasSender ? /^recipients?$/i : /^$/).test(name),
    ) ||
    (groups.isOfCode && [leaf.labels[0], leaf.around[0]].some((name) => meaningOf(name ?? '').words[0] === 'user')) ||
    (groups.isOfDriver && /^driver/i.test(leaf.around[0] ?? '')) ||
    ((groups.isCall || (groups.hasVisitor && groups.hasOtherContact)) && isUsers(leaf.around)) ||
    (groups.hasVisitor && /^(submitter|(submitted|booked|placed)[ _-]?by)$/i.test(leaf.around[0] ?? '')) ||
    (groups.hasApplicant && /^author$/i.test(leaf.around[0] ?? ''))
  const around = contextOf(leaf, groups, senses)
  // A contact of an agent is no lead.
  const own =
    !ours &&
    meanings.some((meaning) => {
      const { person, words } = meaning
      if (isOwner(meaning, groups, leaf.group)) return true
      if (!person || words.some((word) => anybody.has(word))) return false
      return (
        (around !== 'staff' && around !== 'thing') ||
        words.some((word) => !anyones.has(word) && classesOf(word)?.has('person'))
      )
    })
  const context = own && !staff && !thing && role !== 'staff' ? 'person' : around
  const label = leaf.labels[0] ?? ''
  const from = meanings.some((meaning) => meaning.from) || isSide(leaf.around[0], 'from')
  const to = meanings.some((meaning) => meaning.to) || isSide(leaf.around[0], 'to')
  const isReceiver = groups.isOutbound && (to || /^recipient/i.test(label)) && !/agent|employee|staff/i.test(label)
  if (isReceiver && (senses.name ?? 0) < 75) senses.phone = Math.max(senses.phone ?? 0, 75)
  const isCaller =
    (groups.isOutbound || groups.isEcho) &&
    (from || /^((push|notify)[ _-]?name$|sender)/i.test(label) || /^sender$/i.test(leaf.around[0] ?? '')) &&
    !/customer|client|lead/i.test(label)
  return {
    senses,
    // A role beside a value does not make the number of a store that of the person.
    person: isReceiver || own || (context === 'person' && !(thing && role === 'person')),
    staff:
      !isReceiver &&
      (isCaller ||
        staff ||
        ours ||
        context === 'staff' ||
        (groups.calls.has(leaf.group) && isUsersName(leaf.labels[0]))),
    thing: thing || context === 'thing',
    attribute,
    opaque: meanings.every((meaning) => meaning.opaque),
    bare: !own && meanings.every((meaning) => meaning.bare),
    question: meanings.some((meaning) => meaning.question),
    from,
    to: to && !isReceiver,
  }
}

/** Whether a name only says which side of a call or message it holds. */
function isSide(name: string | undefined, side: 'from' | 'to'): boolean {
  const meaning = meaningOf(name ?? '')
  return (
    meaning[side] &&
    (meaning.words.length === 1 || /^(caller|callee|called|from|to) number$/.test(meaning.words.join(' ')))
  )
}

/** In a call, a user is the one of the business, and so is a peer. */
const isUsersName = (label = '') => /^(users?|peer|extension)([ _-]?(name|email))?(\[\])?$/i.test(label)

/** The account or the line that received the message or the enquiry. */
const ourselves = /^(me|professional|line|(current|logged[_ ]?in|session|auth)[_ ]?user)$/i

const isUsers = (around: readonly string[]) =>
  /^(users?|member)$/i.test(around[0] ?? '') &&
  !around.some((name) => /visitor|customer|prospect|author|sender|message|lead|contact|caller|invitee/i.test(name))

/** Names that only hold the values of what is around them. */
const hollow = /^(properties|attributes)$/i

/** Hosts are users and authors too, so for these words the surroundings decide. */
const anybody = new Set(['user', 'users', 'author', 'profile', 'member'])

/** Reads a label with its parent: `first` inside `name` is a first name, `name` inside `company` is a company. */
function within(parent: string | undefined, label: string): Meaning {
  const ofMessage = meaningOf(parent ?? '').words.some((word) =>
    /^(text|sms|message|msg|ticket|conversation|thread|email|review|feedback)s?$/.test(word),
  )
  if (ofMessage && /^(body|text|content|preview|snippet)([ _-]?text)?$/i.test(label)) return meaningOf('message')
  if (/^employment$/i.test(parent ?? '') && /^name$/i.test(label)) return meaningOf('employer')
  // A source, a city or a company with an id and a title.
  if (/^(title|label)$/i.test(label) && titled.test(parent ?? '')) return meaningOf(parent!)
  const alone = meaningOf(label)
  const isPhones =
    (/^number$/i.test(label) && /^(mobile|cell|phone|customer|caller|client|contact|lead)$/i.test(parent ?? '')) ||
    (/^address$/i.test(label) && /^(phone|mobile)[ _-]?numbers?$/i.test(parent ?? ''))
  const silent =
    isPhones || !says(alone, 40) || (/^(body|text|content)$/i.test(label) && says(meaningOf(parent ?? ''), 90))
  if (parent !== undefined && alone.words[0] === 'locality' && alone.words.length === 1 && /address/i.test(parent))
    return meaningOf(`address ${label}`)
  if (parent === undefined || !(alone.bare || (silent && alone.unknown === 0))) return alone
  const above = meaningOf(parent)
  // Billing details may name their person.
  if (/^((billing|shipping|delivery|customer)[ _-]?)?address$/i.test(parent) && alone.senses.name)
    return meaningOf(`customer ${label}`)
  // The name of a user is not a user name.
  if (/^name$/i.test(label) && above.words.every((word) => anybody.has(word))) return alone
  if (above.staff || above.thing || !(says(above, 60) || (above.attribute && !/param|query/i.test(parent))))
    return alone
  if (!silent && above.senses.notes && Object.keys(above.senses).length === 1) return alone
  return meaningOf(`${parent.replace(/[_ ]?ids?$/i, '')} ${label}`)
}

const changes = /^(changes?|changed[ _-]?(fields|attributes)|diff|updates)$/i

/** Reads a label of a change: the value before it does not count, and that after it is the field's. */
function ofChange(field: string | undefined, label: string): Meaning {
  if (/^(from|old|before|previous)([ _-]?value)?$/i.test(label)) return meaningOf('old')
  return /^(to|new|after|current)([ _-]?value)?$/i.test(label) ? meaningOf(field ?? '') : within(field, label)
}

const titled = /^(lead[ _-]?)?(source|city|company|organi[sz]ation)$/i

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
  `subject form survey quiz flow workflow automation order page popup widget event webinar campaign group item payment step block
  site table sheet board card cart basket invoice app template list funnel resource activity privacy attachment transaction membership tour trip newsletter signature agreement`.split(
    /\s+/,
  ),
)
/** Containers of what a person answered, and of what one wants. */
const answered = new Set(['form', 'survey', 'quiz'])
const asked = new Set(['order', 'event', 'trip'])
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
const anyones = new Set(['contact', 'contacts', 'person', 'user', 'profile', 'member'])
const firms =
  /^(vendor|dealer|dealership|seller|supplier|merchant|broker|provider|agent|agents|agency|owner|assignee|organizer|organiser|host|builder|developer|partner)$/

function contextOf(leaf: Leaf, groups: Groups, senses: Evidence['senses']): 'person' | 'staff' | 'thing' | undefined {
  const role = groups.roles.get(leaf.group)
  if (role === 'staff') return role
  if (role === 'person') return meaningOf(leaf.around[0] ?? '').to ? 'staff' : 'person'
  let group: Group | undefined = leaf.group
  const above = leaf.group.parent
  // Beside a contact, a form holds what its person answered, and an order what they wrote.
  const isBeside = above !== undefined && groups.contact.has(above) && !senses.name
  const isOfThing = Boolean(senses.first || senses.last || senses.company || senses.city || senses.source)
  const isOwn = (word: string) =>
    answered.has(word) || Boolean(senses.email || senses.phone) || (!isOfThing && asked.has(word))
  if (leaf.around.some((name) => schema.test(name))) return 'thing'
  for (const [distance, name] of leaf.around.entries()) {
    const meaning = meaningOf(name)
    const { person, staff, thing, words } = meaning
    if (isOwner(meaning, groups)) return 'person'
    const holder = named(leaf.group, name)
    const outer = leaf.around[distance + 1] ?? ''
    if (asker.test(words.join(' ')) && !staff) return 'person'
    // Where goods go to is where their buyer lives.
    if (/^(destination|receiver|recipient)$/i.test(name) && holder && groups.placed.has(holder)) return 'person'
    // The attributes of a target are those of a record, not of a receiver.
    if (meaning.to && hollow.test(leaf.around[distance - 1] ?? '')) continue
    if (staff) {
      if (
        (distance === 0 && groups.registered.has(leaf.group)) ||
        envelopes.test(name) ||
        (told.test(words.join(' ')) && !words.includes('by')) ||
        (/\d/.test(name) && told.test(meaningOf(outer).words.join(' ')))
      )
        continue
      return 'staff'
    }
    // A contact's own channels.
    if (/channels$/i.test(name) || (thing && group && groups.named.has(group))) continue
    if (thing) {
      const container =
        /^(request|application|enquiry|inquiry|registration|submission|signup)s?$/.test(words.at(-1) ?? '') ||
        words.every((word) => containers.has(word.replace(/s$/, '')) || !meaningOf(word).thing)
      const isEvent = words.every((word) => word === 'event' || word === 'events')
      if (/^forms?$/i.test(name) && ownText.test(leaf.labels[0] ?? '')) continue
      if (isEvent && senses.notes && (distance > 0 || ownText.test(leaf.labels[0] ?? ''))) continue
      const within = holder ?? group
      const holdsContact = (isBeside && words.some(isOwn)) || (within !== undefined && groups.contactWithin.has(within))
      if (container && (holdsContact || role === 'message' || neutral.test(words.join(' ')))) continue
      return 'thing'
    }
    if (person && !words.some((word) => anybody.has(word))) {
      const generic = words.every((word) => anyones.has(word))
      return generic && meaningOf(outer).words.some((word) => firms.test(word)) ? 'staff' : 'person'
    }
    // The parts of an address have no group of their own.
    if (group?.name === name) group = group.parent
  }
  return undefined
}

/** Returns the outermost group of this name around a group. */
function named(group: Group, name: string): Group | undefined {
  let found: Group | undefined
  for (let one: Group | undefined = group; one; one = one.parent) if (one.name === name) found = one
  return found
}

const ownText = /^(message|comments?|notes?|instructions)$/i

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

/** Whether a key at the top of a payload says what an event is. */
export const isEventsKey = (key: string) =>
  /^((system|webhook)?event(type|name|action)?|\w*eventtype|type|topic|trigger|object)$/.test(
    key.toLowerCase().replace(/[^a-z]/g, ''),
  )

export const isEventsType = ({ around, labels }: Evidence) =>
  around.every((name) => /^(data|payload|body|result|record)$/i.test(name)) && isEventsKey(labels[0] ?? '')
