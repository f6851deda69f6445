import type { Actor } from '../../platform/database/actor.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import { type OriginField, originFields } from '../leads/contract.ts'
import { shownAnswers } from './contract.ts'
import { type EnquiryJson, fromJson, type StoredEnquiry } from './stored-enquiry.ts'

/** Limits of one answer: the newest enquiries in so many bytes, at least one of them. */
const maxEntries = 20
const maxBytes = 64 * 1024

/** Returns the newest enquiries of a lead as JSON (`Enquiries`). Empty if the actor sees no such lead. */
export async function readEnquiries(
  tx: TransactionSql,
  { accountId, leadId, before }: { accountId: string; leadId: string; before?: number | undefined },
): Promise<string> {
  const [page] = await tx<{ entries: string; next: string | null }[]>`
    with newest as materialized (
      select id, row_number() over (order by at desc, id desc) as place, json_build_object(
        'id', id, 'at', left(to_json(at)#>>'{}', 19) || 'Z', 'source', source, 'platform', platform, 'is_repeat', is_repeat,
        'message', message, 'origin', origin, 'answers', answers, 'consent', consent, 'omitted', omitted, 'earlier', earlier
      )::text as entry
      from enquiries where account_id = ${accountId} and lead_id = ${leadId} ${before === undefined ? tx`` : tx`and (at, id) < (select at, id from enquiries where account_id = ${accountId} and lead_id = ${leadId} and id = ${before})`}
      order by at desc, id desc limit ${maxEntries + 1}
    ), page as (
      select id, place, entry from (
        select id, place, entry, sum(octet_length(entry)) over (order by place) as bytes from newest
      ) measured where place = 1 or (place <= ${maxEntries} and bytes <= ${maxBytes})
    )
    select coalesce((select string_agg(entry, ',' order by place) from page), '') as entries,
      case when (select count(*) from newest) > (select count(*) from page) then (select id from page order by place desc limit 1) end as next`
  return `{"entries":[${page!.entries}],"next":${page!.next}}`
}

/**
 * Returns the enquiry to which a sender's submission belongs, `within` so many milliseconds of its time. Of those that were kept before,
 * the sender is not known.
 */
export async function findEnquiryAt(
  tx: TransactionSql,
  { account_id, via_id }: Actor,
  leadId: string,
  { at, within }: { at: Date; within: number },
): Promise<StoredEnquiry | null> {
  const [found] = await tx<{ enquiry: EnquiryJson }[]>`
    select to_jsonb(enquiries) as enquiry from enquiries
    where account_id = ${account_id} and lead_id = ${leadId} and (via_id = ${via_id} or via_id is null)
      and at <= ${new Date(at.getTime() + within)} and last_at >= ${new Date(at.getTime() - within)}
    order by at desc, id desc limit 1`
  return found ? fromJson({ ...found.enquiry, via_id }) : null
}

/** Removes what a sender said of a lead. Returns whether there was something. */
export async function removeEnquiries(
  tx: TransactionSql,
  { account_id, via_id }: Actor,
  leadId: string,
): Promise<boolean> {
  const removed = await tx<Record<OriginField, string | null>[]>`delete from enquiries
    where account_id = ${account_id} and lead_id = ${leadId} and via_id = ${via_id} returning product, campaign, ad, form`
  // The lead has those of the first enquiry that named one.
  for (const field of originFields) {
    const named = removed.flatMap((enquiry) => enquiry[field] ?? [])
    if (named.length > 0)
      await tx`update leads set ${tx(field)} = (
          select ${tx(field)} from enquiries where account_id = ${account_id} and lead_id = ${leadId} and ${tx(field)} is not null
          order by at, id limit 1
        ) where account_id = ${account_id} and id = ${leadId} and ${tx(field)} = any (${named})`
  }
  return removed.length > 0
}

/** The newest enquiry of a lead, for a statement that selects leads. `lead`: its id. */
const fromNewest = (tx: TransactionSql, accountId: string, lead: Statement) => tx`
  from enquiries where enquiries.account_id = ${accountId} and enquiries.lead_id = ${lead}
  order by enquiries.at desc, enquiries.id desc limit 1`

/** The notes of a lead without the message of its newest enquiry, for a statement that selects leads. */
export const notesBeside = (tx: TransactionSql, accountId: string, lead: Statement, notes: Statement) => tx`coalesce((
  select trim(e'\n' from replace(e'\n' || ${notes} || e'\n', e'\n' || message || e'\n', e'\n'))
  ${fromNewest(tx, accountId, lead)}
), ${notes})`

/** In characters. */
const previewLength = 300

/** The newest enquiry of a lead as JSON (`EnquiryPreview`), for a statement that selects leads; null if it has none. `lead`: its id. */
export const enquiryPreview = (tx: TransactionSql, accountId: string, lead: Statement) => tx`(
  select json_build_object(
    'at', left(to_json(at)#>>'{}', 19) || 'Z', 'message', left(message, ${previewLength}),
    'product', left(origin->>'product', ${previewLength}), 'campaign', left(coalesce(origin->>'campaign', origin->>'utm_campaign'), ${previewLength}),
    'page_url', left(origin->>'page_url', ${previewLength}),
    'answers', (select coalesce(json_agg(json_build_object(
        'question', left(one->>'question', ${previewLength}), 'answer', left(one->>'answer', ${previewLength})) order by place), '[]')
      from jsonb_array_elements(answers) with ordinality as answer (one, place) where place <= ${shownAnswers}),
    'more', greatest(jsonb_array_length(answers) - ${shownAnswers}, 0) + omitted,
    'do_not_call', left(consent->>'do_not_call', ${previewLength}))
  ${fromNewest(tx, accountId, lead)}
)`

/** Answers are looked for in so many enquiries of a lead. */
const maxSearched = 20

/** The newest answer of the lead of `page` to each question, by its beginning, cut, as JSON; null if it has none. */
export const newestAnswers = (
  sql: Sql | TransactionSql,
  accountId: string,
  questions: string[],
  length = previewLength,
) => sql`(
  select json_object_agg(asked.question, found.answer)
  from unnest(${questions}::text[]) as asked (question), lateral (
    select left(one->>'answer', ${length}) as answer
    from (
      select id, at, answers from enquiries
      where enquiries.account_id = ${accountId} and enquiries.lead_id = page.id order by at desc, id desc limit ${maxSearched}
    ) newest, jsonb_array_elements(answers) as one
    where starts_with(one->>'question', asked.question) order by newest.at desc, newest.id desc limit 1
  ) found
)`

/** The beginnings of the questions that the newest enquiries of leads have, the most frequent first. `leads` selects their ids. */
export async function frequentQuestions(
  tx: TransactionSql,
  accountId: string,
  leads: Statement,
  { length, limit }: { length: number; limit: number },
): Promise<string[]> {
  const rows = await tx<{ question: string }[]>`
    select left(one->>'question', ${length}) as question
    from (${leads}) leads (id), lateral (
      select answers ${fromNewest(tx, accountId, tx`leads.id`)}
    ) newest, jsonb_array_elements(answers) as one
    group by 1 order by count(*) desc, 1 limit ${limit}`
  return rows.map(({ question }) => question)
}

/** In bytes of answers, beyond which older enquiries are left out. */
export const maxExported = 16 * 1024

/** The newest enquiries of the lead of `page` as JSON, for a file; null if there are none. */
export const exportedEnquiries = (tx: TransactionSql, accountId: string) => tx`(
  select json_agg(json_build_object('answers', answers, 'origin', origin, 'consent', consent) order by at desc, id desc)
  from (
    select *, sum(octet_length(answers::text)) over (order by at desc, id desc) - octet_length(answers::text) as before
    from enquiries where enquiries.account_id = ${accountId} and enquiries.lead_id = page.id
  ) measured where before < ${maxExported}
)`
