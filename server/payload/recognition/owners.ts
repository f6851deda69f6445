import { type Meaning, meaningOf } from './label.ts'
import { isRecruit, ofRecruit } from './label-phrases.ts'
import type { Group, Leaf } from './leaves.ts'

/** Owners, accounts and referrals are of the business, except these, which are the lead's. */
export type Owners = {
  /** Whether an owner is a customer, because an animal is owned. */
  ofAnimal: boolean
  /** What of the owner of a business is a customer's. */
  ofBusiness: { group: Group; names: RegExp } | undefined
  /** The owners and accounts that have a birthday or a gender, which senders say of customers, or are new. */
  described: Set<string>
  /** Whether a referrer is there, so that the lead is who was referred. */
  hasReferrer: boolean
  /** Whether somebody asks to become a dealer or a partner, who then is the lead. */
  isRecruited: boolean
  /** Whether somebody wants to sell, so that a seller is the lead. */
  isSale: boolean
}

/** `names`: all keys of the payload. */
export function ownersIn(leaves: Leaf[], names: readonly string[], hasVisitor: boolean): Owners {
  const firstWord = (name: string) => meaningOf(name).words[0] ?? ''
  return {
    ofAnimal: !hasVisitor && names.some((name) => animals.has(firstWord(name)) && !ofPlaces.test(name)),
    ofBusiness:
      ownerOfBusiness(leaves) ??
      (hasVisitor || !names.some((name) => /^owner|propriet/i.test(name)) ? undefined : ownerOfThing(leaves)),
    described: new Set(
      leaves
        .filter((leaf) => isDescription(leaf) || (!hasVisitor && isNewAccount(leaf)))
        .map(({ around }) => meaningOf(around[0] ?? '').words.join(' ')),
    ),
    hasReferrer: names.some((name) => firstWord(name) === 'referrer'),
    isRecruited:
      !hasVisitor && (names.some(isOfRecruit) || leaves.some(isRecruitment)) && !leaves.some(isNamedOtherwise),
    isSale: leaves.some(
      ({ labels: [label = ''], value }) =>
        /^(purpose|intent|intention|(lead|enquiry|inquiry|request)[ _-]?type)$/i.test(label) &&
        /^sell(ing)?\b/i.test(value),
    ),
  }
}

/** Whether a name that is one of the business's people elsewhere is the lead's here. */
export const isOwner = (
  { words }: Meaning,
  { ofAnimal, ofBusiness, hasReferrer, isRecruited, isSale, described }: Owners,
  group?: Group,
) =>
  (ofAnimal && words[0] === 'owner') ||
  (isSale && words[0] === 'seller') ||
  (isRecruited && isRecruit.test(words[0] ?? '')) ||
  (described.size > 0 && described.has(words.join(' '))) ||
  (ofBusiness?.group === group && ofBusiness?.names.test(words.join(' '))) ||
  (hasReferrer && /^referr(ed|al)$/.test(words[0] ?? ''))

const isOfRecruit = (name: string) => ofRecruit.test(meaningOf(name).words.join(' '))

/** Whether the name of a form or of an event says so. */
const isRecruitment = ({ labels: [label = ''], value }: Leaf) =>
  /(form|type|event|title|subject|name|purpose|category)$/i.test(label) &&
  value.length < 60 &&
  ofRecruit.test(
    value
      .toLowerCase()
      .replace(/[^a-z]+/g, ' ')
      .trim(),
  )

const isNamedOtherwise = ({ labels: [label = ''] }: Leaf) => {
  const { senses, staff, thing } = meaningOf(label)
  return !staff && !thing && Math.max(senses.name ?? 0, senses.first ?? 0) >= 90
}

const animals = new Set(['pet', 'pets', 'animal', 'animals', 'dog', 'cat', 'horse', 'puppy'])
/** What a hotel says of the animals of its guests. */
const ofPlaces = /count|allowed|friendly|fee/i

/** What is only said of a person. */
const personal = /^(dob|date[ _-]?of[ _-]?birth|birth[ _-]?(day|date)|gender|marital[ _-]?status|address|street)$/i

const isDescription = ({ labels: [label = ''], around: [parent = ''] }: Leaf) =>
  personal.test(label) && /^(owner|account)$/.test(meaningOf(parent).words.at(-1) ?? '')

/** Whether it is of an account with a first name: a customer opened it. */
const isNewAccount = ({ labels: [label = ''], around: [parent = ''] }: Leaf) =>
  /^account$/i.test(parent) && /^first[ _-]?name$/i.test(label)

/** What a record of a CRM, which is owned by one of the business's users, has beside its owner. */
const ofSales = /^(lead|deal|opportunity|ticket|task|pipeline|stage|contact|account|assigned|owner id)\b/

const ownersPhone = /^owner[ _-]?(mobile|phone)|^(telefone?|celular|fone)[ _-]?(do[ _-]?|del[ _-]?)?propriet/i

/** Returns the record of a house, a product or a visit whose only contact is that of an owner with a phone. */
function ownerOfThing(leaves: Leaf[]): Owners['ofBusiness'] {
  const phone = leaves.find(({ labels }) => ownersPhone.test(labels[0] ?? ''))
  if (!phone) return undefined
  const { group, around } = phone
  const beside = leaves
    .filter((one) => one.group === group && one.around.length === around.length)
    .map(({ labels }) => meaningOf(labels[0] ?? ''))
  const isOthers = ({ staff, thing, senses, words }: Meaning) =>
    ofSales.test(words.join(' ')) || (!staff && !thing && (senses.email ?? senses.phone ?? 0) >= 75)
  return beside.some(isOthers) ? undefined : { group, names: /^owner \w+$|^\w+ propriet\w+$/ }
}

/** Returns what is the lead's: the only name beside that of the business, and the only contacts. */
function ownerOfBusiness(leaves: Leaf[]): Owners['ofBusiness'] {
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
