import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import { phoneKey } from '../../../crm/contacts/contact.ts'
import { isWhatsAppId, phonesIn } from '../../../crm/contacts/parse-contact.ts'
import type { Text } from '../../../platform/languages/translate.ts'
import { pathText } from '../path.ts'
import { meaningOf } from '../words/meaning.ts'
import { classesOf, type WordClass } from '../words/words.ts'
import type { Candidate } from './candidate.ts'

interface OtherContact {
  candidate: Candidate
  value: string
  reason: Text
}

const maxContacts = 10

/**
 * Returns more phones, emails and WhatsApp ids of the lead: beside its first ones (`contacts`), with names that say no more than which
 * phone or email it is.
 */
export function chooseOtherContacts(
  contacts: readonly Candidate[],
  all: readonly Candidate[],
  country: CountryCode,
): OtherContact[] {
  const groups = new Set(contacts.map(({ group }) => group))
  const values = new Set(contacts.map(comparable))
  const found: OtherContact[] = []
  const add = (candidate: Candidate, value: string, key: string, reason: Text) => {
    if (values.has(key) || found.length === maxContacts) return
    values.add(key)
    found.push({ candidate, value, reason })
  }
  for (const candidate of all) {
    const { value, email, phone, group } = candidate
    const { from } = meaningOf(labelOf(candidate))
    if (isUserId.test(labelOf(candidate)) && isWhatsAppId(value)) {
      if (groups.size === 0 || groups.has(group) || from) add(candidate, value, value, reasons.whatsapp)
    } else if (email !== undefined && isBeside(candidate, contacts)) {
      add(candidate, email, comparable(candidate), reasons.email)
    } else if (phone !== undefined && isBeside(candidate, contacts)) {
      for (const number of phonesIn(value, country)) {
        const key = phoneKey(number, country)
        if (key?.startsWith('+')) add(candidate, number, key.slice(-10), reasons.phone)
      }
    }
  }
  return found
}

/** Whether it is one more phone or email of the person who has these: beside them, with a name that says no more than which one it is. */
function isBeside(candidate: Candidate, contacts: readonly Candidate[]): boolean {
  const { senses, staff, to, thing, from, words } = meaningOf(labelOf(candidate))
  const beside = contacts.filter(
    (one) => one.group === candidate.group && placeOf(one) === placeOf(candidate) && isNamedContact(one),
  )
  if (beside.length === 0 || staff || to || thing) return false
  // A number is a phone's if it is said to be another one.
  const least = words.some(saysWhich) ? 50 : 70
  if ((senses[candidate.email === undefined ? 'phone' : 'email'] ?? 0) < least) return false
  if (from && !contacts.some((one) => meaningOf(labelOf(one)).from)) return false
  const known = new Set(contacts.flatMap(wordsOf))
  const isNamed = saysWhichItIs(candidate)
  if (!isNamed && !beside.some((one) => saysWhichItIs(one) || areInOneList(one, candidate))) return false
  return words.every((word) => known.has(word) || saysWhich(word) || saysNoMore(word) || (isNamed && isFiller(word)))
}

/** Whether these are phones, or emails, of one person. */
export const areOfOnePerson = (one: Candidate, other: Candidate) => isBeside(one, [other]) && isBeside(other, [one])

/** Whether the name of a contact does not say which one it is, and that of another one does, or has a higher number. */
export function isBefore(one: Candidate, other: Candidate): boolean {
  const placeOf = (candidate: Candidate) => {
    const number = Number(/\d+/.exec(labelOf(candidate))?.[0] ?? 0)
    return wordsOf(candidate).some(saysWhich) ? 1 + number : 0
  }
  return placeOf(one) < placeOf(other)
}

const comparable = ({ email, digits, value }: Candidate) => email?.toLowerCase() ?? digits ?? value

const labelOf = ({ leaf }: Candidate) => leaf.labels[0] ?? ''

const wordsOf = (candidate: Candidate) => meaningOf(labelOf(candidate)).words

const placeOf = ({ leaf }: Candidate) => leaf.around.join('\n')

const saysWhichItIs = (candidate: Candidate) =>
  /mobile|cell|celular|handy|movil|mobil/i.test(labelOf(candidate)) || wordsOf(candidate).some(saysWhich)

const areInOneList = ({ leaf: { path: one } }: Candidate, { leaf: { path: other } }: Candidate) =>
  typeof other.at(-1) === 'number' && pathText(one.slice(0, -1)) === pathText(other.slice(0, -1))

/** An id of a contact is none. */
function isNamedContact(candidate: Candidate): boolean {
  const { phone = 0, email = 0, reach = 0 } = meaningOf(labelOf(candidate)).senses
  return Math.max(phone, email, reach) >= 50
}

/** Whether a word says which of several phones or emails it is. What is delivered may go to somebody else. */
const saysWhich = (word: string) =>
  /^(\d|home|work|off|office|resi|residence|residential|personal|whatsapp|wapp|व्ह[ाॉ]ट्स.*)$/u.test(word) ||
  (!/^(shipping|delivery)$/.test(word) && Boolean(classesOf(word)?.has('alternate')))

/** Whether a word says only that it is a phone or an email. */
const saysNoMore = (word: string) =>
  (['phone', 'email', 'number', 'reach'] satisfies WordClass[]).some((one) => classesOf(word)?.has(one))

const isFiller = (word: string) => classesOf(word)?.has('filler') ?? false

/** Meta's ids of WhatsApp users: `from_user_id` of a message, `user_id` of a contact. */
const isUserId = /^(from[ _-]?)?user[ _-]?id$/i

const reasons = { whatsapp: msg`WhatsApp user`, email: msg`Another email`, phone: msg`Another phone` }
