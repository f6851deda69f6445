import { mailboxIn, phoneIn } from '../../contacts/written-contact.ts'
import { isKnownCity } from './cities.ts'
import { type Evidence, inGroup, isEventsType } from './evidence.ts'
import { meaningOf } from './label.ts'
import type { Leaf } from './leaves.ts'
import { type Candidate, type Choice, choose, type Features, type Scoring } from './scoring.ts'
import { besideContact, isOfContactPerson, isOfUnknown, isOfUnknownPrefix, isWithin } from './surroundings.ts'
import {
  hasLegalForm,
  isCompanyLike,
  isThingLike,
  isUnread,
  isWithheld,
  isWordAndSurname,
  lastDigits,
  mayBeName,
  nameShape,
} from './values.ts'

export type NameChoice = { whole: Choice } | { first: Choice | undefined; last: Choice | undefined }

/** Chooses a whole name or its parts: parts win where they are surer together than the whole name is. */
export function chooseName(all: Evidence[], contacts: Evidence[], scoring: Scoring): NameChoice | undefined {
  const usable = all.filter((one) => !one.staff && (!one.thing || isChats(one)) && !one.attribute)
  const numbered = numberedParts(all)
  if (numbered) return numbered
  const candidates = <Field extends 'name' | 'first_name' | 'last_name'>(
    describe: (evidence: Evidence) => Features<Field> | undefined,
  ) =>
    usable.flatMap((evidence): Candidate<Field>[] => {
      const features = describe(evidence)
      return features && !isOfUnknown(evidence, contacts) ? [{ evidence, value: evidence.value, features }] : []
    })
  const whole = choose(
    'name',
    candidates<'name'>((one) => wholeFeatures(one, contacts, all)),
    scoring,
  )
  const firsts = candidates<'first_name'>((one) => partFeatures(one, 'first', contacts, all))
  // The first name beside a name of one word is the other part of it.
  const beside =
    whole && !/\s/.test(whole.value) ? firsts.filter(({ evidence }) => evidence.group === whole.evidence.group) : []
  const first = choose('first_name', beside, scoring) ?? choose('first_name', firsts, scoring)
  const lastWord = choose(
    'last_name',
    candidates<'last_name'>((one) => {
      const features = isOfOther(one, first, all) ? undefined : partFeatures(one, 'last', contacts, all)
      return features && { ...features, besideFirst: Number(first?.evidence.group === one.group) }
    }),
    scoring,
  )
  const last = lastWord && { ...lastWord, value: withParticle(lastWord.evidence, all) }
  return (
    partsBeside(whole, first, last) ??
    surer(whole, first, last, scoring) ??
    (whole && { whole: wellWritten(fuller(whole, usable), usable) }) ??
    (last && { first: undefined, last }) ??
    otherName(usable, contacts)
  )
}

type Part = Choice | undefined

/** Whether a last name is that of another person, whose first name is beside it. */
const isOfOther = (last: Evidence, first: Part, all: Evidence[]) =>
  first !== undefined &&
  first.evidence.group !== last.group &&
  inGroup(all, last.group).some((one) => (one.senses.first ?? 0) >= 90 && one.value !== first.value)

/** Returns the last name with its particle, which Dutch forms ask for in a field of its own: `van der` before `Laan`. */
export function withParticle(lastName: Leaf, leaves: readonly Leaf[]): string {
  const particle = leaves.find(
    ({ group, labels, value }) =>
      group === lastName.group && particleKey.test(labels[0] ?? '') && isParticle.test(value),
  )
  return particle ? `${particle.value} ${lastName.value}` : lastName.value
}

const particleKey = /^(tussen[ _-]?voegsels?|infix|(last|sur)[ _-]?name[ _-]?(prefix|infix)|prefix)$/i
const isParticle = /^(van|von|de|den|der|ten|ter|te|vd|op)\b/i

/** A whole name that is only one part of the name, beside the other part. */
function partsBeside(whole: Part, first: Part, last: Part): NameChoice | undefined {
  if (!whole) return undefined
  const { group, person } = whole.evidence
  if (last && !first && isWithin(last.evidence.group, group) && !includes(whole, last)) return { first: whole, last }
  // In German, French and Spanish the plain word for a name is the family name beside a first name.
  const isFamilyName =
    first &&
    !last &&
    (!(person && /first|given|fname/i.test(first.evidence.labels[0] ?? '')) || isLonger(first, whole)) &&
    group === first.evidence.group
  if (isFamilyName && whole.value.split(' ').length <= 2 && !includes(whole, first)) return { first, last: whole }
  return undefined
}

/** Whether the key of one is that of the other and more: `signedNameFirst` beside `signedName`. */
const isLonger = (one: Choice, other: Choice) =>
  one.evidence.labels[0] !== other.evidence.labels[0] &&
  one.evidence.labels[0]?.startsWith(other.evidence.labels[0] ?? '') === true

function surer(whole: Part, first: Part, last: Part, { weights }: Scoring): NameChoice | undefined {
  if (!first) return undefined
  if (!whole) return { first, last }
  // `customer_name` beside `first_name`, which is that of a user.
  const { person, group, senses } = whole.evidence
  if (person && senses.name && !first.evidence.person && group === first.evidence.group) {
    const isOther = !includes(whole, first) && !(last && includes(whole, last))
    if (isOther && /\s/.test(whole.value)) return undefined
  }
  const { withLast, withoutLast } = weights.first_name
  if (first.score + (last ? withLast : withoutLast) <= whole.score) return undefined
  return includes(whole, first) && (!last || includes(whole, last)) ? undefined : { first, last }
}

const includes = (whole: Choice, part: Choice) => whole.value.toLowerCase().includes(part.value.toLowerCase())

/** The key of the last name beside that of the first: Gravity Forms has `1.3` and `1.6` in any field, others `name1` and `name2`. */
function keyOfLast(first: string): string | undefined {
  const [, field, name] = /^(?:(\D*\d+[._])3|(name[._-]?)1)$/i.exec(first) ?? []
  return field === undefined ? name && `${name}2` : `${field}6`
}

function numberedParts(all: Evidence[]): NameChoice | undefined {
  for (const first of all) {
    const key = keyOfLast(first.labels[0] ?? '')
    const last = key && inGroup(all, first.group).find(({ labels }) => labels[0] === key)
    if (!last || nameShape(first.value) < 2 || nameShape(last.value) < 2) continue
    const choice = (evidence: Evidence) => ({
      evidence,
      value: evidence.value,
      reason: 'Field number matches a part of a name',
      score: 60,
    })
    return { first: choice(first), last: choice(last) }
  }
  return undefined
}

/** What stands under the key of a name is one, unless it is something else as a whole. */
const shapeUnderKey = (value: string, named: number) => nameShape(value) || (named >= 75 && mayBeName(value) ? 1 : 0)

const shapeOfPart = (value: string, named: number, part: 'first' | 'last') =>
  part === 'last' && isWordAndSurname(value) ? 2 : shapeUnderKey(value, named)

function wholeFeatures(evidence: Evidence, contacts: Evidence[], all: Evidence[]): Features<'name'> | undefined {
  const { senses, value, person, labels, around } = evidence
  const ofChat = isChats(evidence) && besideContact(evidence, contacts) ? 75 : 0
  const ofCaller = isCallersName(evidence) ? 80 : 0
  const named = Math.max(senses.name ?? 0, Math.min(senses.reach ?? 0, 50), ofChat, ofCaller)
  const isSeveral = /names$/i.test(labels[0] ?? '') && value.includes(',')
  const shape = named > 0 && !isSeveral ? shapeUnderKey(value, named) : 0
  if (shape === 0) return undefined
  if (isClients(evidence, contacts, all) || isOfContactPerson(evidence, all)) return undefined
  if ((!evidence.person && isCompanys(evidence, all)) || isOfAnother(evidence, contacts, all)) return undefined
  if (isCompanyLike(value) && (contacts.length === 0 || hasLegalForm(value))) return undefined
  // The name of a menu, of a kit or of an instance.
  const { unknown } = meaningOf(labels[0] ?? '')
  if (!person && (isOfUnknownPrefix(evidence, all) || (contacts.length === 0 && unknown > 0))) return undefined
  if (isOfProgram(evidence, all)) return undefined
  // Who did something in the sender's system.
  if (contacts.length === 0 && /^(user|member|reported[ _-]?by)$/i.test(labels[0] ?? '')) return undefined
  // In the record of a project, of a task or of time, names are those of things and of a client, which is a company.
  const isClient = [labels[0], around[0]].some((name) => /^client$/i.test(name ?? ''))
  const ofProject = contacts.length === 0 && all.some((one) => one.around.some((name) => /^project$/i.test(name)))
  if (ofProject && (isClient || evidence.bare)) return undefined
  // The name of an account, of a kind of ticket, of a deal.
  if (/^tenant$/i.test(around[0] ?? '') && !besideContact(evidence, contacts)) return undefined
  if (contacts.length === 0 && evidence.bare && isOfDeal(evidence, all)) return undefined
  if (contacts.length === 0 && /^([a-z]+(_[a-z]+)+$|\d)/.test(value)) return undefined
  // The name of an event, such as `order.paid`.
  if (/^[a-z_]+(\.[a-z_]+)+$/.test(value) && inGroup(all, evidence.group).some(isEventsType)) return undefined
  if (named < 75 && (shape < 2 || isCompanyLike(value) || (!person && isKnownCity(value)))) return undefined
  return {
    named: named / 100,
    person: Number(person),
    shape,
    thingLike: Number(isThingLike(value)),
    nickname: Number(/^(chat|notify|push)/i.test(labels[0] ?? '')),
    ...distance(evidence, contacts),
  }
}

/** Whether it is the name of a program: nobody reads its mailbox, or the person's own name is beside it. */
function isOfProgram({ labels: [own = ''], around, group }: Evidence, all: Evidence[]): boolean {
  if (!/^(sender|from)[ _-]?name$/i.test(own)) return false
  return inGroup(all, group).some(
    ({ labels: [label = ''], value, around: outer }) =>
      (/^(sender|from)([ _-]?(e?mail|address))?$/i.test(label) && isUnread(value)) ||
      (/^from/i.test(own) &&
        outer.length === around.length &&
        /^(full[ _-]?)?name$/i.test(label) &&
        nameShape(value) === 2),
  )
}

/** Whether the network knows who calls, and names the caller in place of the number. */
const isCallersName = ({ labels: [label = ''], value }: Evidence) =>
  /^caller[ _-]?id$/i.test(label) && !/\d|caller|blocked/i.test(value) && !isWithheld(value)

/** Whether it is in the record of a deal, or of one of several tickets or orders. */
const isOfDeal = ({ around, group }: Evidence, all: Evidence[]) =>
  /^(tickets|bookings|events|orders)$/i.test(around[0] ?? '') ||
  inGroup(all, group).some(({ labels }) => /(stage|pipeline)[ _-]?id$/i.test(labels[0] ?? ''))

/** Whether it is the title of a chat, which is the name of the person beside whose number it stands. */
const isChats = ({ labels, around }: Evidence) => /^title$/i.test(labels[0] ?? '') && /^chat$/i.test(around[0] ?? '')

/** Whether a plain name is that of what is done for the client, whose name is beside it: `name` and `client`. */
function isClients({ labels, group }: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (!/^name$/i.test(labels[0] ?? '')) return false
  return inGroup(all, group).some((other) => {
    const [label = ''] = other.labels
    const isPersons =
      /^(client|customer|buyer)$/i.test(label) ||
      (/^(client|customer|buyer|user|partner)[ _-]?name$/i.test(label) && /\s/.test(other.value))
    return isPersons && nameShape(other.value) === 2 && !isOfAnother(other, contacts, all) && !isCompanys(other, all)
  })
}

/** Whether the name is that of an organization, which is beside it. */
function isCompanys({ value, group }: Evidence, all: Evidence[]): boolean {
  return inGroup(all, group).some(({ senses, value: other }) => (senses.company ?? 0) >= 80 && other === value)
}

/** Whether another contact has the same beginning: `user_name` beside `user_mobile`, where the lead's is `customer_mobile`. */
function isOfAnother({ labels, group }: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const beginning = /^(.+?)[ _-]?name$/i.exec(labels[0] ?? '')?.[1]?.toLowerCase()
  if (beginning === undefined) return false
  const beside = inGroup(all, group).filter((one) => one.labels[0]?.toLowerCase().startsWith(beginning))
  const spelt = ({ value }: Evidence) => mailboxIn(value)?.email ?? lastDigits(phoneIn(value) ?? '')
  const chosen = new Set(contacts.map(spelt))
  return (
    contacts.some((contact) => contact.group === group && !beside.includes(contact)) &&
    !beside.some((one) => chosen.has(spelt(one))) &&
    beside.some((one) => !one.staff && spelt(one) !== '' && (one.senses.email ?? one.senses.phone ?? 0) >= 60)
  )
}

/** A plain `name` far from the person's email and phone is that of a form, an event or a page. */
function distance(evidence: Evidence, contacts: Evidence[]): Features<'name'> {
  if (besideContact(evidence, contacts)) return { besideContact: 1 }
  const { group, person, bare, around } = evidence
  if (person) return { besideContact: contacts.some((contact) => isWithin(contact.group, group)) ? 0.5 : 0 }
  if (contacts.length === 0 && around.length === 0) return {}
  if (!bare) return { farFromContact: 1 }
  // The name of what the word around it means, a number, a priority, an application.
  const { unknown, senses } = meaningOf(around.find((name) => !neutral.test(name)) ?? '')
  return { bareFarFromContact: 1, ofOther: Number(unknown > 0 || (senses.phone ?? 0) > 0) }
}

/** Names that say nothing about whose a name is. */
const neutral = /^(attributes|properties|data|node|record|fields)$/i

function partFeatures(evidence: Evidence, part: 'first' | 'last', contacts: Evidence[], all: Evidence[]) {
  const named = evidence.senses[part] ?? 0
  if (named === 0 || shapeOfPart(evidence.value, named, part) === 0 || isOfUnknownPrefix(evidence, all))
    return undefined
  return { named: named / 100, person: Number(evidence.person), besideContact: besideContact(evidence, contacts) }
}

/** Prefers a name that begins with this one, which may be a nickname: `Lívia` and `Lívia Prado`. */
function fuller(whole: Choice, all: Evidence[]): Choice {
  if (/\s/.test(whole.value)) return whole
  const better = all.find(
    ({ value, senses, labels }) =>
      (senses.name ?? 0) >= 75 &&
      !/^chat/i.test(labels[0] ?? '') &&
      value.startsWith(`${whole.value} `) &&
      nameShape(value) === 2,
  )
  return better ? { ...whole, evidence: better, value: better.value } : whole
}

/** Prefers the same name in ordinary writing to one in capitals. */
function wellWritten(whole: Choice, all: Evidence[]): Choice {
  if (whole.value !== whole.value.toUpperCase() || !/[A-Z]/.test(whole.value)) return whole
  const better = all.find(({ value }) => value !== whole.value && value.toLowerCase() === whole.value.toLowerCase())
  return better ? { ...whole, evidence: better, value: better.value } : whole
}

/** Without a named name: that before the email address, or a value that looks like one. */
function otherName(all: Evidence[], contacts: Evidence[]): NameChoice | undefined {
  for (const evidence of all) {
    const { name: value, email } = mailboxIn(evidence.value) ?? {}
    const isContacts = contacts.some((contact) => email !== undefined && mailboxIn(contact.value)?.email === email)
    if (value && isContacts && nameShape(value) > 0)
      return { whole: { evidence, value, reason: 'Name before the email address', score: 60 } }
  }
  const evidence = all.find((one) => looksLikeName(one) && !isOfUnknown(one, contacts))
  return (
    evidence && { whole: { evidence, value: evidence.value, reason: 'Value looks like a person’s name', score: 50 } }
  )
}

function looksLikeName({ opaque, senses, value }: Evidence): boolean {
  if (!opaque || Object.keys(senses).length > 0 || nameShape(value) < 2 || /[.,!]$/.test(value)) return false
  const parts = value.split(/\s+/).length
  return parts >= 2 && parts <= 4 && !isCompanyLike(value) && !isThingLike(value) && !isKnownCity(value)
}
