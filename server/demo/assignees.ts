import type { User } from '../account/users.ts'
import { type Chances, chances } from './chance.ts'

/** Agents get most of the leads, and some are unassigned. */
export function assigneesAmong(users: User[]): Chances<string | null> {
  const share = { Agent: 10, Manager: 4, Admin: 1 }
  const active = users.filter((user) => user.active).map(({ id, role }) => [id, share[role]] as const)
  const all = active.reduce((sum, [, weight]) => sum + weight, 0)
  return chances<string | null>([...active, [null, all === 0 ? 1 : all * 0.12]])
}
