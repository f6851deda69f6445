import { anyones, contextOf } from './context.ts'
import { type Meaning, meaningOf, type Sense, type Senses } from './label.ts'
import { ambiguousRoleWords, isAtTop, meaningWithin, says } from './label-within.ts'
import type { Group, Leaf } from './leaves.ts'
import { isOwner } from './owners.ts'
import { type Facts, factsOf, isBy, isRelatives, isSide, isUsers, withOuter } from './payload-facts.ts'
import { isBlank, isWordAndSurname } from './values.ts'
import { classesOf } from './words.ts'

/** A value with the evidence of its name, its surroundings and its format. */
export type Evidence = Leaf & Omit<Meaning, 'words' | 'unknown'> & { leaf: Leaf; order: number }

/** `nameParts`: first and last names that the owner mapped. */
export function evidenceOf(leaves: Leaf[], nameParts?: ReadonlySet<Leaf>): Evidence[] {
  const facts = factsOf(leaves)
  const all = leaves.flatMap((leaf, order) =>
    isBlank(leaf.value) && !isSurname(leaf, leaves, nameParts) ? [] : [{ ...leaf, ...read(leaf, facts), leaf, order }],
  )
  const students = new Set(all.filter(isStudents))
  const has = (...kinds: Sense[]) => [...students].some(({ senses }) => kinds.some((kind) => senses[kind]))
  const isAskedFor = has('name', 'first') && !has('email', 'phone') && all.some(isAskersName)
  if (students.size > 0 && (isAskedFor || all.some(isParents)))
    return all.map((one) => (students.has(one) ? { ...one, staff: true, person: false } : one))
  if (!all.some(isRelatives)) return all
  const own = all.filter((one) => !isRelatives(one) && !one.staff && !one.thing)
  const kinds = ['email', 'phone', 'name'] as const
  const isOthers = ({ group, around, senses }: Evidence) => {
    const beside = own.filter((one) => one.group === group && one.around.length === around.length)
    return kinds.some((kind) => (senses[kind] ?? 0) >= 45 && beside.some((one) => (one.senses[kind] ?? 0) >= 80))
  }
  return all.map((one) => (isRelatives(one) && isOthers(one) ? { ...one, staff: true, person: false } : one))
}

/** Some people are called Null or None: a last name beside a first name, with a capital letter. */
function isSurname({ labels, value, group }: Leaf, leaves: readonly Leaf[], nameParts?: ReadonlySet<Leaf>): boolean {
  const means = (label: string | undefined, part: Sense) => (meaningOf(label ?? '').senses[part] ?? 0) >= 75
  const isFirstName = (one: Leaf) =>
    nameParts?.has(one) ||
    means(one.labels[0], 'first') ||
    (means(one.labels[0], 'name') && !/\s/.test(one.value.trim()))
  return (
    isWordAndSurname(value) &&
    means(labels[0], 'last') &&
    leaves.some((one) => one.group === group && isFirstName(one) && !isBlank(one.value))
  )
}

/** Whether it says that a parent filled the form, who is the lead. */
const isParents = ({ labels: [label = ''], value }: Evidence) =>
  /fill(er|ed)|respondent|submitter|submitted[ _-]?by|enquirer|inquirer|who are you|^i am/i.test(label) &&
  /^(a |the |my )?(parent|mother|father|guardian|mom|mum|dad)s?$/i.test(value)

/** Whether it is the name of a parent or a visitor, who asks for a student. */
const isAskersName = ({ labels: [label = ''], senses }: Evidence) =>
  Boolean(senses.name || senses.first) &&
  /^(parent|guardian|visitor|enquirer)s?[ _-]?((first|full)[ _-]?)?name$/i.test(label)

const isStudents = ({ labels: [label = ''] }: Evidence) =>
  /^(student|child|pupil|learner|kid|ward)$/.test(meaningOf(label).words[0] ?? '')

function read(leaf: Leaf, facts: Facts) {
  const { group, around, labels } = leaf
  const label = labels[0] ?? ''
  const meanings = meaningsOf(leaf, facts)
  const has = (isMeant: (meaning: Meaning) => boolean) => meanings.some(isMeant)
  const staff = has((meaning) => meaning.staff && !isOwner(meaning, facts.owners, group))
  const isClear = meanings.length > 1 && !meanings[0]!.thing && says(meanings[0]!, 80)
  const thing = !isClear && has((meaning) => meaning.thing)
  const attribute = has((meaning) => meaning.attribute && !meaning.opaque)
  const senses = sensesOf(leaf, meanings, { facts, isOther: staff || thing || attribute })
  const role = facts.roles.get(group)
  const ours = isOfBusiness(leaf, facts)
  const surrounding = contextOf(leaf, facts, senses)
  const own = !ours && has((meaning) => isOfPerson(meaning, surrounding) || isOwner(meaning, facts.owners, group))
  const context = own && !staff && !thing && role !== 'staff' ? 'person' : surrounding
  const from = has((meaning) => meaning.from) || isSide(around[0], 'from')
  const to = has((meaning) => meaning.to) || isSide(around[0], 'to')
  const isReceiver =
    facts.isOutbound &&
    ((to && !/from$/i.test(label)) || /^recipient/i.test(label)) &&
    !/agent|employee|staff|forward|transfer/i.test(label)
  if (isReceiver && (senses.name ?? 0) < 75)
    senses.phone = Math.max(senses.phone ?? 0, /number$/i.test(label) ? 96 : 75)
  const isCaller =
    (facts.isOutbound || facts.isEcho) &&
    (from || /^((push|notify)[ _-]?name$|sender)/i.test(label) || /^sender$/i.test(around[0] ?? '')) &&
    !/customer|client|lead/i.test(label)
  const isUser = facts.calls.has(group) && isUsersName.test(label)
  return {
    senses,
    // A role beside a value does not make the number of a store that of the person.
    person: isReceiver || own || (context === 'person' && !(thing && role === 'person')),
    staff: !isReceiver && (isCaller || staff || ours || context === 'staff' || isUser),
    thing: thing || context === 'thing',
    attribute,
    opaque: meanings.every((meaning) => meaning.opaque),
    bare: !own && meanings.every((meaning) => meaning.bare),
    question: has((meaning) => meaning.question),
    from,
    to: to && !isReceiver,
  }
}

function meaningsOf({ labels, around }: Leaf, facts: Facts): Meaning[] {
  if (labels.length === 0) return [meaningOf('')]
  return labels.map((label) => meaningWithin(around, inFacts(label, facts)))
}

/** Returns the label as what it means in such a payload. */
function inFacts(label: string, { isVoicemail, hasCalled, hasSourceNumber, isShipped }: Facts): string {
  if (hasCalled && /^(cid|who)$/i.test(label)) return 'caller number'
  if (isVoicemail && /^transcript$/i.test(label)) return 'voicemail message'
  if (hasSourceNumber && /^source[ _-]?name$/i.test(label)) return 'sender name'
  if (!isShipped) return label
  return label
    .replace(/^(sender|shipper)[ _-]?(?=[a-z])/i, 'seller ')
    .replace(/^((receiver|recipient|consignee)[ _-]?(?=[a-z])|to[ _-]?(?=(name|phone|mobile)$))/i, 'customer ')
}

/** `isOther`: it is not the lead's, or an attribute, so that the type of its control says nothing. */
function sensesOf(
  { labels: [label = ''], type, group }: Leaf,
  meanings: Meaning[],
  { facts, isOther }: { facts: Facts; isOther: boolean },
): Senses {
  const senses: Senses = {}
  for (const meaning of meanings)
    for (const [sense, strength] of Object.entries(meaning.senses) as [Sense, number][])
      senses[sense] = Math.max(strength, senses[sense] ?? 0)
  const isNamed = Object.values(senses).some((strength) => strength >= 40)
  if (type !== undefined) takeType(senses, meaningOf(type), isNamed || isOther)
  const role = facts.roles.get(group)
  // The name of a customer that is a company.
  if (role === 'company' && /^(name|naam|nombre|nome|nom|nazwa)$/i.test(label))
    Object.assign(senses, { name: 0, company: 95 })
  return senses
}

/** Whether a name says that it is of a person, and of whom the names around it do not say that they are another. */
function isOfPerson({ person, words }: Meaning, context: ReturnType<typeof contextOf>): boolean {
  if (!person || words.some((word) => ambiguousRoleWords.has(word))) return false
  // A contact of an agent is no lead.
  const isSure = words.some((word) => !anyones.has(word) && word !== 'billing' && classesOf(word)?.has('person'))
  return isSure || (context !== 'staff' && context !== 'thing')
}

/** Whether what happened, and who took part, makes it one of the business's. */
function isOfBusiness({ labels: [label = ''], around, group }: Leaf, facts: Facts): boolean {
  const parent = around[0] ?? ''
  const isOthers = facts.hasOtherContact && !facts.hasAgent
  const isUsed = isOthers && (facts.isCall || facts.hasVisitor || facts.isDeal)
  // Beside a sender or a caller with a contact, a user is who received the message or the call.
  const isBesideSides = isOthers && (facts.hasSender || facts.isCall)
  return (
    facts.isInternal ||
    (facts.relatives.size > 0 && withOuter(group).some((one) => facts.relatives.has(one))) ||
    around.some((name) => ourselves.test(name)) ||
    (/^user/i.test(label) && /^(context|actor|initiator)$/i.test(parent)) ||
    (isUsed && isUsers(around)) ||
    (facts.isCall && !facts.isOutbound && around.some((name) => /^out(bound|going)[ _-]?calls$/i.test(name))) ||
    (facts.isCall && /^(buyer|publisher|affiliate)([ _-]?name)?$/i.test(label)) ||
    (isBesideSides && isAtTop(around) && /^user[ _-]?(phone|email|name|number)$/i.test(label)) ||
    (facts.hasOtherContact && /^user[ _-]?login$/i.test(label)) ||
    (facts.hasSigner && (/^sender[ _-]?(name|email)$/i.test(label) || around.some((name) => /^sender$/i.test(name)))) ||
    (facts.hasSender && !facts.hasSigner && around.some((name) => /^recipients?$/i.test(name))) ||
    (facts.hasVisitor && /^(submitter|(submitted|booked|placed)[ _-]?by)$/i.test(parent)) ||
    (facts.hasNamedContact && isBy.test(parent)) ||
    (facts.hasLead && around.some((name) => /^sender$/i.test(name))) ||
    (facts.isSold && /^(buyer|client|publisher|partner)$/i.test(parent)) ||
    (facts.hasApplicant && /^author$/i.test(parent)) ||
    (facts.isOfDriver && /^driver/i.test(parent)) ||
    (facts.hasVisitor &&
      facts.hasOtherContact &&
      (/^(driver|rider|resource)$/i.test(parent) || /^driver[ _-]?(name|e?mail|phone|mobile|number|city)/i.test(label)))
  )
}

/** In a call, a user is the one of the business, and so is a peer. */
const isUsersName = /^(users?|peer|extension)([ _-]?(name|email))?(\[\])?$/i

/** The account or the line that received the message or the enquiry. */
const ourselves = /^(me|professional|line|(current|logged[_ ]?in|session|auth)[_ ]?user)$/i

const typed = ['email', 'phone', 'name', 'city', 'company'] as const

/** Uses the type of a form's control if its label is unclear. */
function takeType(senses: Senses, type: Meaning, named: boolean): void {
  for (const sense of named ? typed.slice(0, 2) : typed)
    if (type.senses[sense]) senses[sense] = Math.max(senses[sense] ?? 0, 85)
  if (named) return
  if (type.senses.notes || /long|multi|area|paragraph/.test(type.words.join(' '))) senses.notes = 62
}

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

export const isEventsType = ({ around, labels }: Evidence) => isAtTop(around) && isEventsKey(labels[0] ?? '')
