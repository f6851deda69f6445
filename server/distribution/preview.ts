import { type Account, accountOf } from '../account/users.ts'
import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { type LeadToAssign, matchingRule, personAtTurn } from './choose-assignee.ts'
import type { NamedPerson, Preview } from './contract.ts'
import { readRules, webhooksIn } from './store.ts'
import { nextTurn } from './turns.ts'

/** Who would get this lead just now, and because of what. Takes nobody's turn. */
export async function previewAssignment(database: Database, actor: Actor, lead: LeadToAssign): Promise<Preview> {
  const account = await accountOf(database, actor.account_id)
  const active = (id: string) => account.users.some((person) => person.id === id && person.active)
  return readAsActor(database, actor, async (tx) => {
    const rules = await readRules(tx, actor.account_id)
    const rule = matchingRule(rules, lead, active)
    if (rule) {
      const alone = rule.people.length === 1
      const turn = alone ? 0 : await nextTurn(database, tx, actor.account_id, rule.id)
      const next = namedPerson(account, personAtTurn(rule.people, turn))
      const position = rules.findIndex(({ id }) => id === rule.id) + 1
      const because = `The rule “${rule.name}” is the first that fits${alone ? '' : `, and it is the turn of ${next.name}`}.`
      return { rule: { id: rule.id, name: rule.name, position }, next, because }
    }
    const none = rules.length === 0 ? 'There are no rules' : 'No rule with an active person fits'
    if (lead.webhook_id === null) {
      return { rule: null, next: null, because: `${none}: it goes to whoever's API key sends it.` }
    }
    const [webhook] = await webhooksIn(tx, actor.account_id, [lead.webhook_id])
    const fallback = webhook?.default_assignee
    if (!fallback || !active(fallback)) return { rule: null, next: null, because: `${none}: it goes to nobody.` }
    const next = namedPerson(account, fallback)
    return { rule: null, next, because: `${none}: it goes to the default of the webhook “${webhook.name}”.` }
  })
}

export function namedPerson({ users }: Account, id: string): NamedPerson {
  const person = users.find((one) => one.id === id)
  return { user_id: id, name: person?.name ?? '', email: person?.email ?? '', active: person?.active ?? false }
}
