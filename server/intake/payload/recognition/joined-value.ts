import type { CountryCode } from 'libphonenumber-js/max'
import type { Leaf } from '../structure/leaves.ts'
import { phoneAt } from './join-number.ts'

/**
 * Returns the value at a leaf with what stands beside it in a field of its own: a dialing code, the particle of a name. Undefined for
 * other fields.
 */
export function joinedAt(field: string, leaf: Leaf, leaves: readonly Leaf[], country: CountryCode): string | undefined {
  if (field === 'phone') return phoneAt(leaf, leaves, country)
  return field === 'last_name' ? withParticle(leaf, leaves) : undefined
}

/** Dutch forms ask for the particle in a field of its own: `van der` before `Laan`. */
function withParticle(lastName: Leaf, leaves: readonly Leaf[]): string {
  const particle = leaves.find(
    ({ group, labels, value }) =>
      group === lastName.group && particleKey.test(labels[0] ?? '') && isParticle.test(value),
  )
  return particle ? `${particle.value} ${lastName.value}` : lastName.value
}

const particleKey = /^(tussen[ _-]?voegsels?|infix|(last|sur)[ _-]?name[ _-]?(prefix|infix)|prefix)$/i
const isParticle = /^(van|von|de|den|der|ten|ter|te|vd|op)\b/i
