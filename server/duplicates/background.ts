import type { TransactionSql } from '../database/sql.ts'
import { maxPossibleDuplicates, undoWithin } from './contract.ts'
import { haveSameName, likeness } from './likeness.ts'
import { addPair } from './pairs.ts'

/** Leads with the name of a lead that are compared with it. If there are more, the name says nothing. */
const maxNamesakes = 20
/** A lead that has more possible duplicates has a name that many people of its city have. */
const maxOfLead = 3
/** In milliseconds. Leads that are saved now may be committed a little later, and are compared with the next batch. */
const settling = 60_000
/** Of accounts that were never searched: leads that changed in these days. */
const firstSearch = 30 * 86_400_000

interface Compared {
  id: string
  name: string
  city: string | null
  phone_key: string | null
  updated_at: Date
}

/**
 * Compares the next leads that were created or changed with others of the same name, and stores those that may be one person. Returns how
 * many leads it compared.
 */
export async function findDuplicates(tx: TransactionSql, accountId: string, now: Date, limit: number): Promise<number> {
  const [cursor] = await tx<{ at: Date; id: string }[]>`
    select searched_until as at, last_lead_id as id from duplicate_searches where account_id = ${accountId}`
  const from = cursor ?? { at: new Date(now.getTime() - firstSearch), id: '00000000-0000-0000-0000-000000000000' }
  const leads = await tx<Compared[]>`
    select id, name, city, phone_key, updated_at from leads
    where account_id = ${accountId} and updated_at >= ${from.at} and updated_at <= ${new Date(now.getTime() - settling)}
      and (updated_at, id) > (${from.at}, ${from.id}::uuid)
    order by updated_at, id limit ${limit}`
  for (const lead of leads) await compare(tx, accountId, lead, now)
  const last = leads.at(-1)
  if (!last) return 0
  await tx`insert into duplicate_searches (account_id, searched_until, last_lead_id)
    values (${accountId}, ${last.updated_at}, ${last.id}) on conflict (account_id)
    do update set searched_until = excluded.searched_until, last_lead_id = excluded.last_lead_id`
  return leads.length
}

async function compare(tx: TransactionSql, accountId: string, lead: Compared, now: Date): Promise<void> {
  const name = lead.name.trim().toLowerCase()
  // From the name on: other leads may have a sign or a word more. The index of names serves it.
  const namesakes = await tx<Compared[]>`select id, name, city, phone_key, updated_at from leads
    where account_id = ${accountId} and name_key >= ${name} and name_key < ${`${name}\u{10FFFF}`}
    order by name_key, id limit ${maxNamesakes + 2}`
  if (namesakes.filter((other) => haveSameName(lead, other)).length > maxNamesakes + 1) return
  const found = namesakes.flatMap((other) => {
    const reason = other.id === lead.id ? null : likeness(lead, other)
    return reason ? [{ id: other.id, reason }] : []
  })
  if (found.length > maxOfLead) return
  for (const { id, reason } of found) {
    const [lead_id, other_lead_id] = [lead.id, id].sort()
    const pair = { lead_id: lead_id!, other_lead_id: other_lead_id!, found_at: now, reason, dismissed_at: null }
    await addPair(tx, accountId, pair)
  }
}

/** Keeps the latest possible duplicates of an account. Those that a user dismissed are kept, so that they do not come again. */
export async function removeOldPairs(tx: TransactionSql, accountId: string, limit: number): Promise<number> {
  const { count } = await tx`delete from lead_conflicts where account_id = ${accountId} and dismissed_at is null
    and (lead_id, other_lead_id) in (
      select lead_id, other_lead_id from lead_conflicts where account_id = ${accountId} and dismissed_at is null
      order by found_at desc, lead_id, other_lead_id offset ${maxPossibleDuplicates} limit ${limit}
    )`
  return count
}

/** Ends the time in which merges can be undone. */
export async function forgetUndo(tx: TransactionSql, accountId: string, now: Date, limit: number): Promise<number> {
  const { count } = await tx`update merged_leads set undo = null where account_id = ${accountId} and lead_id in (
    select lead_id from merged_leads where account_id = ${accountId} and undo is not null
      and merged_at <= ${new Date(now.getTime() - undoWithin)} limit ${limit} for update skip locked
  )`
  return count
}
