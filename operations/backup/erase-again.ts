import type { CountryCode } from 'libphonenumber-js/max'
import { eraseLead } from '../../server/crm/leads/remove-lead.ts'
import { lockLead } from '../../server/crm/leads/store.ts'
import { accountActor, actAs } from '../../server/platform/database/actor.ts'
import type { TransactionSql } from '../../server/platform/database/sql.ts'
import { type ErasedLead, readErasedList } from './erased-list.ts'

/** Deletes the restored leads that the lists name, with all data of their people. Returns how many. `account`: of this one alone. */
export async function eraseAgain(tx: TransactionSql, lists: string[], account?: string): Promise<number> {
  let erased = 0
  for (const list of lists) {
    for await (const batch of readErasedList(list)) {
      const own = batch.filter(
        ({ account_id, lead_id }) => account_id === (account ?? account_id) && lead_id !== account_id,
      )
      erased += await eraseBatch(tx, own)
    }
  }
  return erased
}

async function eraseBatch(tx: TransactionSql, batch: ErasedLead[]): Promise<number> {
  const accounts = batch.map(({ account_id }) => account_id)
  const leads = batch.map(({ lead_id }) => lead_id)
  const times = batch.map(({ at }) => at)
  // Lists may also be of other installations.
  await tx`insert into erased_leads (account_id, lead_id, at)
    select account_id, lead_id, at::timestamptz
    from unnest(${accounts}::uuid[], ${leads}::uuid[], ${times}::text[]) as erased (account_id, lead_id, at)
    where account_id in (select id from accounts) on conflict do nothing`
  const found = await tx<FoundLead[]>`
    select account_id, leads.id, default_country as country from leads join accounts on accounts.id = account_id
    where (account_id, leads.id) in (select * from unnest(${accounts}::uuid[], ${leads}::uuid[]))`
  return eraseLeads(tx, found)
}

/** Deletes the leads of an account that it had erased before its rows were replaced. Returns how many. */
export async function eraseErasedLeads(tx: TransactionSql, account: string): Promise<number> {
  const found = await tx<FoundLead[]>`
    select account_id, leads.id, default_country as country from leads join accounts on accounts.id = account_id
    where account_id = ${account} and leads.id in (select lead_id from erased_leads where account_id = ${account})`
  return eraseLeads(tx, found)
}

interface FoundLead {
  account_id: string
  id: string
  country: CountryCode
}

async function eraseLeads(tx: TransactionSql, found: FoundLead[]): Promise<number> {
  for (const { account_id, id, country } of found) {
    const actor = accountActor(account_id)
    // The owner of the tables needs no actor, but the functions that write totals compare theirs.
    await actAs(tx, actor)
    const lead = await lockLead(tx, account_id, id)
    await eraseLead(tx, actor, lead!, country)
  }
  return found.length
}
