import type { CountryCode } from 'libphonenumber-js/max'
import { phoneKey } from '../../contacts/contact.ts'
import { isWhatsAppId, mailboxIn, phoneIn, phonesIn } from '../../contacts/written-contact.ts'
import { pathText } from '../path.ts'
import type { Evidence } from './evidence.ts'
import { meaningOf } from './label.ts'
import { mobileLabel } from './phone.ts'
import { lastDigits } from './values.ts'
import { classesOf, type WordClass } from './words.ts'

interface OtherContact {
  evidence: Evidence
  value: string
  reason: string
}

const maxContacts = 10

/**
 * Returns more phones, emails and WhatsApp ids of the lead: beside its first ones (`contacts`), with names that say no more than which
 * phone or email it is.
 */
export function chooseOtherContacts(
  contacts: readonly Evidence[],
  all: readonly Evidence[],
  country: CountryCode,
): OtherContact[] {
  const groups = new Set(contacts.map(({ group }) => group))
  const known = new Set(contacts.flatMap(wordsOf))
  const values = new Set(contacts.map(({ value }) => comparable(value)))
  const isBeside = (evidence: Evidence) => {
    const { staff, to, thing, from } = evidence
    const beside = contacts.filter((one) => one.group === evidence.group && placeOf(one) === placeOf(evidence))
    if (beside.length === 0 || staff || to || thing || (from && !contacts.some((one) => one.from))) return false
    const words = wordsOf(evidence)
    const isPhonesName = (one: Evidence) => mobileLabel.test(one.labels[0] ?? '') && Boolean(evidence.senses.phone)
    const isNamed = words.some(saysWhich) || beside.some((one) => isPhonesName(one) || areInOneList(one, evidence))
    return isNamed && words.every((word) => known.has(word) || saysWhich(word) || saysWhat(word))
  }
  const found: OtherContact[] = []
  for (const evidence of all) {
    const { value, senses, labels, group } = evidence
    if (found.length === maxContacts) break
    if (isUserId.test(labels[0] ?? '') && isWhatsAppId(value)) {
      if (groups.size === 0 || groups.has(group) || evidence.from) add(evidence, value, 'WhatsApp user')
    } else if ((senses.phone ?? 0) >= 85 && isBeside(evidence)) {
      for (const number of phonesIn(value, country))
        if (phoneKey(number, country)?.startsWith('+')) add(evidence, number, 'Another phone')
    } else if ((senses.email ?? 0) >= 85 && isBeside(evidence)) {
      const email = mailboxIn(value)?.email
      if (email !== undefined) add(evidence, email, 'Another email')
    }
  }
  return found

  function add(evidence: Evidence, value: string, reason: string) {
    if (values.has(comparable(value))) return
    values.add(comparable(value))
    found.push({ evidence, value, reason })
  }
}

const comparable = (value: string) => mailboxIn(value)?.email.toLowerCase() ?? lastDigits(phoneIn(value) ?? value)

const wordsOf = ({ labels: [label = ''] }: Evidence) => meaningOf(label).words

const placeOf = ({ around }: Evidence) => around.join('\n')

const areInOneList = ({ path: one }: Evidence, { path: other }: Evidence) =>
  typeof other.at(-1) === 'number' && pathText(one.slice(0, -1)) === pathText(other.slice(0, -1))

/** Of several phones or emails. What is delivered may go to somebody else. */
const saysWhich = (word: string) =>
  /^(\d|home|work|office|personal)$/.test(word) ||
  (!/^(shipping|delivery)$/.test(word) && Boolean(classesOf(word)?.has('alternate')))

const saysWhat = (word: string) =>
  (['phone', 'email', 'number'] satisfies WordClass[]).some((one) => classesOf(word)?.has(one))

/** Meta's ids of WhatsApp users: `from_user_id` of a message, `user_id` of a contact. */
const isUserId = /^(from[ _-]?)?user[ _-]?id$/i
