import type { TransactionSql } from '../../platform/database/sql.ts'
import type { DuplicateReason } from './contract.ts'

/** A pair of leads that may be one person. The smaller id comes first. */
export interface ConflictRow {
  lead_id: string
  other_lead_id: string
  found_at: Date | string
  reason: DuplicateReason
  dismissed_at: Date | string | null
}

export async function addPair(tx: TransactionSql, accountId: string, pair: ConflictRow): Promise<boolean> {
  const { count } =
    await tx`insert into lead_conflicts (account_id, lead_id, other_lead_id, found_at, reason, dismissed_at)
    select ${accountId}, ${pair.lead_id}, ${pair.other_lead_id}, ${pair.found_at}::timestamptz, ${pair.reason},
      ${pair.dismissed_at}::timestamptz
    where (select count(*) from leads where account_id = ${accountId} and id in (${pair.lead_id}, ${pair.other_lead_id})) = 2
    on conflict do nothing returning 1`
  return count === 1
}

/** Gives the pairs of a lead that ends to the lead that is kept. Returns the pairs as they were. */
export async function movePairs(
  tx: TransactionSql,
  accountId: string,
  from: string,
  to: string,
): Promise<ConflictRow[]> {
  const pairs = await tx<ConflictRow[]>`delete from lead_conflicts
    where account_id = ${accountId} and (lead_id = ${from} or other_lead_id = ${from})
    returning lead_id, other_lead_id, found_at, reason, dismissed_at`
  for (const pair of pairs) {
    const ids = [pair.lead_id, pair.other_lead_id].map((id) => (id === from ? to : id)).sort()
    if (ids[0] !== ids[1]) await addPair(tx, accountId, { ...pair, lead_id: ids[0]!, other_lead_id: ids[1]! })
  }
  return [...pairs]
}

/** Takes the pairs back that a merge gave to the kept lead. */
export async function restorePairs(
  tx: TransactionSql,
  accountId: string,
  { pairs, from, to }: { pairs: ConflictRow[]; from: string; to: string },
): Promise<void> {
  for (const pair of pairs) {
    const partner = pair.lead_id === to ? pair.other_lead_id : pair.lead_id
    const [first, second] = [partner, from].sort()
    await tx`delete from lead_conflicts where account_id = ${accountId} and lead_id = ${first!} and other_lead_id = ${second!}
      and found_at = ${pair.found_at}::timestamptz and dismissed_at is not distinct from ${pair.dismissed_at}::timestamptz`
    await addPair(tx, accountId, pair)
  }
}
