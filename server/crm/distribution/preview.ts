import { msg } from '@lingui/core/runtime-macro'
import { type Account, findAccount } from '../../access/account/users.ts'
import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { istDay } from '../../platform/http/instants.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Text, translate } from '../../platform/languages/translate.ts'
import { assign, rulesToAsk } from './assign.ts'
import { chooseAssignees, type Full, type LeadToAssign } from './choose-assignee.ts'
import type { NamedUser, Preview } from './contract.ts'
import { readTurns } from './lock-turns.ts'
import { readRules } from './read-rules.ts'
import { webhooksIn } from './store.ts'
import { takeFrom } from './take-turn.ts'

const nobody = { rule: null, next: null, offered_to: [] }

/** Returns who would get this lead at this moment and why, in a language. No user of a round robin is taken. */
export async function previewAssignment(
  database: Database,
  actor: Actor,
  lead: LeadToAssign,
  { at, language }: { at: Date; language: Language },
): Promise<Preview> {
  const account = await findAccount(database, actor.account_id)
  const isActive = (id: string) => account.users.some((user) => user.id === id && user.active)
  return readAsActor(database, actor, async (tx) => {
    const rules = await readRules(tx, actor.account_id)
    const say = (text: Text) => translate(text, language)
    const choose = (full?: Full) => chooseAssignees(rules, lead, account, at, full, language)
    const choice = { assignment: choose(), choose, day: istDay(at), isOffered: true }
    const turnsOf = await readTurns(tx, actor.account_id, rulesToAsk(choice))
    const { assignment: chosen, user_id, offered_to } = assign(choice, takeFrom(turnsOf))
    if (chosen && offered_to) {
      const { rule, isFirst, because: why } = chosen
      const position = rules.findIndex(({ id }) => id === rule.id) + 1
      const applies = say(appliesText({ rule: rule.name, next: '' }, { isFirst, isShared: false }))
      const users = offered_to.map((id) => namedUser(account, id))
      const because = `${applies} ${why}`.trimEnd()
      return { rule: { id: rule.id, name: rule.name, position }, next: null, offered_to: users, because }
    }
    if (chosen && user_id) {
      const { rule, people, byFallback, isFirst } = chosen
      const isShared = people.length > 1
      const next = namedUser(account, user_id)
      const position = rules.findIndex(({ id }) => id === rule.id) + 1
      const why = { rule: rule.name, next: next.name }
      const applies = translate(byFallback ? isFallback(why) : appliesText(why, { isFirst, isShared }), language)
      const because = chosen.because ? `${applies} ${chosen.because}` : applies
      return { ...nobody, rule: { id: rule.id, name: rule.name, position }, next, because }
    }
    const none = chosen
      ? chosen.because.replace(/[.।]$/, '')
      : rules.length === 0
        ? msg`There are no rules`
        : msg`No rule with an active user matches`
    if (lead.webhook_id === null) {
      return { ...nobody, because: say(msg`${{ none }}: the owner is the user of the API key that sends it.`) }
    }
    const [webhook] = await webhooksIn(tx, actor.account_id, [lead.webhook_id])
    const fallback = webhook?.default_assignee
    if (!fallback || !isActive(fallback))
      return { ...nobody, because: say(msg`${{ none }}: the lead stays unassigned.`) }
    const next = namedUser(account, fallback)
    const because = say(msg`${{ none }}: the default of the webhook “${{ name: webhook.name }}” applies.`)
    return { ...nobody, next, because }
  })
}

interface Why {
  rule: string
  next: string
}

const isFallback = ({ next }: Why) => msg`${{ name: next }} is the fallback owner of the account.`

function appliesText({ rule, next }: Why, { isFirst, isShared }: { isFirst: boolean; isShared: boolean }): Text {
  if (isShared)
    return isFirst
      ? msg`The rule “${{ rule }}” is the first that matches, and ${{ next }} is next in its round robin.`
      : msg`The rule “${{ rule }}” applies, and ${{ next }} is next in its round robin.`
  return isFirst ? msg`The rule “${{ rule }}” is the first that matches.` : msg`The rule “${{ rule }}” applies.`
}

export function namedUser({ users }: Account, id: string): NamedUser {
  const user = users.find((one) => one.id === id)
  return { user_id: id, name: user?.name ?? '', email: user?.email ?? '', active: user?.active ?? false }
}
