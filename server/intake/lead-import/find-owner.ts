import { activeUserByEmail, type User, userByEmail } from '../../access/account/users.ts'
import { mailboxIn } from '../../crm/contacts/parse-contact.ts'
import { maySee } from '../../platform/database/actor.ts'
import { folded } from '../../platform/text/contract.ts'
import type { ImportPlan } from './import-plan.ts'

type Plan = Pick<ImportPlan, 'account' | 'actor'>

/** Most rows name one of few users. */
const found = new WeakMap<Plan, Map<string, User | undefined>>()
const maxFound = 1000

/** Finds the active user of an email, a full name, or a first name that only one has, among those whose leads the actor sees. */
export function findOwner(plan: Plan, text: string): User | undefined {
  const known = found.get(plan) ?? new Map<string, User | undefined>()
  found.set(plan, known)
  if (known.has(text)) return known.get(text)
  const user = userNamed(plan, text)
  if (known.size < maxFound) known.set(text, user)
  return user
}

/** Finds the user of an email, active or not, as one who was chosen. */
export function chosenOwner({ account, actor }: Plan, email: string): User | undefined {
  const user = userByEmail(account, email) ?? undefined
  return user && maySee(actor, user.id) ? user : undefined
}

const spelled = (name: string) => folded(name).trim().replace(/\s+/g, ' ')

function userNamed({ account, actor }: Plan, text: string): User | undefined {
  const wanted = spelled(text)
  const only = (is: (name: string) => boolean) => {
    const named = account.users.filter(({ active, name }) => active && is(spelled(name)))
    return named.length === 1 ? named[0] : undefined
  }
  const user =
    activeUserByEmail(account, mailboxIn(text)?.email ?? text) ??
    only((name) => name === wanted) ??
    only((name) => name.split(' ')[0] === wanted)
  return user && maySee(actor, user.id) ? user : undefined
}
