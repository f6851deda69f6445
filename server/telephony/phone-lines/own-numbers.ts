import { isContactOfLead } from '../../crm/leads/store.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'

/** Calls with as many leads make a number known: one payload, or one caller, does not. */
const enoughLeads = 3
const maxNumbersOfCall = 5
export const maxOwnNumbers = 500
/** A number that was seen within this time is not written again. */
const seenAgain = 86_400_000

/**
 * Returns those numbers that are a user's line, or were on the business's side of calls with several leads; of all numbers, if none are
 * given. A contact of a lead is none.
 */
export async function ownNumbersAmong(tx: TransactionSql, accountId: string, numbers?: string[]): Promise<string[]> {
  const rows = await tx<{ number: string }[]>`
    select number from (
      select number from own_numbers
        where account_id = ${accountId} ${numbers ? tx`and number = any (${numbers})` : tx``} and cardinality(lead_ids) >= ${enoughLeads}
      union select line from phone_lines
        where account_id = ${accountId} ${numbers ? tx`and line = any (${numbers})` : tx``} and user_id is not null
    ) as known
    where not exists (select from leads where account_id = ${accountId} and phone_key = number)
      and not exists (select from lead_contacts where account_id = ${accountId} and key = number)`
  return rows.map(({ number }) => number)
}

/** Adds a call of a lead to the numbers that were on the business's side of it. Call it as an actor that sees everything. */
export async function learnOwnNumbers(
  tx: TransactionSql,
  accountId: string,
  { numbers, leadId, now }: { numbers: string[]; leadId: string; now: Date },
): Promise<void> {
  const some = numbers.slice(0, maxNumbersOfCall)
  if (some.length === 0) return
  const rows = await tx<{ number: string; lead_ids: string[]; seen_at: Date }[]>`
    select number, lead_ids, seen_at from own_numbers where account_id = ${accountId} and number = any (${some})`
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  // In one order, so that two calls do not wait for each other.
  for (const number of some.toSorted()) {
    const { lead_ids = [], seen_at = null } = byNumber.get(number) ?? {}
    const isNew = lead_ids.length < enoughLeads && !lead_ids.includes(leadId)
    if (seen_at !== null && !isNew && Number(now) - Number(seen_at) < seenAgain) continue
    if (isNew && (await isContactOfLead(tx, accountId, number))) continue
    if (seen_at === null) await addNumber(tx, accountId, { number, leadId, now })
    else
      await tx`update own_numbers set lead_ids = ${isNew ? [...lead_ids, leadId] : lead_ids}::uuid[], seen_at = ${now}
        where account_id = ${accountId} and number = ${number}`
  }
}

/** Adds a number, instead of those seen longest ago. */
async function addNumber(
  tx: TransactionSql,
  accountId: string,
  { number, leadId, now }: { number: string; leadId: string; now: Date },
): Promise<void> {
  await tx`delete from own_numbers where account_id = ${accountId} and number in (
      select number from own_numbers where account_id = ${accountId} order by seen_at desc, number offset ${maxOwnNumbers - 1})`
  await tx`insert into own_numbers (account_id, number, lead_ids, seen_at)
    values (${accountId}, ${number}, ${[leadId]}::uuid[], ${now}) on conflict do nothing`
}
