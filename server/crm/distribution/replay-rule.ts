import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { findAccount } from '../../access/account/users.ts'
import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import { compareNames } from '../../platform/text/contract.ts'
import { type DistributionRule, type EnquiryValues, noEnquiryValues } from './choose-assignee.ts'
import { maxReplayed, type Replay } from './contract.ts'
import { namedUser } from './preview.ts'
import { readRules } from './read-rules.ts'
import { type Destination, type PastLead, replayLeads } from './replay-leads.ts'
import { enquiryValues } from './store.ts'

const maxExamples = 10

/** Returns what the last leads would have become with a rule that is not saved yet. Nothing is saved or counted. */
export async function replayRule(
  database: Database,
  actor: Actor,
  { id, ...rule }: Omit<DistributionRule, 'id'> & { id: string | null },
): Promise<Replay> {
  const account = await findAccount(database, actor.account_id)
  const { rules, found } = await readAsActor(database, actor, async (tx) => ({
    rules: await readRules(tx, actor.account_id),
    found: await readLastLeads(tx, actor.account_id),
  }))
  if (id !== null && !rules.some((one) => one.id === id)) throw notFound(msg`There is no such distribution rule.`)
  const changed = { ...rule, id: id ?? randomUUID() }
  const changedRules = id === null ? [...rules, changed] : rules.map((one) => (one.id === id ? changed : one))
  const leads = found.filter(({ is_affected }) => is_affected).toReversed()
  const before = replayLeads(leads, rules, account)
  const after = replayLeads(leads, changedRules, account)

  const both = (counts: (destination: Destination) => boolean) => ({
    before: before.filter(counts).length,
    after: after.filter(counts).length,
  })
  const userIds = new Set([...before, ...after].flatMap(({ user_id }) => user_id ?? []))
  const isElsewhere = (index: number) => {
    const [one, other] = [before[index]!, after[index]!]
    return one.user_id !== other.user_id || one.is_offered !== other.is_offered
  }
  const nameOf = ({ user_id, is_offered }: Destination) =>
    is_offered ? 'First to claim' : user_id === null ? null : namedUser(account, user_id).name
  const moved = leads.map((lead, index) => ({ lead, index })).filter(({ index }) => isElsewhere(index))
  return {
    leads: leads.length,
    not_affected: found.length - leads.length,
    users: [...userIds]
      .map((id) => ({ ...namedUser(account, id), ...both(({ user_id }) => user_id === id) }))
      .toSorted(
        (one, other) => other.after - one.after || other.before - one.before || compareNames(one.name, other.name),
      ),
    by: {
      this_rule: both(({ rule_id, by_fallback }) => rule_id === changed.id && !by_fallback),
      other_rules: both(({ rule_id, by_fallback }) => rule_id !== null && rule_id !== changed.id && !by_fallback),
      fallback_owner: both(({ by_fallback }) => by_fallback),
      no_rule: both(({ rule_id }) => rule_id === null),
    },
    offered: both(({ is_offered }) => is_offered),
    moved: moved.length,
    examples: moved
      .toReversed()
      .slice(0, maxExamples)
      .map(({ lead, index }) => ({
        lead_id: lead.id,
        name: lead.name,
        at: instantText(lead.at),
        before: nameOf(before[index]!),
        after: nameOf(after[index]!),
      })),
  }
}

interface FoundLead extends PastLead {
  id: string
  name: string
  is_affected: boolean
}

/**
 * Reads the last leads, newest first. Rules affect those that one has assigned, and those that came through webhooks and API keys of
 * Admins.
 */
async function readLastLeads(tx: TransactionSql, accountId: string): Promise<FoundLead[]> {
  type Row = Omit<FoundLead, keyof EnquiryValues> & { enquiry: EnquiryValues | null }
  const rows = await tx<Row[]>`
    select distinct on (newest.created_at, newest.id) newest.id, newest.name, source, city, tags, coalesce(created.at, newest.created_at) as at,
      case when details ->> 'via' = 'webhook' then details ->> 'via_id' end as webhook_id,
      ${enquiryValues(tx, accountId, tx`newest.id`)} as enquiry,
      coalesce(details ? 'rule_id' or details ->> 'via' = 'webhook' or (details ->> 'via' = 'api_key' and exists (
        select from api_keys join users on users.account_id = ${accountId} and users.id = api_keys.user_id
        where api_keys.account_id = ${accountId} and api_keys.id = (details ->> 'via_id')::uuid and role = 'Admin'
      )), false) as is_affected
    from (
      select id, name, source, city, tags, created_at from leads
      where account_id = ${accountId} order by created_at desc, id desc limit ${maxReplayed}
    ) newest left join timeline_entries created
      on created.account_id = ${accountId} and created.lead_id = newest.id and kind = 'created'
    order by newest.created_at desc, newest.id desc, created.id`
  return rows.map(({ enquiry, ...lead }) => ({ ...lead, ...(enquiry ?? noEnquiryValues) }))
}
