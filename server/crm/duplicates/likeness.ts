import { folded } from '../../platform/text/contract.ts'
import type { DuplicateReason } from './contract.ts'

interface Person {
  name: string
  city: string | null
  phone_key: string | null
}

/** Returns why two leads may be one person; null if nothing says so. */
export function likeness(one: Person, other: Person): DuplicateReason | null {
  if (!haveSameName(one, other)) return null
  if (one.phone_key && other.phone_key && areNearPhones(one.phone_key, other.phone_key)) return 'near_phone'
  const city = lettersOf(one.city ?? '')
  return city !== '' && city === lettersOf(other.city ?? '') ? 'name_and_city' : null
}

const shortestName = 4

export function haveSameName(one: Person, other: Person): boolean {
  const name = lettersOf(one.name)
  return name.length >= shortestName && name === lettersOf(other.name)
}

/** As searches compare, and without signs and spaces. A letter with its marks is one, as in Hindi. */
const lettersOf = (text: string) => folded(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** One digit differs, or two digits beside each other are swapped. */
export function areNearPhones(one: string, other: string): boolean {
  if (one.length !== other.length || one === other) return false
  const differing = [...one].flatMap((digit, at) => (digit === other[at] ? [] : [at]))
  const [first, second] = differing
  if (differing.length === 1) return true
  return (
    differing.length === 2 && second === first! + 1 && one[first!] === other[second] && one[second] === other[first!]
  )
}
