import { phoneIn } from '../../contacts/written-contact.ts'
import { type Evidence, inGroup, isEventsType, isUnnamed } from './evidence.ts'
import { meaningOf } from './label.ts'
import type { Group } from './leaves.ts'
import { contactPersons } from './record-roles.ts'
import { type Choice, choose, type Features, type Scoring } from './scoring.ts'
import { isNetwork } from './source.ts'
import { besideContact, isInRecordOf, isOfContactPerson, isWithin } from './surroundings.ts'
import { isCompanyLike, isId, isNumeric, isThingLike, isWriting, nameShape } from './values.ts'

export function chooseCompany(
  free: Evidence[],
  contacts: Evidence[],
  scoring: Scoring,
  all: Evidence[],
): Choice | undefined {
  const candidates = free.flatMap((evidence) => {
    const features = namedFeatures(evidence, contacts, all) ?? companyLike(evidence, contacts)
    return features ? [{ evidence, value: evidence.value, features }] : []
  })
  return choose('company', candidates, scoring)
}

function namedFeatures(evidence: Evidence, contacts: Evidence[], all: Evidence[]): Features<'company'> | undefined {
  const { senses, value, staff, thing, attribute, person } = evidence
  if (isNetwork(value)) return undefined
  if (isCustomersAccount(evidence, contacts, all) && isWriting(value)) return { named: 0.96 }
  if (!senses.company || staff || thing || attribute) return undefined
  if (!isWriting(value) || value.length > 200 || isNumeric(value) || isId(value)) return undefined
  if (kindOfEmployer.test(value)) return undefined
  if (isReceiver(evidence, contacts, all) || (!person && isHirer(evidence, all))) return undefined
  // A company among the answers is the person's own; one outside them may be the business.
  const isAnswered = /^(answers|responses)$/i.test(evidence.around[0] ?? '')
  return {
    named: senses.company / 100,
    person: Number(person || isAnswered),
    besideContact: besideContact(evidence, contacts),
  }
}

/** Whether it is where a candidate applies. */
const isHirer = ({ labels: [label = ''], group }: Evidence, all: Evidence[]) =>
  /^company([ _-]?name)?$/i.test(label) &&
  inGroup(all, group).some(({ labels: [other = ''] }) => /^candidate[ _-]?(first[ _-]?|full[ _-]?)?name$/i.test(other))

/** A kind of employer, or that there is none of those to choose from. */
const kindOfEmployer =
  /^(government|govt|private|public|psu|salaried|self[ _-]?employed|others?|(other|not)[ _-]?listed|unemployed|retired|student)$/i

function companyLike(evidence: Evidence, contacts: Evidence[]): Features<'company'> | undefined {
  const { senses, staff, thing, attribute, value, group } = evidence
  if (!isCompanyLike(value)) return undefined
  if (isUnnamed(evidence)) return nameShape(value) === 2 ? { companyLike: 1 } : undefined
  if ((senses.name ?? 0) < 75 || staff || thing || attribute || isThingLike(value)) return undefined
  const belongsToCompany = (contact: Evidence) =>
    contact.group === group ||
    (isWithin(contact.group, group) && contact.around.some((name) => /^(contact|person|people)s?$/i.test(name)))
  return contacts.some(belongsToCompany) ? { companyLikeName: 1 } : undefined
}

/** In a payment, the account is that of who is paid. */
const paid = /^(currency|iban|bank([ _-]?\w+)?|transaction[ _-]?id|payment[ _-]?id)$/i

/** Whether it names a customer in the words of a CRM, and not the account that received the lead. */
function isCustomersAccount(evidence: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const { labels, around, group } = evidence
  const [label = '', parent = ''] = [labels[0], around[0]]
  if (/^name$/i.test(label) && /^(sales[ _-]?accounts?|account[ _-]?name)$/i.test(parent)) return true
  // The people to contact at a customer are in a list of their own.
  const isPeoples = ({ group: own, around: [name = ''] }: Evidence) => contactPersons.test(name) && isWithin(own, group)
  if (/^customer[ _-]?name$/i.test(label) && contacts.length > 0 && contacts.every(isPeoples)) return true
  const ofAccount = /^account[ _-]?name$/i.test(label)
  // An account that its contact stands beside is that of a CRM.
  const isNear =
    besideContact(evidence, contacts) ||
    inGroup(all, group).some(({ labels }) => /^contact[ _-]?name$/i.test(labels[0] ?? ''))
  const isReceivers = (other: Evidence) =>
    /^(account[ _-]?(email|phone)|dealer)/i.test(other.labels[0] ?? '') ||
    (!isNear && (isEventsType(other) || /^account[ _-]?id/i.test(other.labels[0] ?? '')))
  if (ofAccount && ((contacts.length === 0 && !isNear) || inGroup(all, group).some(isReceivers))) return false
  if (isOfContactPerson(evidence, all)) return true
  return (
    ofAccount &&
    !around.some((name) => meaningOf(name).thing) &&
    !all.some(({ labels: [other = ''] }) => paid.test(other)) &&
    !isAroundCustomer(evidence, contacts) &&
    !all.some(({ value, around: [name = ''] }) => value === evidence.value && receivers.test(name)) &&
    !isCalled(inGroup(all, group))
  )
}

/** Whether it is the company that was called, booked or written to. */
function isReceiver(company: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const { value, around, group, person } = company
  // Where somebody worked before.
  if (around.some((name) => /^(employe?ment|work|job|career)[ _-]?(history|experiences?)|^experiences?$/i.test(name)))
    return true
  if (person || isOfDomain(company, contacts)) return false
  const beside = inGroup(all, group)
  // The id of the account in its own system, outside the person's record.
  if (/^[a-z\d_-]+$/.test(value) && contacts.length > 0 && !besideContact(company, contacts)) return true
  if (around.slice(0, 2).some((name) => receivers.test(name)) || isAroundCustomer(company, contacts)) return true
  if (hasOtherContact(company, contacts, beside)) return true
  // An account of the service has a time zone.
  if (
    meaningOf(around[0] ?? '').senses.company &&
    contacts.length > 0 &&
    beside.some(({ labels }) => /^time[ _-]?zone$/i.test(labels[0] ?? ''))
  )
    return true
  // The same under the name of a warehouse or of a seller.
  const isOthers = (other: Evidence) =>
    other.thing ||
    (other.staff && !/^account$/i.test(other.labels[0] ?? '')) ||
    (receivers.test(other.around[0] ?? '') && !isInRecordOf(other, company))
  if (all.some((other) => other.value === value && other !== company && isOthers(other))) return true
  // The account that an event is of.
  if (
    contacts.length > 0 &&
    !around.some((name) => /^traits$/i.test(name)) &&
    around.some((name) => /^(context|meta(data)?|tenant|workspace|env(ironment)?)$/i.test(name)) &&
    !besideContact(company, contacts)
  )
    return true
  // Records of payments name the merchant, and those of policies the insurer.
  if (beside.some(({ labels }) => /^(merchant|policy|dealer)[ _-]?(id|ref|number|no|code|name)/i.test(labels[0] ?? '')))
    return true
  if (isTenant(company, contacts, beside) || isSenders(company, contacts, beside)) return true
  if (isOfVacancy(company, contacts, all)) return true
  const isShipper =
    /^(shipping|delivery|courier)$/i.test(around[0] ?? '') && !beside.some(({ senses }) => senses.name || senses.first)
  return isShipper || isCalled(beside) || isApart(company, contacts, all)
}

/** Whether it is the name of the email's domain: `Bright Forge` of `laura@brightforge.io`. */
function isOfDomain({ value }: Evidence, contacts: Evidence[]): boolean {
  if (!/\p{Lu}/u.test(value)) return false
  const plain = value.toLowerCase().replace(/[^a-z\d]/g, '')
  return contacts.some(({ value: contact }) => {
    const [, domain = ''] = /@(?:[\w-]+\.)*?([\w-]+)(?:\.(?:com?|net|org|ac|gov))?\.[a-z]{2,}$/i.exec(contact) ?? []
    return domain.length > 3 && domain.toLowerCase().replaceAll('-', '') === plain
  })
}

/** Records of the business that received the lead, which may have an address inside. */
const receivers = /^(business|merchant|store|shop|salon|clinic|branch)$/i

/** Whether it is named with its id beside an event, around the record of its contact. */
function isTenant(
  { labels: [label = ''], group }: Evidence,
  contacts: Evidence[],
  beside: readonly Evidence[],
): boolean {
  if (contacts.some((contact) => contact.group === group) || !beside.some(isEventsType)) return false
  const [, ofName] = /^(.+?)[ _-]?name$/.exec(label.toLowerCase()) ?? []
  const isItsId = (other: string) => /^(.+?)[ _-]?id$/.exec(other.toLowerCase())?.[1] === ofName
  return ofName !== undefined && beside.some(({ labels: [other = ''] }) => isItsId(other))
}

/** Whether it has a contact of its own beside the lead's: `business` and `business_email` beside `customer_email`. */
function hasOtherContact({ labels, group }: Evidence, contacts: Evidence[], beside: readonly Evidence[]): boolean {
  const own = /^(business|merchant|firm|member(?=[ _-]?company))(?=[ _-]?(company|name)$|$)/i.exec(labels[0] ?? '')?.[1]
  if (own === undefined) return false
  const itsContact = new RegExp(`^${own}[ _-]?(email|phone|mobile)$`, 'i')
  const isOwn = ({ labels: [label = ''] }: Evidence) => itsContact.test(label)
  return !contacts.some(isOwn) && contacts.some((contact) => contact.group === group) && beside.some(isOwn)
}

/** Whether it stands beside what was sent, which holds the contact: `organization` beside `data`. */
function isSenders({ group, around }: Evidence, contacts: Evidence[], beside: readonly Evidence[]): boolean {
  const isRecord = Boolean(meaningOf(around[0] ?? '').senses.company)
  if (contacts.length === 0 || !(isRecord || beside.some(isEventsType))) return false
  const outer = isRecord ? group.parent : group
  return contacts.every((contact) => {
    for (let inner: Group | undefined = contact.group; inner; inner = inner.parent)
      if (inner.parent === outer && /^(data|payload|body|event|object)$/i.test(inner.name ?? '')) return true
    return false
  })
}

/** Whether somebody applies to it: it is named outside the record of the applicant, with an application. */
function isOfVacancy({ labels, group }: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (/^employer([ _-]?name)?$/i.test(labels[0] ?? '') && contacts.some(isCandidates)) return true
  if (contacts.length === 0 || contacts.some((contact) => contact.group === group)) return false
  return all.some(
    ({ labels: [label = ''], around }) =>
      /^candidate/i.test(label) ||
      around.some((name) => /^((job|volunteer)[ _-]?)?(application|candidate)$/i.test(name)),
  )
}

const isCandidates = ({ labels: [label = ''] }: Evidence) => /^candidate/i.test(label)

/** Whether the company is around the record of its customer, and so is the one that has the customer. */
function isAroundCustomer({ group: own, around }: Evidence, contacts: Evidence[]): boolean {
  const group = (meaningOf(around[0] ?? '').senses.company && own.parent) || own
  return (
    contacts.length > 0 &&
    contacts.every(
      (contact) =>
        contact.group !== group &&
        isWithin(contact.group, group) &&
        contact.around.some((name) => customers.test(name)),
    )
  )
}

const customers =
  /^(customer|client|guest|buyer|patient|attendee|member|subscriber|passenger|student|learner|visitor|end[ _-]?user|adult|participant|signee)s?([ _-]?profiles?)?$/i

/** Whether a record of a call names the company that was called, beside the caller's values. */
function isCalled(beside: readonly Evidence[]): boolean {
  const ofCall = /recording|duration|tracking|call_?(type|id|sid|status)/i
  return (
    beside.some(({ to, senses, labels }) => (to && senses.phone) || ofCall.test(labels[0] ?? '')) &&
    beside.some(({ from, value, person, senses }) => (from && phoneIn(value)) || (person && senses.name))
  )
}

/** Whether it is in the record of a company's contact person. */
const isOfContactRecord = ({ around }: Evidence) =>
  around.some(
    (name) =>
      contactPersons.test(name) ||
      /^(main|primary|company|business)?[ _-]?(contact([ _-]?perso+n)?|person)s?$/i.test(name),
  )

/** Whether the company has a record of its own beside the customer's, or beside staff and services. */
function isApart(company: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (!meaningOf(company.around[0] ?? '').senses.company || contacts.length === 0) return false
  if (
    contacts.some(
      ({ labels, around }) =>
        /^contact[ _-]?(email|phone)/i.test(labels[0] ?? '') || /^personal/i.test(around[0] ?? ''),
    )
  )
    return false
  const { parent } = company.group
  const beside = contacts.filter(({ group }) => group === parent || group === company.group)
  // Beside values that are said to be a customer’s, it is not the customer’s.
  if (beside.length > 0)
    return beside.every(({ group, labels }) => group === parent && meaningOf(labels[0] ?? '').person)
  if (/^(booking|appointment|reservation)$/i.test(company.around[1] ?? '')) return true
  // A contact beside a company comes from a CRM; a customer beside a company comes from the company itself.
  if (contacts.some(isOfContactRecord)) return false
  if (contacts.some(({ group, person }) => person && group.parent === parent)) return true
  return all.some(({ group, staff, thing }) => group !== company.group && group.parent === parent && (staff || thing))
}
