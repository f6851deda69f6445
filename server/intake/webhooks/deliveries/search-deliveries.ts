import type { CountryCode } from 'libphonenumber-js/max'
import { newestMatches } from '../../../crm/leads/newest-matches.ts'
import { searchTerms } from '../../../crm/leads/search-terms.ts'
import type { Actor } from '../../../platform/database/actor.ts'
import type { Statement, TransactionSql } from '../../../platform/database/sql.ts'

/** Names and contacts are read in so many of the newest deliveries. Older ones are found by their lead or a whole contact. */
export const maxRead = 10_000
/** Leads that a search finds, the newest ones. */
const maxLeads = 100
/** Deliveries of these leads, and of a contact. */
const maxOfPerson = 1000

export interface DeliverySearch {
  /** The id of a request: nothing else is searched. */
  id: string | null
  /** Leads that the search finds. */
  leads: string[]
  /** Whole contacts, by which deliveries without a lead are found. */
  contacts: string[]
  /** Each is a part of a name or contact. */
  words: string[]
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export async function readSearch(
  tx: TransactionSql,
  actor: Actor,
  text: string,
  country: CountryCode,
): Promise<DeliverySearch> {
  const typed = text.trim()
  if (uuid.test(typed)) return { id: typed, leads: [], contacts: [], words: [] }
  const terms = searchTerms(typed, country)
  return {
    id: null,
    leads: await newestMatches(tx, actor, terms, maxLeads),
    contacts: [
      ...terms.phones.map((phone) => `phone:${phone}`),
      ...(terms.email === null ? [] : [`email:${terms.email}`]),
    ],
    words: typed.split(/\s+/u).slice(0, 5),
  }
}

/** Returns the ids that the search finds. `newest` are the deliveries of the filters, the newest first. */
export function foundBy(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  { id, leads, contacts, words }: DeliverySearch,
  newest: Statement,
): Statement {
  if (id !== null)
    return tx`select id from deliveries where account_id = ${accountId} and id = ${id}
      union select id from deliveries where account_id = ${accountId} and batch_id = ${id}`
  const conditions = words.map((word) => tx`and said ilike ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`)
  return tx`
    (select id from deliveries where account_id = ${accountId} and lead_id = any (${leads}::uuid[])
      and webhook_id = ${webhookId} order by received_at desc limit ${maxOfPerson})
    union (select delivery_id from delivery_contacts where account_id = ${accountId}
      and contact in (select contact_hash(${accountId}, contact) from unnest(${contacts}::text[]) as contact) limit ${maxOfPerson})
    union select id from (
      select id, jsonb_path_query_array(picks, '$[*] ? (@.field == "name" || @.field == "first_name" || @.field == "last_name"
        || @.field == "phone" || @.field == "email").value')::text as said from (${newest} limit ${maxRead}) newest
    ) read where true ${conditions.reduce((all, one) => tx`${all} ${one}`, tx``)}`
}
