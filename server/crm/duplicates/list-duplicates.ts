import { type Actor, actAs, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import { instant } from '../leads/list-page.ts'
import {
  type CountOfDuplicates,
  type DuplicateLead,
  type DuplicateReason,
  type DuplicatesOfLead,
  maxCountedPairs,
  maxPossibleDuplicates,
  type PossibleDuplicate,
  undoWithin,
} from './contract.ts'

interface Pair {
  lead_id: string
  other_lead_id: string
  reason: DuplicateReason
  found_at: Date
}

/** Returns the open pairs of leads that the actor sees both, the latest first. Their number is limited, so that each page may read all of them. */
export async function listDuplicates(
  database: Database,
  actor: Actor,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: PossibleDuplicate[] }> {
  return readAsActor(database, forWholeAccount(actor), async (tx) => {
    const pairs = await openPairs(tx, actor.account_id)
    const leads = await seenLeads(tx, actor, pairs)
    const seen = pairs.flatMap((pair) => {
      const [first, second] = [leads.get(pair.lead_id), leads.get(pair.other_lead_id)]
      return first && second ? [{ leads: [first, second], ...reasonOf(pair) } satisfies PossibleDuplicate] : []
    })
    return { total: seen.length, data: seen.slice(offset, offset + limit) }
  })
}

/** Counts the open pairs of leads that the actor sees both. */
export async function countDuplicates(database: Database, actor: Actor): Promise<CountOfDuplicates> {
  const { account_id } = actor
  return readAsActor(database, forWholeAccount(actor), async (tx) => {
    const pairs = await openPairs(tx, account_id)
    await actAs(tx, actor)
    const [row] = await tx<{ n: number }[]>`select count(*)::integer as n from (
      select from unnest(${pairs.map(({ lead_id }) => lead_id)}::uuid[], ${pairs.map(({ other_lead_id }) => other_lead_id)}::uuid[])
        as pair (lead, other)
      where exists (select from leads where account_id = ${account_id} and id = pair.lead)
        and exists (select from leads where account_id = ${account_id} and id = pair.other)
      limit ${maxCountedPairs + 1}
    ) seen`
    return { count: Math.min(row!.n, maxCountedPairs), capped: row!.n > maxCountedPairs }
  })
}

const openPairs = (tx: TransactionSql, accountId: string) =>
  tx<Pair[]>`select lead_id, other_lead_id, reason, found_at from lead_conflicts
    where account_id = ${accountId} and dismissed_at is null
    order by found_at desc, lead_id, other_lead_id limit ${maxPossibleDuplicates}`

const reasonOf = ({ reason, found_at }: Pair) => ({ reason, found_at: instantText(found_at) })

const maxShown = 5

/** Returns what the page of a lead says: its possible duplicates that the actor sees, and its last merge while it can be undone. */
export async function duplicatesOfLead(
  database: Database,
  actor: Actor,
  id: string,
  now: Date,
): Promise<DuplicatesOfLead | null> {
  const { account_id } = actor
  return readAsActor(database, forWholeAccount(actor), async (tx) => {
    const pairs = await tx<Pair[]>`select lead_id, other_lead_id, reason, found_at from lead_conflicts
      where account_id = ${account_id} and (lead_id = ${id} or other_lead_id = ${id}) and dismissed_at is null
      order by found_at desc limit 50`
    const [merged] = await tx<{ id: string; name: string; at: Date; by: string | null; is_open: boolean }[]>`
      select lead_id as id, undo #>> '{other,name}' as name, merged_at as at, users.name as by,
        undo is not null and merged_at > ${new Date(now.getTime() - undoWithin)} as is_open
      from merged_leads left join users on users.account_id = ${account_id} and users.id = merged_by
      where merged_leads.account_id = ${account_id} and kept_lead_id = ${id} order by merged_at desc limit 1`
    const leads = await seenLeads(tx, actor, [{ lead_id: id, other_lead_id: id }, ...pairs])
    if (!leads.has(id)) return null
    const possible = pairs.flatMap(({ lead_id, other_lead_id, reason }) => {
      const lead = leads.get(lead_id === id ? other_lead_id : lead_id)
      return lead ? [{ lead, reason }] : []
    })
    return {
      possible: possible.slice(0, maxShown),
      merged: merged?.is_open ? { id: merged.id, name: merged.name, at: instantText(merged.at), by: merged.by } : null,
    }
  })
}

/** Reads the leads of pairs as the actor, so that the database decides which ones they see. */
async function seenLeads(
  tx: TransactionSql,
  actor: Actor,
  pairs: Pick<Pair, 'lead_id' | 'other_lead_id'>[],
): Promise<Map<string, DuplicateLead>> {
  await actAs(tx, actor)
  const ids = [...new Set(pairs.flatMap(({ lead_id, other_lead_id }) => [lead_id, other_lead_id]))]
  const leads = await tx<DuplicateLead[]>`
    select page.id, page.name, page.phone, page.email, page.city, page.status, ${instant(tx, 'created_at')},
      (select name from users where account_id = ${actor.account_id} and users.id = page.assigned_to) as owner
    from leads page where page.account_id = ${actor.account_id} and page.id = any (${ids}::uuid[])`
  return new Map(leads.map((lead) => [lead.id, lead]))
}
