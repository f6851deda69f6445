import { type Account, findAccount } from '../account/users.ts'
import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { assigneeAt, type LeadToAssign, matchingRule } from './choose-assignee.ts'
import type { NamedUser, Preview } from './contract.ts'
import { readRules } from './read-rules.ts'
import { nextPosition } from './round-robin.ts'
import { webhooksIn } from './store.ts'

/** Returns who would get this lead now and why. It takes no round robin position. */
export async function previewAssignment(database: Database, actor: Actor, lead: LeadToAssign): Promise<Preview> {
  const account = await findAccount(database, actor.account_id)
  const isActive = (id: string) => account.users.some((user) => user.id === id && user.active)
  return readAsActor(database, actor, async (tx) => {
    const rules = await readRules(tx, actor.account_id)
    const rule = matchingRule(rules, lead, isActive)
    if (rule) {
      const hasOneUser = rule.people.length === 1
      const index = hasOneUser ? 0 : await nextPosition(tx, actor.account_id, rule.id)
      const next = namedUser(account, assigneeAt(rule.people, index))
      const position = rules.findIndex(({ id }) => id === rule.id) + 1
      const because = `The rule “${rule.name}” is the first that matches${hasOneUser ? '' : `, and ${next.name} is next in its round robin`}.`
      return { rule: { id: rule.id, name: rule.name, position }, next, because }
    }
    const none = rules.length === 0 ? 'There are no rules' : 'No rule with an active user matches'
    if (lead.webhook_id === null) {
      return { rule: null, next: null, because: `${none}: the owner is the user of the API key that sends it.` }
    }
    const [webhook] = await webhooksIn(tx, actor.account_id, [lead.webhook_id])
    const fallback = webhook?.default_assignee
    if (!fallback || !isActive(fallback))
      return { rule: null, next: null, because: `${none}: the lead stays unassigned.` }
    const next = namedUser(account, fallback)
    return { rule: null, next, because: `${none}: the default of the webhook “${webhook.name}” applies.` }
  })
}

export function namedUser({ users }: Account, id: string): NamedUser {
  const user = users.find((one) => one.id === id)
  return { user_id: id, name: user?.name ?? '', email: user?.email ?? '', active: user?.active ?? false }
}
