import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { SampleLead } from '../../server/setup/demo/sample-lead.ts'

/** Returns a lead that is probably the same person as another one: with the same name and city, and nearly the same phone. */
export function asDuplicate(lead: SampleLead, other: SampleLead): SampleLead {
  const { name, company } = other
  const city = other.city ?? lead.city
  const near = other.phone_key && nearPhone(other.phone_key)
  if (!near && !lead.phone) return lead
  return {
    ...lead,
    name,
    company,
    city,
    ...(near ? { phone: near, phone_key: near } : {}),
    email: null,
    email_key: null,
  }
}

/** Sample phones begin with 9, so no other sample has it. Null if that is no mobile number. */
function nearPhone(key: string): string | null {
  const near = key.replace(/^\+919/, '+918')
  return near !== key && parsePhoneNumberFromString(near)?.getType() === 'MOBILE' ? near : null
}
