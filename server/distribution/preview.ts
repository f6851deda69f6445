import { type Account, findAccount } from '../account/users.ts'
import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { chooseAssignees, type LeadToAssign } from './choose-assignee.ts'
import type { NamedUser, Preview } from './contract.ts'
import { readRules } from './read-rules.ts'
import { previewAssignee } from './round-robin.ts'
import { webhooksIn } from './store.ts'

/** Returns who would get this lead at this moment and why. No user of a round robin is taken. */
export async function previewAssignment(
  database: Database,
  actor: Actor,
  lead: LeadToAssign,
  at: Date,
): Promise<Preview> {
  const account = await findAccount(database, actor.account_id)
  const isActive = (id: string) => account.users.some((user) => user.id === id && user.active)
  return readAsActor(database, actor, async (tx) => {
    const rules = await readRules(tx, actor.account_id)
    const chosen = chooseAssignees(rules, lead, account, at)
    if (chosen) {
      const { rule, people, byFallback, isFirst } = chosen
      const isShared = people.length > 1
      const id = isShared
        ? await previewAssignee(tx, actor.account_id, { ruleId: rule.id, people })
        : people[0]!.user_id
      const next = namedUser(account, id)
      const position = rules.findIndex(({ id }) => id === rule.id) + 1
      const applies = byFallback
        ? `${next.name} is the fallback owner of the account.`
        : `The rule “${rule.name}” ${isFirst ? 'is the first that matches' : 'applies'}${isShared ? `, and ${next.name} is next in its round robin` : ''}.`
      const because = chosen.because ? `${applies} ${chosen.because}` : applies
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
