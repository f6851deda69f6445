import { chances, draw, oneOf, type Random } from './chance.ts'
import { companyKinds, companyWords, regions } from './words.ts'

export interface SamplePerson {
  name: string
  city: string
  company: string
  phone: string
  phone_key: string
  email: string
  email_key: string
}

/** As many people as there are mobile numbers that begin with a 9: a serial stands for each. */
export const serials = 1_000_000_000

const whichRegion = chances(regions)
const mailDomains = ['mail.example.com', 'post.example.net', 'inbox.example.org']

/**
 * Two serials never share a phone or an email. The phone and the email are written so that what they are compared by
 * is known without parsing them. India sets no phone numbers aside for invention; the email domains are (RFC 2606).
 */
export function samplePerson(serial: number, random: Random): SamplePerson {
  const region = draw(whichRegion, random)
  const [first, last] = [oneOf(region.first, random), oneOf(region.last, random)]
  const company = `${random() < 0.5 ? last : oneOf(companyWords, random)} ${oneOf(companyKinds, random)}`
  const digits = mobileNumber(serial)
  const domain =
    random() < 0.25 ? `${company.toLowerCase().replaceAll(' ', '-')}.example.com` : oneOf(mailDomains, random)
  const email = `${first}.${last}.${serial.toString(36)}@${domain}`.toLowerCase()
  return {
    name: `${first} ${last}`,
    city: oneOf(region.cities, random),
    company,
    phone: random() < 0.7 ? `+91 ${digits.slice(0, 5)} ${digits.slice(5)}` : `+91${digits}`,
    phone_key: `+91${digits}`,
    email,
    email_key: email,
  }
}

/** One number for each serial: the factor shares no divisor with their count, and the product stays exact. */
function mobileNumber(serial: number): string {
  return `9${String((serial * 7_368_787) % serials).padStart(9, '0')}`
}
