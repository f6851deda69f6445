import type { Account } from '../../access/account/users.ts'
import { findLead } from '../../crm/leads/store.ts'
import { type Actor, actAs, forWholeAccount } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'

/** In hours, since a lead was reassigned. */
const formerOwnerWithin = 24
/** In minutes: the page learns of it some seconds later, and clocks differ. */
const grace = 5
/** Entries of the timeline. */
const maxLooked = 200

interface Started {
  lead_id: string
  called_at: Date
}

/**
 * Whether a call began while its lead was visible to the actor, who does not see it now: it was reassigned within 24 hours. The transaction
 * acts for the whole account then, to write this call and what `log-call.ts` says of its lead.
 */
export async function actAsFormerOwner(
  tx: TransactionSql,
  actor: Actor,
  { users }: Account,
  { call: { lead_id, called_at }, at }: { call: Started; at: Date },
): Promise<boolean> {
  const { account_id, sees } = actor
  if (sees === 'all' || (await findLead(tx, account_id, lead_id))) return false
  await actAs(tx, forWholeAccount(actor))
  const owners = users.filter(({ id }) => sees.includes(id))
  const changes = owners.map(({ email }) => [{ field: 'assigned_to', before: email }])
  const since = Math.max(at.getTime() - formerOwnerWithin * 3_600_000, called_at.getTime() - grace * 60_000)
  const [found] = await tx`
    select from (
      select at, kind, details from timeline_entries where account_id = ${account_id} and lead_id = ${lead_id}
      order by id desc limit ${maxLooked}
    ) newest
    where at > ${new Date(since)} and (
      details->'changes' @> any (array(select jsonb_array_elements(${tx.json(changes)}::jsonb)))
      or kind = 'reassigned' and details->>'from' = any (${owners.map(({ id }) => id)}::text[])
    ) limit 1`
  if (found) return true
  await actAs(tx, actor)
  return false
}
