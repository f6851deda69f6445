import type { Leaf } from '../structure/leaves.ts'

/** Returns the last name with its particle, which Dutch forms ask for in a field of its own: `van der` before `Laan`. */
export function withParticle(lastName: Leaf, leaves: readonly Leaf[]): string {
  const particle = leaves.find(
    ({ group, labels, value }) =>
      group === lastName.group && particleKey.test(labels[0] ?? '') && isParticle.test(value),
  )
  return particle ? `${particle.value} ${lastName.value}` : lastName.value
}

const particleKey = /^(tussen[ _-]?voegsels?|infix|(last|sur)[ _-]?name[ _-]?(prefix|infix)|prefix)$/i
const isParticle = /^(van|von|de|den|der|ten|ter|te|vd|op)\b/i
