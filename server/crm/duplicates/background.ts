import type { TransactionSql } from '../../platform/database/sql.ts'
import { maxPossibleDuplicates, undoWithin } from './contract.ts'
import { haveSameName, likeness } from './likeness.ts'
import { addPair, type ConflictRow } from './pairs.ts'

/** Leads with the name of a lead that are compared with it. If there are more, the name says nothing. */
const maxNamesakes = 20
/** A lead that has more possible duplicates has a name that many people of its city have. */
const maxOfLead = 3
/** In milliseconds. Leads that are saved now may be committed a little later, and are compared with the next batch. */
const settling = 60_000
/** The first search of an account covers leads that changed within this time. */
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
  const namesakes = await namesakesOf(tx, accountId, leads)
  const pairs = new Map<string, ConflictRow>()
  for (const lead of leads)
    for (const { id, reason } of duplicatesAmong(lead, namesakes.get(lead.id) ?? [])) {
      const [lead_id, other_lead_id] = [lead.id, id].sort() as [string, string]
      pairs.set(`${lead_id} ${other_lead_id}`, { lead_id, other_lead_id, found_at: now, reason, dismissed_at: null })
    }
  for (const pair of pairs.values()) await addPair(tx, accountId, pair)
  await removeOldPairs(tx, accountId, pairs.size)
  const last = leads.at(-1)
  if (!last) return 0
  await tx`insert into duplicate_searches (account_id, searched_until, last_lead_id)
    values (${accountId}, ${last.updated_at}, ${last.id}) on conflict (account_id)
    do update set searched_until = excluded.searched_until, last_lead_id = excluded.last_lead_id`
  return leads.length
}

/**
 * Returns the leads whose names begin as those of the given ones, by their ids. They may have a sign or a word more. The index of names
 * serves it, a few rows for each lead.
 */
async function namesakesOf(tx: TransactionSql, accountId: string, leads: Compared[]): Promise<Map<string, Compared[]>> {
  const rows = await tx<(Compared & { of_id: string })[]>`
    select found.id as of_id, namesake.* from leads found cross join lateral (
      select id, name, city, phone_key, updated_at from leads
      where account_id = ${accountId} and name_key >= found.name_key and name_key < found.name_key || chr(1114111)
      order by name_key, leads.id limit ${maxNamesakes + 2}
    ) namesake
    where found.account_id = ${accountId} and found.id = any (${leads.map(({ id }) => id)}::uuid[])`
  return Map.groupBy(rows, ({ of_id }) => of_id)
}

/** Returns the leads that may be the same person, with the reason. None if the name is one of many people. */
function duplicatesAmong(lead: Compared, namesakes: Compared[]) {
  if (namesakes.filter((other) => haveSameName(lead, other)).length > maxNamesakes + 1) return []
  const found = namesakes.flatMap((other) => {
    const reason = other.id === lead.id ? null : likeness(lead, other)
    return reason ? [{ id: other.id, reason }] : []
  })
  return found.length > maxOfLead ? [] : found
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
