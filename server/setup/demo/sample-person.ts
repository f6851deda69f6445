import { chances, draw, pickOne, type Random } from './chance.ts'
import { companyKinds, companyWords, devanagari, regions } from './words.ts'

export interface SamplePerson {
  name: string
  city: string
  company: string
  phone: string
  phone_key: string
  /** Another phone of theirs, as it is compared. */
  other_phone: string
  email: string
  email_key: string
}

/** Each serial is one person, with one of the mobile numbers that begin with 9. */
export const serials = 1_000_000_000

const whichRegion = chances(regions)
const mailDomains = ['mail.example.com', 'post.example.net', 'inbox.example.org']

/**
 * Returns the person of a serial. Two serials never share a phone or an email. Both are written so that their contact
 * keys are known without parsing. The email domains are reserved for examples (RFC 2606); India reserves no numbers.
 */
export function samplePerson(serial: number, random: Random): SamplePerson {
  const region = draw(whichRegion, random)
  const [first, last] = [pickOne(region.first, random), pickOne(region.last, random)]
  const company = `${random() < 0.5 ? last : pickOne(companyWords, random)} ${pickOne(companyKinds, random)}`
  const digits = mobileNumber(serial)
  const domain =
    random() < 0.25 ? `${company.toLowerCase().replaceAll(' ', '-')}.example.com` : pickOne(mailDomains, random)
  const email = `${first}.${last}.${serial.toString(36)}@${domain}`.toLowerCase()
  return {
    name: random() < 0.3 ? inDevanagari(first, last) : `${first} ${last}`,
    city: pickOne(region.cities, random),
    company,
    phone: random() < 0.7 ? `+91 ${digits.slice(0, 5)} ${digits.slice(5)}` : `+91${digits}`,
    phone_key: `+91${digits}`,
    other_phone: `+91${mobileNumber((serial + serials / 2) % serials)}`,
    email,
    email_key: email,
  }
}

/** Names of which both parts are known are written as their owners write them. */
function inDevanagari(first: string, last: string): string {
  const [one, other] = [devanagari[first], devanagari[last]]
  return one && other ? `${one} ${other}` : `${first} ${last}`
}

/** Returns a different number for each serial: the factor and the count are coprime, and the product is exact. */
function mobileNumber(serial: number): string {
  return `9${String((serial * 7_368_787) % serials).padStart(9, '0')}`
}
