import { isKnownCity } from './cities.ts'
import { type Evidence, inGroup, isUnnamed } from './evidence.ts'
import { meaningOf } from './label.ts'
import { type Choice, choose, type Features, type Scoring } from './scoring.ts'
import { besideContact, hasContactPerson } from './surroundings.ts'
import { isNumeric, isWriting } from './values.ts'

export function chooseCity(
  free: Evidence[],
  contacts: Evidence[],
  scoring: Scoring,
  all: Evidence[],
): Choice | undefined {
  const candidates = free.flatMap((evidence) => {
    const features = namedFeatures(evidence, contacts, all) ?? knownFeatures(evidence, all)
    return features ? [{ evidence, value: evidence.value, features }] : []
  })
  return choose('city', candidates, scoring)
}

function namedFeatures(evidence: Evidence, contacts: Evidence[], all: Evidence[]): Features<'city'> | undefined {
  const { senses, value, staff, thing, attribute, person, labels, around } = evidence
  if (!senses.city || staff || thing || attribute || !isWriting(value) || value.length > 100) return undefined
  // Where a trip begins, and where something happened.
  if (/^source/i.test(labels[0] ?? '') || happened.test(around[0] ?? '')) return undefined
  if (isNumeric(value) || isNamedPlaces(evidence, contacts, all) || isListings(evidence, contacts, all))
    return undefined
  return {
    // Beside a city, a suburb is a part of it.
    named: /suburb$/i.test(labels[0] ?? '') ? 0.9 : senses.city / 100,
    knownCity: Number(isKnownCity(value)),
    shipping: Number(isElsewhere(`${labels[0]} ${around[0]}`)),
    person: Number(person),
    besideContact: besideContact(evidence, contacts),
  }
}

/** Records of what happened somewhere. */
const happened = /^(incident|accident|visit|birth([ _-]?details)?)$/i

/** Where goods or a move go to, or what is asked for is to be. */
const isElsewhere = (name: string) =>
  /shipping|delivery/i.test(name) ||
  /^(to|new|destination|einzug|service|site|job|ticket|preferred) /.test(meaningOf(name).words.join(' '))

function knownFeatures(evidence: Evidence, all: Evidence[]): Features<'city'> | undefined {
  if (evidence.staff || evidence.thing || happened.test(evidence.around[0] ?? '')) return undefined
  if (isLocation(evidence) || isTown(evidence, all)) return { named: 0.6 }
  if (!isKnownCity(evidence.value)) return undefined
  if (meaningOf((evidence.around[0] ?? '').replace(/_?ids?$/i, '')).senses.company) return undefined
  // One end of a trip is not where the person lives.
  if (evidence.senses.place)
    return evidence.from || evidence.to
      ? undefined
      : { knownCityInPlace: /prefer/i.test(evidence.labels[0] ?? '') ? 0.9 : 1 }
  return isUnnamed(evidence) ? { knownCityAlone: 1 } : undefined
}

/** Whether it is the place of a street and a postal code. */
function isTown({ labels: [label = ''], group, person }: Evidence, all: Evidence[]): boolean {
  if (!person || !/^place$/i.test(label)) return false
  const has = (name: RegExp) => inGroup(all, group).some(({ labels }) => name.test(labels[0] ?? ''))
  return has(/^street/i) && has(/^(zip|post)/i)
}

/** Whether it is the location of a person in one or two words, as cities are. */
const isLocation = ({ labels: [label = ''], person, value }: Evidence) =>
  person && /^location$/i.test(label) && /^\p{Lu}[\p{L}'’-]+( \p{Lu}[\p{L}'’-]+)?$/u.test(value)

/** Whether it is where a property is that somebody asks about. */
const isListings = (evidence: Evidence, contacts: Evidence[], all: Evidence[]) =>
  !besideContact(evidence, contacts) &&
  inGroup(all, evidence.group).some(({ labels: [label = ''] }) =>
    /^(listing|property)[ _-]?(id|price|no|number)$/i.test(label),
  )

/** Whether the city belongs to a place with a name, such as the shop of the form. A contact in an address is that of a person. */
function isNamedPlaces(evidence: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const { around, group } = evidence
  if (besideContact(evidence, contacts) && (/^address$/i.test(around[0] ?? '') || hasContactPerson(evidence, all)))
    return false
  const { senses, person } = meaningOf(around[0] ?? '')
  if (!senses.place || person || /shipping|billing|delivery|destination[ _-]?address/i.test(around[0] ?? ''))
    return false
  return inGroup(all, group).some(
    (other) => other.around[0] === around[0] && other.labels.some((label) => /^(name|venue)$/i.test(label)),
  )
}
