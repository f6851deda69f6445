import type { CountryCode } from 'libphonenumber-js/max'
import type { Leaf } from '../structure/leaves.ts'
import { phoneAt } from './join-number.ts'

/**
 * Returns the value at a leaf with what stands beside it in a field of its own: a dialing code, a middle name, the particle of a name.
 * Undefined for other fields.
 */
export function joinedAt(field: string, leaf: Leaf, leaves: readonly Leaf[], country: CountryCode): string | undefined {
  if (field === 'phone') return phoneAt(leaf, leaves, country)
  if (field === 'first_name') return withMiddleName(leaf, leaves)
  return field === 'last_name' ? withParticle(leaf, leaves) : undefined
}

/** A middle name has the key of the first one but for a word: `student_middle_name`, `mnm`. */
function withMiddleName(firstName: Leaf, leaves: readonly Leaf[]): string {
  const key = keyOf(firstName).replace(firstKey, '*')
  const middle = leaves.find((leaf) => {
    if (leaf.group !== firstName.group || !isMiddleName.test(leaf.value)) return false
    const other = keyOf(leaf)
    return middleKey.test(other) && other.replace(middleKey, '*') === key
  })
  const isApart = middle && !` ${firstName.value} `.toLowerCase().includes(` ${middle.value.trim()} `.toLowerCase())
  return isApart && !isParticle.test(middle.value) ? `${firstName.value} ${middle.value.trim()}` : firstName.value
}

const keyOf = ({ labels }: Leaf) => (labels[0] ?? '').toLowerCase()
const firstKey = /(first|given|fore|(?<![a-z])f)(?=[ _-]?(name|nm)|$)/
const middleKey = /(middle|(?<![a-z])m)(?=[ _-]?(name|nm)|$)/
const isMiddleName = /^\s*(?!(null|none|nil|na|n\/a)\b)\p{L}[\p{L}\p{M}.' -]{0,40}$/iu

/** Dutch forms ask for the particle in a field of its own: `van der` before `Laan`. */
function withParticle(lastName: Leaf, leaves: readonly Leaf[]): string {
  const particle = leaves.find(
    ({ group, labels, value }) =>
      group === lastName.group && particleKey.test(labels[0] ?? '') && isParticle.test(value),
  )
  return particle ? `${particle.value} ${lastName.value}` : lastName.value
}

const particleKey = /^(tussen[ _-]?voegsels?|infix|middle[ _-]?name|(last|sur)[ _-]?name[ _-]?(prefix|infix)|prefix)$/i
const isParticle = /^(van|von|de|den|der|ten|ter|te|vd|op)\b/i
