import type { Path } from '../path.ts'
import { type Evidence, inGroup } from './evidence.ts'
import { meaningOf } from './label.ts'
import type { Group, Leaf } from './leaves.ts'
import { nameShape } from './values.ts'
import { classesOf } from './words.ts'

/** What stands around a value: the lead's contact, others of its record, the records of others. */

export function besideContact({ group }: Evidence, contacts: readonly Evidence[]): 0 | 1 {
  return contacts.some((contact) => contact.group === group || isInPart(contact, group)) ? 1 : 0
}

/** Whether the contact is in a part of the record, which holds no more than contacts: `telecom`. */
function isInPart({ group: part }: Evidence, record: Group): boolean {
  return part.parent === record && holdsContacts(part)
}

function holdsContacts({ name }: Group): boolean {
  const { senses, person } = meaningOf(name ?? '')
  if (/^telecoms?$/i.test(name ?? '')) return true
  return !person && Math.max(senses.phone ?? 0, senses.email ?? 0) >= 60
}

export function isWithin(group: Group, outer: Group): boolean {
  for (let one: Group | undefined = group; one; one = one.parent) if (one === outer) return true
  return false
}

/** Whether its record has the name of the other value: `business.city` beside `business`. */
export const isInRecordOf = ({ around }: Evidence, { labels }: Leaf) =>
  around[0] !== undefined && around[0].toLowerCase() === labels[0]?.toLowerCase()

const personal = ['name', 'first', 'last', 'email', 'phone', 'company', 'city', 'notes'] as const

/**
 * Whether its record is apart from that of the person and has a name without a known meaning, which is that of a thing: a
 * `warehouse` beside a `customer`.
 */
export function isOfUnknown({ path, group, labels, senses }: Evidence, contacts: readonly Evidence[]): boolean {
  const { person, question, words } = meaningOf(labels[0] ?? '')
  if (contacts.length === 0 || person || question || words.includes('utm')) return false
  for (let one: Group | undefined = group; one; one = one.parent) {
    if (contacts.some((contact) => isWithin(contact.group, one))) return false
    if (one.name === undefined) continue
    if (/^geo/i.test(one.name)) return false
    if (
      /^properties$/i.test(one.name) &&
      path.includes(one.name) &&
      typeof path[path.indexOf(one.name) + 1] === 'number'
    )
      return true
    // A part of a form beside the part with the contact.
    if (
      one.parent &&
      ofForm.test(one.parent.name ?? '') &&
      contacts.some((contact) => isWithin(contact.group, one.parent!))
    )
      continue
    if (isUnknown(one.name)) return true
    const { senses: of, person: isPersons } = meaningOf(one.name)
    if (/^(users?|tenant)$/i.test(one.name) && !(senses.name || senses.first || senses.last)) return true
    // A place may be the city of the person, and a company theirs, and no more.
    if (isPersons || senses.city || senses.place) continue
    if ((of.place ?? 0) >= 60 || ((of.company ?? 0) >= 60 && !senses.company && !senses.name)) return true
  }
  return false
}

/**
 * Whether its key begins with a word without a known meaning, which is that of another record: `fund` in `fund_city`. A
 * contact or a first name with the same beginning makes the record a person's: `shipper_city` beside `shipper_phone`.
 */
export function isOfUnknownPrefix({ labels, group }: Evidence, all: readonly Evidence[]): boolean {
  const { question, words, senses } = meaningOf(labels[0] ?? '')
  const [prefix = '', ...rest] = words
  const isOfOne = rest.length === 1 || (rest.length === 2 && rest[1] === 'name')
  if (question || !isOfOne || !/^[a-z]{4,}$/.test(prefix) || classesOf(prefix)) return false
  if (Math.max(senses.company ?? 0, senses.city ?? 0) > 80) return false
  if (ofPersons.has(prefix) || (senses.notes && (adjective.test(prefix) || !ownersText.test(rest[0]!)))) return false
  return !inGroup(all, group).some(({ labels: [other = ''], senses: of }) => {
    const isContact = (of.email ?? of.phone ?? 0) >= 60 || of.first
    return isContact && meaningOf(other).words[0] === prefix
  })
}

/** Words for a text that do not say whose it is. A requirement or a complaint is always that of a person. */
const ownersText =
  /^(messages?|msg|notes?|descriptions?|comments?|remarks?|details?|summary|text|instructions?|info|information|content|body|explanation|caption|title)$/

/** The last word of a record's name which makes it that of a thing, though the word has another meaning in a key. */
const ofThings = /^(experiences?|employments|reminders?|alerts?|slot|regions?|zones?|lines?|sessions?|intent|types?)$/

const ofForm =
  /^(answers|responses?|fields|form[ _-]?(data|fields|values|responses?)|submission([ _-]?data)?|submitted[ _-]?data|sections|pages)$/i

function isUnknown(name: string): boolean {
  const { unknown, person, opaque, senses, words } = meaningOf(name)
  if (ofThings.test(words.at(-1) ?? '') && words[0] !== 'text' && words[0] !== 'message') return true
  if (words.every(isAttribute)) return true
  if (unknown === 0 || person || opaque) return false
  if (words.every((word) => word.length < 3 || classesOf(word) || ofPersons.has(word))) return false
  return Object.values(senses).every((strength) => strength < 60)
}

/** Whether it is only an attribute or the name of an event: `status`, `score`. What came of a call may be what was said. */
const isAttribute = (word: string) =>
  !/^(data|transcript|disposition|outcome|preference)s?$/.test(word) &&
  [...(classesOf(word) ?? [''])].every((one) => one === 'attribute' || one === 'happened')

const adjective = /(al|ary|ory)$/

/** What says which one of a person's it is, what a person does or asks for, and what a program holds it in. */
const ofPersons = new Set(
  `report requesting inquiring enquiring analytics bundle recent preview misc attention attn chief health defect fault
  damage gift pain cargo background partnership mailing associated consignment cover orig cart purchase quotation
  stripped installation bill ship corr dispo wrapup nearest origin function any further case nazwa auszug einzug present
  permanent delivery usr review args kwargs dynamic llm placeholders prefilled extras parsed rfq quote reservation
  registration incident matter visit pickup original detect intake qualification replies annotations checkout extraction
  tracking attribution utms parameter parameters params vars variables arguments hidden extra fields questions answers
  context traits consultation donation scan bid grievance complaint geoip geolocation button interactive inbound widgets
  embedded entity intent identity demographics basics sections datos dados daten donnees gegevens veri bilgiler dane
  informacion informacoes persona pessoa persoon personne perfil profil usuario respuestas respostas reponses antworten
  campos personalizados personalizadas personnalises benutzerdefinierte international internacional format champs felder
  cevaplar jawaban данные ответы output insights`.split(/\s+/),
)

/** Counts the other fields of a person beside a contact, up to 3: of several, that of the most complete record counts. */
export function completeness(evidence: Evidence, all: readonly Evidence[]): number {
  const beside = ofPerson(evidence.group, all).filter((one) => one !== evidence)
  const kinds = personal.filter((sense) => beside.some(({ senses }) => (senses[sense] ?? 0) >= 60))
  return Math.min(kinds.length, 3)
}

/** Whether it is one of a list within the record of a person who has a contact: a child, a recipient, another guest. */
export function isListed({ path, group }: Evidence, all: readonly Evidence[]): boolean {
  const isOfSeveral = listsIn(path).some((list) => listsOfSeveral(all).has(list))
  if (!isOfSeveral || !isNamed(group, all)) return false
  for (let outer = group.parent; outer; outer = outer.parent)
    if (isNamed(outer, all) && ofPerson(outer, all).some(({ senses }) => (senses.email ?? senses.phone ?? 0) >= 75))
      return true
  return false
}

/** Returns the paths of the lists that hold the value, without that of the payload itself. */
const listsIn = (path: Path, isMeant = (_index: number) => true) =>
  path.flatMap((key, at) => (at > 0 && typeof key === 'number' && isMeant(key) ? path.slice(0, at).join('\n') : []))

const several = new WeakMap<readonly Evidence[], Set<string>>()

/** Returns the paths of lists with more than one entry, from an index. */
function listsOfSeveral(all: readonly Evidence[]): Set<string> {
  const known = several.get(all)
  if (known) return known
  const found = new Set(all.flatMap(({ path }) => listsIn(path, (index) => index > 0)))
  several.set(all, found)
  return found
}

/** Whether the record has the name of its person. */
const isNamed = (group: Group, all: readonly Evidence[]) =>
  ofPerson(group, all).some(({ senses }) => (senses.name ?? senses.first ?? 0) >= 75)

/** The values of a record that are not about the business or a thing. */
const ofPerson = (group: Group, all: readonly Evidence[]) =>
  inGroup(all, group).filter(({ staff, thing }) => !staff && !thing)

/** Whether a person to contact is named, to whom the email and the phone of a place belong. */
export const hasContactPerson = ({ group, around: [parent] }: Evidence, all: readonly Evidence[]) =>
  inGroup(all, group).some(
    ({ labels: [label = ''], around, value }) =>
      around[0] === parent &&
      /^((site|on[ _-]?site)[ _-]?)?contact([ _-]?(name|person))?$/i.test(label) &&
      nameShape(value) === 2,
  )

/** Whether the record is that of a place or of a company: its contact is rarely the lead's. */
export function ofOthers(evidence: Evidence, all: readonly Evidence[]): { place?: number; company?: number } {
  const { around, person } = evidence
  if (around.length === 0) return {}
  const { words, senses } = meaningOf(around[0]!)
  const place = words.every((word) =>
    /^(locations?|offices?|venue|centers?|centres?|business|clinics?|hospital|branch|store|shop|restaurant|practice|salon|school|hotel|outlet|dealership|facility)$/.test(
      word,
    ),
  )
  if (place && !meaningOf(around[1] ?? '').person) return hasContactPerson(evidence, all) ? {} : { place: 1 }
  return senses.company !== undefined && !person ? { company: 1 } : {}
}

/**
 * Whether a customer's name is a company's: `buyer_name` beside `buyer_contact_person` or `contact_name`, `name` beside
 * `contact`.
 */
export function isOfContactPerson(
  { labels, around, group, thing, staff, value }: Evidence,
  all: readonly Evidence[],
): boolean {
  const customer = /^(.*?)[ _-]?name$/i.exec(labels[0] ?? '')?.[1]?.toLowerCase()
  if (customer === undefined) return false
  const beside = inGroup(all, group).filter((other) => other.value !== value)
  if (customer === '') {
    if (thing || staff) return false
    const named = beside.some(({ senses, value }) => senses.company && /\p{L}/u.test(value))
    return beside.some(
      ({ labels: [other = ''], around: [parent = ''], value: person }) =>
        parent === (around[0] ?? '') &&
        ((!named && /^contact[ _-]?person([ _-]?name)?$/i.test(other)) ||
          /^.*[|]contact$|^(customer|client|account|company|buyer)[|]contact[ _-]?(person|name)$/i.test(
            `${parent}|${other}`,
          )) &&
        nameShape(person) === 2 &&
        !/^\p{Script=Latin}+$/u.test(person),
    )
  }
  return beside.some(({ labels, senses }) => {
    const other = labels[0]?.toLowerCase() ?? ''
    const [, of] = /^(.*?)[ _-]?contact[ _-]?(?:person|name)(?:[ _-]?name)?$/.exec(other) ?? []
    if (of === undefined || !senses.name) return false
    return of === ''
      ? /^(client|customer|account|buyer|hospital|clinic|school|college|hotel|factory)$/.test(customer)
      : of.startsWith(customer)
  })
}
