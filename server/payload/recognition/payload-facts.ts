import { isJid, mailboxIn, phoneIn } from '../../contacts/written-contact.ts'
import { meaningOf } from './label.ts'
import { isAtTop } from './label-within.ts'
import type { Group, Leaf } from './leaves.ts'
import { isOwner, type Owners, ownersIn } from './owners.ts'
import { type Role, rolesIn } from './record-roles.ts'

/** What a payload says as a whole: what it is about, who takes part, and whose its records are. */
export type Facts = {
  /** Whether a message has senders, so that its recipients are the business. */
  hasSender: boolean
  /** Whether a document has signers, so that its sender is the business. */
  hasSigner: boolean
  /** Whether somebody else is the customer, so that a user is of the business. */
  hasVisitor: boolean
  /** Whether a lead has another contact than the sender, who then is of the business. */
  hasLead: boolean
  /** Whether it is a lead that somebody sells, so that its buyer is the business. */
  isSold: boolean
  /** Whether somebody applies, so that an author is of the business. */
  hasApplicant: boolean
  /** Whether it is about a program, about employees, or about what the business buys: all people in it are its own. */
  isInternal: boolean
  /** Whether it is about the driver of a delivery. The drivers of an insurance lead are the lead's. */
  isOfDriver: boolean
  /** Whether it is about a call, whose users are the business's. */
  isCall: boolean
  /** Whether a person of the business is named, so that a user is another. */
  hasAgent: boolean
  /** Whether it is a deal in the pipeline of a CRM, whose users are of the business. */
  isDeal: boolean
  /** Whether the number that was called is named, so that `cid` or `who` is the caller's. */
  hasCalled: boolean
  /** Whether it is about a voicemail, whose transcript is the caller's alone. */
  isVoicemail: boolean
  /** Whether the business called or wrote, so that the receiver is the lead. */
  isOutbound: boolean
  /** Whether it is a message of the business's own account, which makes its receiver no lead. */
  isEcho: boolean
  /** Whether a message has the number of its source, so that the name of the source is the sender's. */
  hasSourceNumber: boolean
  /** Whether goods go to a postal address, so that their receiver is the customer and their sender the business. */
  isShipped: boolean
  owners: Owners
  /** Whether a contact is not that of a user. */
  hasOtherContact: boolean
  /** Records with a contact, and those with one inside. */
  withContact: Set<Group>
  aroundContact: Set<Group>
  /** Records of calls and messages, with both of their sides. */
  calls: Set<Group>
  /** Records that name a person, so that they are that person's. */
  named: Set<Group>
  /** Whether one of these has a contact, so that whoever entered it is somebody else. */
  hasNamedContact: boolean
  /** Records with a postal code or a street. */
  placed: Set<Group>
  /** Records of partners and dealers who register. */
  registered: Set<Group>
  /** Records of people to contact who have a relationship to the person whose record is around them. */
  relatives: Set<Group>
  roles: Map<Group, Role>
}

export function factsOf(leaves: Leaf[]): Facts {
  const keys = [...new Set(leaves.map(({ labels }) => labels[0] ?? ''))]
  const outer = [...new Set(leaves.flatMap(({ around }) => around))]
  const names = [...keys, ...outer]
  const groupsOf = (isMeant: (leaf: Leaf) => boolean) => new Set(leaves.filter(isMeant).map(({ group }) => group))
  const hasVisitor = keys.some(isVisitor) || outer.some(isVisitors)
  const owners = ownersIn(leaves, names, hasVisitor)
  const contacts = leaves.filter((leaf) => isCustomersContact(leaf, owners))
  const withContact = new Set(contacts.map(({ group }) => group))
  const isSideOf = (side: 'from' | 'to') => (leaf: Leaf) => isSide(leaf.labels[0], side) && !isOfMove(leaf)
  const calls = groupsOf(isSideOf('from')).intersection(groupsOf(isSideOf('to')))
  const named = groupsOf((leaf) => {
    const { person, senses } = meaningOf(leaf.labels[0] ?? '')
    return person && senses.name === 95 && !isRelatives(leaf)
  })
  return {
    hasSender: outer.some((name) => /^senders?$/i.test(name)),
    hasSigner:
      outer.some((name) => meaningOf(name).words.some(isSigner)) ||
      leaves.some(({ labels, value }) => /^role$/i.test(labels[0] ?? '') && isSigner(value.toLowerCase())),
    hasVisitor,
    hasLead: hasLeadBesideSender(contacts),
    isSold: isSold(leaves, contacts),
    hasApplicant: names.some((name) => /^(applicant|candidate)$/i.test(name)),
    isInternal:
      names.some((name) => internal.test(name)) ||
      leaves.some(isInternalEvent) ||
      haveEach(names, plan) ||
      (!hasVisitor && haveEach(names, purchase)),
    isOfDriver:
      leaves.some(({ labels, value }) => /type|event|status/i.test(labels[0] ?? '') && /^driver[_ .-]/.test(value)) ||
      keys.some((key) =>
        /^(trip[ _-]?fare|estimated[ _-]?trip[ _-]?fare|pickup[ _-]?eta\w*|delivery[ _-]?eta)$/i.test(key),
      ),
    isCall:
      calls.size > 0 ||
      keys.some((key) => /^call[ _-]?(s?id|uuid|status|duration|direction|type)$/i.test(key)) ||
      leaves.some(({ labels, value }) => /^(call[ _-]?)?direction$/i.test(labels[0] ?? '') && isDirection.test(value)),
    hasAgent: outer.some((name) => /^(agent|assignee|operator|assigned[ _-]?user)s?$/i.test(name)),
    isDeal: keys.some((key) => /^pipeline([ _-]?(id|name))?$/i.test(key)),
    hasCalled: keys.some((key) => /^((called|dialed|dialled)[ _-]?(number|no)|did)$/i.test(key)),
    isVoicemail: names.some((name) => /^voice[ _-]?mail/i.test(name)),
    isOutbound: (leaves.some(isOutbound) || isByExtension(leaves)) && !isToExtension(leaves),
    isEcho: keys.some((key) => /^from[ _-]?me$/i.test(key)),
    hasSourceNumber: keys.some((key) => /^source[ _-]?(address|msisdn|number|phone)$/i.test(key)),
    isShipped: leaves.some(isDestination) || haveEach(keys, parcel) || haveEach(keys, delivery),
    owners,
    hasOtherContact: [...contacts, ...leaves.filter(isSidesNumber)].some(
      ({ around, labels }) => !isUsers(around) && !/^user[ _-]/i.test(labels[0] ?? ''),
    ),
    withContact,
    aroundContact: new Set([...withContact].flatMap(withOuter)),
    calls,
    named,
    hasNamedContact: contacts.some(({ group, around }) => named.has(group) && !around.some((name) => isBy.test(name))),
    placed: groupsOf(({ labels }) => /^(zip|post|pin|street|address)/i.test(labels[0] ?? '')),
    registered: hasVisitor ? new Set() : registeredIn(leaves),
    relatives: relativesIn(leaves, withContact),
    roles: rolesIn(leaves, withContact),
  }
}

/** The record of who did something: `raised_by`. */
export const isBy = /^[a-z]+(ed|en)[ _-]?by$/i

/** Names of programs and their versions, and of requests for leave. */
const internal =
  /^(repository|project[ _-]?slug|commits?$|commit[ _-]?(id|sha|message|author)|git[ _-]?(ssh|http|branch|commit)|((leave|absence|time[ _-]?off)[ _-]?(type|request)|employee[ _-]?details)$)/i

/** Whether it is an event of the business's own money, staff, stock or servers. */
const isInternalEvent = ({ labels: [label = ''], around, value }: Leaf) =>
  isAtTop(around) &&
  /^(event([ _-]?(type|name))?|type|topic|trigger|action)$/i.test(label) &&
  /^(payouts?|payroll|deploy(ment|ed)?|builds?|backup|inventory|stock|shift|timesheet|expense|bill|domain|certificate|ssl|server|monitor|release|(team[ _-]?)?member[ ._-]invited|user[ ._-]?log(ged)?[ _-]?(in|out)|(driver|vehicle|employee|staff|technician)s?[ ._-](created|updated|deleted|activated|deactivated))([ ._:-]|$)/i.test(
    value,
  )

/** Whether each pattern is that of a name. */
const haveEach = (names: readonly string[], patterns: readonly RegExp[]) =>
  patterns.every((pattern) => names.some((name) => pattern.test(name)))

/** A plan of who works on a project, and how long. */
const plan = [/^resource[ _-]?ids?$/i, /^project[ _-]?id$/i, /^durations?$/i]

/** A bill or an order that names who is paid for it. */
const purchase = [
  /^(vendor|supplier)[ _-]?(id|name|code)$/i,
  /^(bills?|purchases?|expenses?|(vendor|supplier)[ _-]?(bill|invoice|credit)s?|(bill|purchase[ _-]?order|po)[ _-]?(id|no|number|date))$|^purchase[ _-]?orders?$/i,
]

/** A parcel on its way between two postal addresses. A person who only requests one is its sender. */
const parcel = [
  /^(awb|courier|shipment|tracking)/i,
  /^(sender|shipper)[ _-]?(city|post|zip|pin)/i,
  /^(receiver|recipient|consignee)[ _-]?(city|post|zip|pin)/i,
]

/** A delivery with the number of its sender beside that of its receiver. */
const delivery = [/^tracking[ _-]?(number|no|id)$/i, /^sender[ _-]?phone/i, /^phone([ _-]?number)?$/i, /^address/i]

/** Whether a lead's own id, name and contact are at the top, so that others in it are those who buy or sell it. */
function isSold(leaves: readonly Leaf[], contacts: readonly Leaf[]): boolean {
  const isTop = (isMeant: (label: string) => boolean) => (leaf: Leaf) =>
    isAtTop(leaf.around) && isMeant(leaf.labels[0] ?? '')
  return (
    leaves.some(isTop((label) => /^lead[ _-]?id$/i.test(label))) &&
    leaves.some(isTop((label) => meaningOf(label).senses.first === 92)) &&
    contacts.some(isTop(() => true))
  )
}

/** Whether a lead and a sender have contacts, and none in common. */
function hasLeadBesideSender(contacts: readonly Leaf[]): boolean {
  const valuesIn = (name: string) =>
    new Set(contacts.filter(({ around }) => around[0]?.toLowerCase() === name).map(({ value }) => value))
  const [leads, senders] = [valuesIn('lead'), valuesIn('sender')]
  return leads.size > 0 && senders.size > 0 && leads.isDisjointFrom(senders)
}

/** Whether it is an email or a phone that is not one of the business's. */
function isCustomersContact({ labels, around, group, value }: Leaf, owners: Owners): boolean {
  const meaning = meaningOf(labels[0] ?? '')
  const above = meaningOf(around[0] ?? '')
  if ((meaning.staff && !isOwner(meaning, owners, group)) || (above.staff && !isOwner(above, owners))) return false
  if (mailboxIn(value) || isJid(value)) return true
  const { phone = 0, reach } = meaning.senses
  return (phone > 60 || Boolean(reach)) && phoneIn(value) !== undefined
}

const notice =
  /^((whatsapp|wa|waba|connection|instance|device|channel|line)[ ._:-]?(open(ed)?|closed?|(dis)?connected|update|status([ ._-]?(updated?|changed?))?|ready|qr|banned|log(ged)?[ _-]?out)|session[ ._:-]?((dis)?connected|status|ready|qr|log(ged)?[ _-]?out)|(dis)?connected[ _-]?callback|((whatsapp|wa)[ ._:-]?)?(message|msg|sms)s?[ ._:-]?(ack|receipt|status|delivered|undelivered|read)([ ._-]?(updated?|callback|changed))?|dlr|delivery[ ._-]?(reports?|receipts?|events))$/i

/** Whether a line of the business connected, or a message that it sent arrived: nobody wrote or called. */
export function isNotice(leaves: readonly Leaf[]): boolean {
  const has = (name: RegExp, value?: RegExp) =>
    leaves.some((leaf) => name.test(leaf.labels[0] ?? '') && (value?.test(leaf.value) ?? leaf.value !== ''))
  if (has(/text|body|^(message|content|caption|conversation)$/i, /\p{L}/u)) return false
  if (has(/^(event([ _-]?(type|name))?|type|topic|trigger|action)$/i, notice)) return true
  const arrived = /^(delivered|undelivered|undeliverable|delivrd|read|seen|delivery[ _-]ack)$/i
  // A parcel has a sender and a status too, but no `desc` of it.
  if (has(/^sender[ _-]?id$/i) && has(/^desc$/i, arrived)) return true
  if (!has(/^((message|msg|sms)[ _-]?(s?id|uuid)s?|msisdn)$/i)) return false
  return has(/^((message|sms)[ _-]?)?(status|state)$|^(event|type)$/i, arrived)
}

/** Whoever is alone in a payload is the lead, so it has a contact outside of these records too. */
function relativesIn(leaves: readonly Leaf[], withContact: ReadonlySet<Group>): Set<Group> {
  const found = new Set(
    leaves.flatMap(({ labels: [label = ''], around, group }) =>
      [label, ...around].some((name) => /^relation(ship)?([ _-]?type)?$/i.test(name))
        ? withOuter(group).filter(({ name = '' }) => /^contacts?$/i.test(name))
        : [],
    ),
  )
  if (found.size === 0) return found
  const isOutside = (group: Group) => withOuter(group).every((one) => !found.has(one))
  return [...withContact].some(isOutside) ? found : new Set()
}

export function withOuter(group: Group): Group[] {
  return group.parent ? [group, ...withOuter(group.parent)] : [group]
}

/** Beside the person's own name, email or phone, that of a parent or of a recipient is somebody else's. */
export function isRelatives({ labels: [label = ''] }: Leaf): boolean {
  const { words, question } = meaningOf(label)
  const isOther = relatives.has(words[0] ?? '') || /^(direct|notification) recipient/.test(words.join(' '))
  return isOther && words.length > 1 && !question && !/\bor\b|\//.test(label)
}

const relatives = new Set(['parent', 'parents', 'guardian', 'father', 'mother', 'spouse', 'recipient'])

/** Whether a name only says which side of a call or message it holds. */
export function isSide(name: string | undefined, side: 'from' | 'to'): boolean {
  const meaning = meaningOf(name ?? '')
  return (
    meaning[side] &&
    (meaning.words.length === 1 ||
      /^(caller|callee|called|from|to|receiver) (number|phone)$/.test(meaning.words.join(' ')))
  )
}

/** Whether it is the number of a side of a call, or one of which no more is said. */
const isSidesNumber = ({ labels: [label = ''], value }: Leaf) =>
  (/^number$/i.test(label) || isSide(label, 'from') || isSide(label, 'to')) && /^\+?\d{9,15}$/.test(value)

/** Whether it is in the record of a user, which is not that of a customer. */
export const isUsers = (around: readonly string[]) =>
  /^((participating|internal)[ _-]?)?(users?|member)$/i.test(around[0] ?? '') &&
  !around.some((name) => /visitor|customer|prospect|author|sender|message|lead|contact|caller|invitee/i.test(name))

/** Whether it is a side of a move or a trip. */
const isOfMove = ({ value }: Leaf) =>
  /^\d{4,6}$|^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i.test(value)

const recruited = /(partner|dealer|vendor|franchise|reseller|affiliate|supplier)$/i

/** Returns the records with both names and a company. */
function registeredIn(leaves: Leaf[]): Set<Group> {
  const groups = leaves.filter(({ around }) => recruited.test(around[0] ?? '')).map(({ group }) => group)
  const holding = (sense: 'first' | 'last' | 'company') =>
    new Set(leaves.filter(({ labels }) => meaningOf(labels[0] ?? '').senses[sense]).map(({ group }) => group))
  return new Set(groups).intersection(holding('first')).intersection(holding('last')).intersection(holding('company'))
}

const isDirection = /^(in|out)(bound|going|coming)?$/i

/** Whether it says that a call or a message is the business's. */
function isOutbound({ labels, value }: Leaf): boolean {
  const label = labels[0] ?? ''
  if (/^(name|event([ _-]?(type|name))?)$/i.test(label))
    return /^(new_)?(outgoing|outbound)[_ -]?call|^calls?[_ .:-](outgoing|outbound)/i.test(value)
  return (
    labels.some((label) =>
      /direction|call[ _-]?(type|mode)|^(type|mode)$|^(is_?)?(in|out)(bound|coming|going)$/i.test(label),
    ) &&
    /^((extension|user|agent)[ _-])?(outbound|outgoing|out|outbound-(api|dial)|click.?to.?call|c2c|dialer)(?![a-z])/i.test(
      value,
    )
  )
}

/** The numbers of one side of a call or a message. */
const numbersOf = (leaves: readonly Leaf[], side: 'from' | 'to') =>
  leaves.filter((leaf) => isSide(leaf.labels[0], side) && /^\+?\d{2,15}$/.test(leaf.value)).map(({ value }) => value)

/** Whether an extension of the business calls. */
function isByExtension(leaves: readonly Leaf[]): boolean {
  if (leaves.some(isExtensionsType)) return true
  const [from, to] = [numbersOf(leaves, 'from'), numbersOf(leaves, 'to')]
  const isShort = from.length === 1 && from[0]!.length <= 5 && to.length === 1 && to[0]!.length >= 9
  // A message from a short number has such sides too.
  return isShort && leaves.some(namesCall)
}

const isExtensionsType = ({ labels: [label = ''], value }: Leaf) =>
  /^(origin|from|caller|source)[ _-]?type$/i.test(label) && /^(extension|user|agent|internal)$/i.test(value)

const namesCall = ({ labels: [label = ''], around, value }: Leaf) =>
  [label, ...around].some((name) => /call/i.test(name)) || (/^(event|type)/i.test(label) && /call/i.test(value))

/** Whether it is part of the postal address that goods go to. */
const isDestination = ({ labels: [label = ''], value }: Leaf) =>
  /^to[ _-]?(address|street|ward|district)$/i.test(label) && /\p{L}/u.test(value) && !value.includes('@')

/** Whether a call goes to an extension of the business, also if the business made it. */
function isToExtension(leaves: readonly Leaf[]): boolean {
  const sideIn = (side: 'from' | 'to') =>
    leaves.filter(({ labels }) => meaningOf(labels[0] ?? '')[side] && isNumber(labels[0]))
  const [from, to] = [sideIn('from'), sideIn('to')]
  return to.length === 1 && /^\d{2,5}$/.test(to[0]!.value) && from.length === 1 && /^\+?\d{9,15}$/.test(from[0]!.value)
}

const isNumber = (label: string | undefined) => meaningOf(label ?? '').words.at(-1) === 'number'

const isSigner = (word: string) => /^signers?$/.test(word)

const customers = new Set(['visitor', 'customer', 'prospect'])
const isVisitor = (name: string) => customers.has(meaningOf(name).words[0] ?? '')
const isVisitors = (name: string) =>
  /^((primary|main)[ _-]?)?(contact|lead|caller|invitee|person)s?$/i.test(name) || isVisitor(name)
