import { withoutInvisible } from '../contacts/contact.ts'
import { mayHoldContact } from '../contacts/hold-contact.ts'
import type { UnseenLead } from './contract.ts'

/** The columns of `leads` that `unseenLead` reads. */
export const unseenColumns = ['name', 'product', 'source', 'city'] as const

const maxLength = 80
/** Letters, with the marks of Indian scripts. */
const word = /^\p{L}[\p{L}\p{M}'’-]*$/u

/**
 * Returns what a user gets to see of a lead that they do not see, for offers, ringing calls and notices: never a contact, nor what the lead
 * wrote or a user noted. A value that may hold a contact is left out as a whole.
 */
export function unseenLead({
  name,
  product,
  source,
  city,
}: Record<(typeof unseenColumns)[number], string | null>): UnseenLead {
  return { name: shortName(name ?? ''), product: shown(product), source: shown(source), city: shown(city) }
}

/** The first name and an initial: "Ravi K." */
function shortName(name: string): string {
  const words = withoutInvisible(name.normalize('NFKC'))
    .split(/[\s\p{Z}]+/u)
    .filter((one) => word.test(one))
  const [first, second] = words.map((one) => one.slice(0, 30).toWellFormed())
  if (first === undefined) return '•••'
  return second === undefined ? first : `${first} ${[...second][0]}.`
}

function shown(value: string | null): string | null {
  if (value === null || value.length > maxLength || mayHoldContact(value)) return null
  return withoutInvisible(value).trim() || null
}
