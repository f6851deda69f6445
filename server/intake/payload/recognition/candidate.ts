import { msg } from '@lingui/core/runtime-macro'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { emailsIn, isJid, mailboxIn, phoneIn, phonesIn } from '../../../crm/contacts/parse-contact.ts'
import type { Text } from '../../../platform/languages/translate.ts'
import type { Group, Leaf } from '../structure/leaves.ts'
import {
  hasLegalForm,
  isBlank,
  isCompanyLike,
  isId,
  isNumeric,
  isPostalAddress,
  isUnread,
  isWordAndSurname,
  isWriting,
  lastDigits,
  mayBeName,
  nameShape,
  wordCount,
} from '../structure/values.ts'
import { meaningOf } from '../words/meaning.ts'
import { isKnownCity } from './cities.ts'
import { hashText } from './hash.ts'
import { type Label, labelOf } from './label.ts'

/** The fields that recognition reads. */
export const recognisedFields = [
  'email',
  'phone',
  'name',
  'first_name',
  'last_name',
  'company',
  'city',
  'source',
  'notes',
] as const
export type RecognisedField = (typeof recognisedFields)[number]

/** A value of a payload, with all that features are made of. */
export interface Candidate {
  leaf: Leaf
  value: string
  /** Its place among the values. */
  order: number
  own: Label
  /** Its other names: the id of a question beside its text. */
  others: Label[]
  /** The names around it, innermost first. */
  around: Label[]
  type: Label | undefined
  kind: Kind
  email: string | undefined
  /** The name in `Asha Rao <asha@example.com>`. */
  mailboxName: string | undefined
  phone: string | undefined
  /** The last digits of the phone. */
  digits: string | undefined
  /** How much it is written like the name of a person: 0 to 2. */
  shape: 0 | 1 | 2
  wordCount: number
  /** Its first words in lower case. */
  words: readonly { text: string; hash: number }[]
  group: Group
  depth: number
  /** -1: in no list; 0: in the first element of one; 1: in a later one. */
  inList: -1 | 0 | 1
}

const kinds = [
  'other',
  'email',
  'mobile',
  'phone',
  'phone abroad',
  'digits',
  'link',
  'date',
  'id',
  'integer',
  'number',
  'boolean',
  'city',
  'full name',
  'company',
  'word',
  'code',
  'capitalized word',
  'phrase',
  'sentence',
  'long text',
  'html',
  'blank',
  'jid',
  'address',
] as const
type KindName = (typeof kinds)[number]
/** The place of the kind of a value in the list of kinds. */
export type Kind = number

export const kindNamed = (name: KindName): Kind => kinds.indexOf(name)

/** Returns the kind of a value in words. */
export const kindOfCandidate = ({ kind }: Candidate): Text => kindTexts[kinds[kind]!]

const kindTexts: Record<KindName, Text> = {
  other: msg`a text`,
  email: msg`an email`,
  mobile: msg`a mobile number`,
  phone: msg`a phone number`,
  'phone abroad': msg`a foreign number`,
  digits: msg`a number`,
  link: msg`a link`,
  date: msg`a date`,
  id: msg`an id`,
  integer: msg`an integer`,
  number: msg`a number`,
  boolean: msg`a boolean`,
  city: msg`a city`,
  'full name': msg`a full name`,
  company: msg`a company`,
  word: msg`a word`,
  code: msg`a code`,
  'capitalized word': msg`a capitalized word`,
  phrase: msg`a phrase`,
  sentence: msg`a sentence`,
  'long text': msg`a long text`,
  html: msg`a html`,
  blank: msg`a blank`,
  jid: msg`a WhatsApp number`,
  address: msg`an address`,
}

export function candidatesIn(leaves: readonly Leaf[], country: CountryCode): Candidate[] {
  return leaves.map((leaf, order) => {
    const value = leaf.value.trim()
    const short = value.length <= 320
    const [own = '', ...others] = leaf.labels
    const mailbox = short ? mailboxIn(value) : undefined
    const email = mailbox?.email ?? (isNamed('email', own) ? emailsIn(value)[0] : undefined)
    const phone = short && email === undefined ? (phoneIn(value) ?? firstPhone(value, own, country)) : undefined
    const places = leaf.path.filter((step) => typeof step === 'number')
    return {
      leaf,
      value,
      order,
      own: labelOf(own),
      others: others.slice(0, 3).map(labelOf),
      around: leaf.around.slice(0, 4).map(labelOf),
      type: leaf.type === undefined ? undefined : labelOf(leaf.type),
      kind: kindNamed(kindOf(value, country, email, phone)),
      email,
      mailboxName: mailbox?.name,
      phone,
      digits: phone === undefined ? undefined : lastDigits(phone),
      shape: short ? nameShape(value) : 0,
      wordCount: wordCount(value),
      words: wordsIn(value),
      group: leaf.group,
      depth: leaf.path.length,
      inList: places.length === 0 ? -1 : places.every((place) => place === 0) ? 0 : 1,
    }
  })
}

/** Returns the first number of a value that holds several, `98200 00001 99300 00001`, or under the name of a phone any words. */
function firstPhone(value: string, name: string, country: CountryCode): string | undefined {
  if (value.length > 100 || !/\p{Nd}/u.test(value)) return undefined
  const holdsNumbers = value.replace(/\D/g, '').length >= 14 && !/\p{L}{4}/u.test(value)
  return holdsNumbers || isNamed('phone', name) ? phonesIn(value, country)[0] : undefined
}

/** Whether the name of a field says that it is this field of the lead. */
function isNamed(field: 'email' | 'phone' | 'notes', name: string): boolean {
  const { senses, staff, thing, attribute, to } = meaningOf(name)
  return (senses[field] ?? 0) >= 80 && !(staff || thing || attribute || to)
}

function kindOf(value: string, country: CountryCode, email: string | undefined, phone: string | undefined): KindName {
  if (isBlank(value)) return 'blank'
  if (email !== undefined) return 'email'
  if (isJid(value)) return 'jid'
  if (phone !== undefined) return phoneKind(phone, country)
  if (/^(https?:\/\/|www\.|\/\w)/i.test(value) || /^[\w-]+(\.[\w-]+)+\/\S*$/.test(value)) return 'link'
  if (/^\d{4}-\d\d-\d\d([T ]|$)|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|^\d{1,2}:\d\d/.test(value)) return 'date'
  if (/^(true|false|yes|no)$/i.test(value)) return 'boolean'
  if (/^-?\d+$/.test(value)) return 'integer'
  if (isNumeric(value)) return 'number'
  if (isId(value)) return 'id'
  if (/^\s*<(\w+|!doctype)\b[^>]*>/i.test(value)) return 'html'
  if (isKnownCity(value)) return 'city'
  if (value.length > 200) return 'long text'
  if (isPostalAddress(value)) return 'address'
  if (hasLegalForm(value)) return 'company'
  const words = wordCount(value)
  const shape = nameShape(value)
  if (shape === 2 && words >= 2 && words <= 4) return isCompanyLike(value) ? 'company' : 'full name'
  if (words >= 4) return 'sentence'
  if (isCompanyLike(value)) return 'company'
  if (/^\S+$/.test(value)) return /[\d_:/]/.test(value) ? 'code' : shape === 2 ? 'capitalized word' : 'word'
  return words >= 2 ? 'phrase' : 'other'
}

function phoneKind(phone: string, country: CountryCode): KindName {
  // A number that is not valid has no type.
  const type = parsePhoneNumberFromString(phone, country)?.getType()
  if (type !== undefined) return type === 'MOBILE' ? 'mobile' : 'phone'
  const digits = phone.replace(/\D/g, '')
  const isAbroad = digits.length >= 11 && !phone.startsWith('+') && parsePhoneNumberFromString(`+${digits}`)?.isValid()
  return isAbroad ? 'phone abroad' : 'digits'
}

const [blank, jid, boolean, id, date, integer] = (['blank', 'jid', 'boolean', 'id', 'date', 'integer'] as const).map(
  kindNamed,
)
const nameClasses = ['name', 'first', 'last'].map(hashText)

/** The hard conditions: what a value must be to be considered for a field. */
export function canBe(field: RecognisedField, candidate: Candidate): boolean {
  const { value, kind, email, phone, shape } = candidate
  if (field === 'last_name' && isWordAndSurname(value)) return true
  if (kind === blank) return false
  const isText = isWriting(value) && kind !== boolean && kind !== id && kind !== date
  switch (field) {
    case 'email':
      return email !== undefined && !isUnread(email)
    case 'phone':
      return (phone !== undefined && !isTime(candidate)) || kind === jid
    case 'name':
    case 'first_name':
    case 'last_name':
      if (field === 'name' && candidate.mailboxName !== undefined) return nameShape(candidate.mailboxName) > 0
      if (email !== undefined || phone !== undefined) return false
      if (shape > 0 && value.length <= 100) return true
      return mayBeName(value) && candidate.own.classes.some((one) => nameClasses.includes(one))
    case 'company':
      return isText && email === undefined && value.length <= 200
    case 'city':
      return isText && value.length <= 100
    case 'source':
      return (
        (isText || /^(https?:\/\/)?[\w.-]+\/?$/i.test(value)) &&
        value.length <= 200 &&
        email === undefined &&
        phone === undefined &&
        !isNumeric(value) &&
        kind !== boolean &&
        kind !== date
      )
    case 'notes':
      // A message may be an id, a link or a number.
      if (isNamed('notes', candidate.leaf.labels[0] ?? '')) return true
      return (isText || kind === boolean || kind === integer) && email === undefined && phone === undefined
  }
}

/** Whether a number is a Unix time, unless its name is a phone's. */
const isTime = ({ value, leaf }: Candidate) =>
  /^1[5-9]\d{8}(\d{3})?$/.test(value) && !isNamed('phone', leaf.labels[0] ?? '')

/** Returns the first words of a value in lower case, with `0` for each number. */
export function wordsIn(value: string): { text: string; hash: number }[] {
  const spaced = value.length > 40 ? value.slice(0, 400) : value.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const words = spaced
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u, 41)
    .filter((word) => word !== '')
    .map((word) => (/^\d+$/.test(word) ? '0' : word))
  return words.map((text) => ({ text, hash: hashText(text) }))
}
