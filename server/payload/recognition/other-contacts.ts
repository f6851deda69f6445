import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import { phoneKey } from '../../contacts/contact.ts'
import { isWhatsAppId, phonesIn } from '../../contacts/written-contact.ts'
import type { Text } from '../../languages/translate.ts'
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
  const known = new Set(contacts.flatMap(wordsOf))
  const values = new Set(contacts.map(comparable))
  const isBeside = (candidate: Candidate) => {
    const { staff, to, thing, from } = meaningOf(labelOf(candidate))
    const beside = contacts.filter((one) => one.group === candidate.group && placeOf(one) === placeOf(candidate))
    if (beside.length === 0 || staff || to || thing) return false
    if (from && !contacts.some((one) => meaningOf(labelOf(one)).from)) return false
    const words = wordsOf(candidate)
    const isNamed = words.some(saysWhich) || beside.some((one) => isMobile(one) || areInOneList(one, candidate))
    return isNamed && words.every((word) => known.has(word) || saysWhich(word) || saysWhat(word))
  }
  const found: OtherContact[] = []
  const add = (candidate: Candidate, value: string, key: string, reason: Text) => {
    if (values.has(key) || found.length === maxContacts) return
    values.add(key)
    found.push({ candidate, value, reason })
  }
  for (const candidate of all) {
    const { value, email, phone, group } = candidate
    const { senses, from } = meaningOf(labelOf(candidate))
    if (isUserId.test(labelOf(candidate)) && isWhatsAppId(value)) {
      if (groups.size === 0 || groups.has(group) || from) add(candidate, value, value, reasons.whatsapp)
    } else if (email !== undefined && (senses.email ?? 0) >= 70 && isBeside(candidate)) {
      add(candidate, email, comparable(candidate), reasons.email)
    } else if (phone !== undefined && (senses.phone ?? 0) >= 70 && isBeside(candidate)) {
      for (const number of phonesIn(value, country)) {
        const key = phoneKey(number, country)
        if (key?.startsWith('+')) add(candidate, number, key.slice(-10), reasons.phone)
      }
    }
  }
  return found
}

const comparable = ({ email, digits, value }: Candidate) => email?.toLowerCase() ?? digits ?? value

const labelOf = ({ leaf }: Candidate) => leaf.labels[0] ?? ''

const wordsOf = (candidate: Candidate) => meaningOf(labelOf(candidate)).words

const placeOf = ({ leaf }: Candidate) => leaf.around.join('\n')

const isMobile = (candidate: Candidate) => /mobile|cell|whats.?app|celular|handy|movil|mobil/i.test(labelOf(candidate))

const areInOneList = ({ leaf: { path: one } }: Candidate, { leaf: { path: other } }: Candidate) =>
  typeof other.at(-1) === 'number' && pathText(one.slice(0, -1)) === pathText(other.slice(0, -1))

/** Of several phones or emails. What is delivered may go to somebody else. */
const saysWhich = (word: string) =>
  /^(\d|home|work|office|personal)$/.test(word) ||
  (!/^(shipping|delivery)$/.test(word) && Boolean(classesOf(word)?.has('alternate')))

const saysWhat = (word: string) =>
  (['phone', 'email', 'number'] satisfies WordClass[]).some((one) => classesOf(word)?.has(one))

/** Meta's ids of WhatsApp users: `from_user_id` of a message, `user_id` of a contact. */
const isUserId = /^(from[ _-]?)?user[ _-]?id$/i

const reasons = { whatsapp: msg`WhatsApp user`, email: msg`Another email`, phone: msg`Another phone` }
