import type { Choice } from './choose-contact.ts'
import { isKnownCity } from './cities.ts'
import { type Evidence, inGroup } from './evidence.ts'
import { meaningOf } from './label.ts'
import type { Group } from './leaves.ts'
import { isCompanyLike, isLink, isNumeric, mailboxIn, nameShape, phoneIn } from './values.ts'

type ScoreOf = (evidence: Evidence) => number

export function best(all: Evidence[], least: number, reason: string, scoreOf: ScoreOf): Choice | undefined {
  let chosen: Choice | undefined
  for (const evidence of all) {
    const score = scoreOf(evidence)
    if (score < least || (chosen && score <= chosen.score)) continue
    chosen = { evidence, value: evidence.value, reason, score }
  }
  return chosen
}

export function isWriting(value: string): boolean {
  return /\p{L}/u.test(value) && !isLink(value) && !mailboxIn(value) && !/^\d{4}-\d\d-\d\d/.test(value)
}

export function near(evidence: Evidence, contacts: Evidence[]): number {
  return contacts.some((contact) => contact.group === evidence.group) ? 6 : 0
}

export function chooseCompany(free: Evidence[], contacts: Evidence[], all: Evidence[]): Choice | undefined {
  const named = best(free, 55, 'Field name matches a company', (evidence) => {
    const { senses, value } = evidence
    if (!senses.company || evidence.staff || evidence.thing || evidence.attribute) return 0
    if (!isWriting(value) || value.length > 200 || isNumeric(value) || isReceiver(evidence, contacts, all)) return 0
    return senses.company + (evidence.person ? 8 : 0) + near(evidence, contacts)
  })
  return (
    named ??
    best(free, 50, 'Value looks like a company name', (evidence) => {
      return isUnnamed(evidence) && isCompanyLike(evidence.value) && nameShape(evidence.value) === 2 ? 50 : 0
    }) ??
    best(free, 50, 'Name looks like that of a company', (evidence) => {
      const { senses, staff, thing, person, attribute, value, group } = evidence
      if ((senses.name ?? 0) < 75 || staff || thing || person || attribute || !isCompanyLike(value)) return 0
      return contacts.some((contact) => isWithin(contact.group, group)) ? 50 : 0
    })
  )
}

/** The company that was called, booked or written to. */
function isReceiver(company: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (company.person) return false
  const beside = inGroup(all, company.group)
  // The id of the account in its own system, outside the person's record.
  if (
    /^[a-z\d_-]+$/.test(company.value) &&
    contacts.length > 0 &&
    contacts.every(({ group }) => group !== company.group)
  )
    return true
  if (isOfBusiness(company, all)) return true
  if (
    /^(shipping|delivery|courier)$/i.test(company.around[0] ?? '') &&
    !beside.some(({ senses }) => senses.name || senses.first)
  )
    return true
  return isCalled(beside) || isHost(company, contacts, beside) || isApart(company, contacts, all)
}

/** Whether it is in the record of a business that has contacts of its own. */
function isOfBusiness({ around, group }: Evidence, all: Evidence[]): boolean {
  return /^business$/i.test(around[0] ?? '') && inGroup(all, group).some(({ senses }) => senses.phone || senses.email)
}

/** Whether a record of a call names the company that was called, beside the caller's values. */
function isCalled(beside: readonly Evidence[]): boolean {
  const ofCall = /recording|duration|tracking|call_?(type|id|sid|status)/i
  return (
    beside.some(({ labels }) => ofCall.test(labels[0] ?? '')) &&
    beside.some(({ person, senses }) => person && senses.name)
  )
}

const incidental = /form|page|campaign|adset|^ad[ _-]|assign|rep[ _-]|course|product/i

/** Whether the company is around the person's record, beside the names of an event, a bot or a shop. */
function isHost(company: Evidence, contacts: Evidence[], beside: readonly Evidence[]): boolean {
  if (!contacts.some(({ group }) => group !== company.group && isWithin(group, company.group))) return false
  return beside.some(({ thing, staff, labels: [label = ''] }) => {
    return (thing || staff) && /name|code|title/i.test(label) && !incidental.test(label)
  })
}

/** Whether the company has a record of its own beside the customer's, or beside staff and services. */
function isApart(company: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (!meaningOf(company.around[0] ?? '').senses.company || contacts.length === 0) return false
  const { parent } = company.group
  if (contacts.some(({ group }) => group === parent || group === company.group)) return false
  // A contact beside a company comes from a CRM; a customer beside a company comes from the company itself.
  if (contacts.some(({ around }) => /^(main|primary)?[ _-]?contact([ _-]?perso+n)?s?$/i.test(around[0] ?? '')))
    return false
  if (contacts.some(({ group, person }) => person && group.parent === parent)) return true
  return all.some(({ group, staff, thing }) => group !== company.group && group.parent === parent && (staff || thing))
}

function isWithin(group: Group, outer: Group): boolean {
  for (let one: Group | undefined = group; one; one = one.parent) if (one === outer) return true
  return false
}

export function isUnnamed(evidence: Evidence): boolean {
  return evidence.opaque && Object.values(evidence.senses).every((strength) => strength < 40)
}

export function chooseCity(all: Evidence[], contacts: Evidence[]): Choice | undefined {
  const named = best(all, 50, 'Field name matches a city', (evidence) => {
    const { senses, value } = evidence
    if (!senses.city || evidence.staff || evidence.thing || evidence.attribute) return 0
    if (
      !isWriting(value) ||
      value.length > 100 ||
      isNumeric(value) ||
      isNamedPlaces(evidence, all) ||
      isOfBusiness(evidence, all)
    )
      return 0
    const surely = isKnownCity(value) ? 15 : 0
    return senses.city + surely + (evidence.person ? 8 : 0) + near(evidence, contacts)
  })
  if (named) return named
  return best(all, 50, 'Value is a known city', (evidence) => {
    if (evidence.staff || evidence.thing || !isKnownCity(evidence.value)) return 0
    if (meaningOf((evidence.around[0] ?? '').replace(/_?ids?$/i, '')).senses.company) return 0
    return evidence.senses.place ? 60 : isUnnamed(evidence) ? 50 : 0
  })
}

/** Whether the city belongs to a place with a name, such as the shop of the form. */
function isNamedPlaces(city: Evidence, all: Evidence[]): boolean {
  const { senses, person } = meaningOf(city.around[0] ?? '')
  if (!senses.place || person || /shipping|billing|delivery/i.test(city.around[0] ?? '')) return false
  const beside = inGroup(all, city.group).filter((other) => other.around[0] === city.around[0])
  return beside.some((other) => other.labels.some((label) => /^name$/i.test(label)))
}

/** Whether it is inside a part of the person's record: an earlier visit, a conversion, a message. */
function isAside(evidence: Evidence, contacts: Evidence[]): boolean {
  const around = meaningOf(evidence.around[0] ?? '')
  return !around.bare && !around.senses.source && contacts.some((contact) => contact.group === evidence.group.parent)
}

/** Whether it names the part of a system that sent the event, beside the type of the event. */
function isEnvelopes(source: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (source.person || near(source, contacts) > 0 || meaningOf(source.labels[0] ?? '').words.length > 1) return false
  const beside = inGroup(all, source.group).filter(({ around }) => around.length === source.around.length)
  if (beside.some(({ staff, thing, value }) => !staff && !thing && mailboxIn(value))) return false
  return beside.some(({ labels }) => /^(event[ _-]?type|occurred[ _-]?at|topic)$/i.test(labels[0] ?? ''))
}

/** A device, or a part of the platform, and not where the lead comes from. */
const notSources = /^(android|ios|iphone|app|mobile|desktop|server|api|marketplace|third[ _]party|system|manual)$/i

const platforms =
  /^(ig|fb|facebook|instagram|messenger|whatsapp|google|youtube|linkedin|tiktok|snapchat|twitter|telegram)$/i

export function chooseSource(all: Evidence[], contacts: Evidence[]): Choice | undefined {
  return best(all, 45, 'Field name matches a source', (evidence) => {
    const { senses, value } = evidence
    const inCampaign = /^source$/i.test(evidence.labels[0] ?? '') && /^campaign$/i.test(evidence.around[0] ?? '')
    const utm = inCampaign || /utm/i.test(evidence.labels.join(' '))
    if (value.length > 200 || (evidence.staff && !utm) || !isWriting(value) || isNumeric(value) || phoneIn(value))
      return 0
    if (!senses.source) {
      const isOrigin = /^(lead[_ -]?)?origin$/i.test(evidence.labels[0] ?? '')
      if (isOrigin && near(evidence, contacts) > 0 && !isKnownCity(value)) return 60
      const isPlatform = evidence.labels.some((label) => /^(platform|channel|publisher_platform)$/i.test(label))
      return isPlatform && platforms.test(value) ? 50 : 0
    }
    if (evidence.thing && !evidence.question && !utm) return 0
    if (!utm && isEnvelopes(evidence, contacts, all)) return 0
    const own = utm || senses.source >= 95
    if (!own && notSources.test(value)) return 0
    const aside = !own && !evidence.question && isAside(evidence, contacts) ? 45 : 0
    return senses.source + near(evidence, contacts) - Math.min(evidence.around.length, 5) / 2 - aside
  })
}
