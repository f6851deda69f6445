import type { TransactionSql } from '../../platform/database/sql.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { readEnquiries } from '../enquiries/store.ts'
import { translateEntry } from '../timeline/translate-summary.ts'
import { instant } from './list-page.ts'
import { answerWithRest, columnsOfCalls } from './response-rows.ts'

/**
 * Limits of one answer: with the lead's own fields (notes of 20,000 characters, 200 tags) it stays below 256 KiB. Entries
 * and calls that are cut can be read by their id.
 */
export const maxCalls = 8
export const maxEntries = 50
const previewCharacters = 500
export const timelineBytes = 48 * 1024

/** Returns a lead with its newest enquiries, calls and timeline entries as JSON, with sentences in a language; null if the actor sees no such lead. */
export async function readLeadPage(
  tx: TransactionSql,
  accountId: string,
  id: string,
  language: Language,
): Promise<string | null> {
  const [found] = await tx<{ lead: string }[]>`
    with page as (select * from leads where account_id = ${accountId} and id = ${id})
    select ${answerWithRest(tx, accountId)} as lead
    from page left join users on users.account_id = page.account_id and users.id = page.assigned_to, lateral (
      select page.notes, users.email as assigned_to, users.name as assigned_name, ${columnsOfCalls(tx)},
        ${instant(tx, 'call_again_at')}, page.no_next_step, page.lost_reason, page.expected_close,
        left(encode(sha256(convert_to(coalesce(page.notes, ''), 'UTF8')), 'hex'), 32) as notes_version,
        (select coalesce(json_agg(json_build_object('kind', kind, 'value', value) order by added_at, key), '[]')
          from lead_contacts where account_id = ${accountId} and lead_id = ${id}) as other_contacts,
        call_previews_of_lead(${accountId}, ${id}, ${maxCalls}, ${previewCharacters}) as calls
    ) rest`
  if (!found) return null
  const enquiries = await readEnquiries(tx, { accountId, leadId: id })
  const timeline = await readTimeline(tx, { accountId, leadId: id, limit: maxEntries, language })
  return `${found.lead.slice(0, -1)},"enquiries":${enquiries},"timeline":${timeline.json}}`
}

/**
 * Returns a page of a lead's timeline, newest first, as JSON. It ends early if its entries have too many bytes. Empty if
 * the actor sees no such lead.
 */
export async function readTimeline(
  tx: TransactionSql,
  {
    accountId,
    leadId,
    limit,
    before,
    language,
  }: { accountId: string; leadId: string; limit: number; before?: number | undefined; language: Language },
): Promise<{ total: number; json: string }> {
  const [page] = await tx<{ total: number; entries: string; next: string | null }[]>`
    with newest as materialized (
      select id, at, kind, summary, details, case when kind = 'call_logged' then (
          select json_build_object('id', call_logs.id, 'called_at', left(to_json(called_at)#>>'{}', 19) || 'Z',
            'notes_cut', coalesce(length(notes) > ${previewCharacters}, false), 'notes',
            case when length(notes) > ${previewCharacters} then left(notes, ${previewCharacters}) || '…' else notes end)
          from call_logs where account_id = ${accountId} and call_logs.id = (details->>'call_log_id')::uuid
            and lead_id = ${leadId}) end as call, case when octet_length(details::text) <= ${previewCharacters} then details
          else preview_of(details, ${previewCharacters}) end as shown
      from timeline_entries where account_id = ${accountId} and lead_id = ${leadId}
        ${before === undefined ? tx`` : tx`and id < ${before}`}
      order by id desc limit ${limit + 1}
    ), previews as (
      select id, row_number() over (order by id desc) as place, concat(left(json_build_object(
        'id', id, 'at', left(to_json(at)#>>'{}', 19) || 'Z', 'kind', kind,
        'summary', case when length(summary) > ${previewCharacters} then left(summary, ${previewCharacters}) || '…'
          else summary end,
        'details', shown, 'cut', length(summary) > ${previewCharacters} or shown <> details)::text, -1),
        ',"call":' || call::text, '}') as entry
      from newest
    ), page as (
      select id, place, entry from (
        select id, place, entry, sum(octet_length(entry)) over (order by place) as bytes from previews
      ) measured where place = 1 or (place <= ${limit} and bytes <= ${timelineBytes})
    )
    select (select count(*)::int from timeline_entries where account_id = ${accountId} and lead_id = ${leadId}) as total,
      coalesce((select string_agg(entry, ',' order by place) from page), '') as entries,
      case when (select count(*) from newest) > (select count(*) from page) then (select min(id) from page) end as next`
  const { total, entries, next } = page!
  const said = language === 'en' ? `[${entries}]` : inLanguage(`[${entries}]`, language)
  return { total, json: `{"total":${total},"entries":${said},"next":${next}}` }
}

/** Returns one timeline entry in full, as JSON; null if the actor sees none. */
export async function readEntry(
  tx: TransactionSql,
  { accountId, leadId, entryId, language }: { accountId: string; leadId: string; entryId: string; language: Language },
): Promise<string | null> {
  const [row] = await tx<{ entry: string }[]>`
    select json_build_object('id', id, 'at', left(to_json(at)#>>'{}', 19) || 'Z', 'kind', kind, 'summary', summary,
      'details', details, 'cut', false)::text as entry
    from timeline_entries where account_id = ${accountId} and lead_id = ${leadId} and id = ${entryId}`
  if (!row || language === 'en') return row?.entry ?? null
  return inLanguage(`[${row.entry}]`, language).slice(1, -1)
}

const inLanguage = (entries: string, language: Language) =>
  JSON.stringify((JSON.parse(entries) as { summary: string }[]).map((entry) => translateEntry(entry, language)))
