import { setImmediate } from 'node:timers/promises'
import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, asActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byteOrderMark, csvLines, spreadsheetTime } from '../../platform/http/csv.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { translate, translateWord } from '../../platform/languages/translate.ts'
import { type Answer, type Consent, type Origin, originParts } from '../enquiries/contract.ts'
import { fitEnquiry, noEnquiry } from '../enquiries/enquiry.ts'
import { answersText, consentText, originText } from '../enquiries/readable-enquiry.ts'
import { exportedEnquiries } from '../enquiries/store.ts'
import { leadColumns } from './columns.ts'
import { leadPriorities, leadStatuses, type OriginField, originFields } from './contract.ts'
import { contextOfLabel, fieldLabel, fieldsAsShown } from './fields.ts'
import type { LeadFields } from './lead.ts'
import type { LeadFilters } from './lead-filters.ts'
import { matchesFilters } from './match-filters.ts'

/** With the owner's email. */
type ExportedLead = Omit<LeadFields, 'deal_value'> &
  Record<OriginField, string | null> & {
    id: string
    deal_value: string | null
    other_contacts: string | null
    /** The newest first. */
    enquiries: ExportedEnquiry[] | null
    created_at: Date
    updated_at: Date
  }

interface ExportedEnquiry {
  answers: Answer[]
  origin: Origin
  consent: Consent | null
}

function headerIn(language: Language): string[] {
  const labels = (fields: string[]) =>
    fields.map((field) => translateWord(fieldLabel(field), language, contextOfLabel[field]))
  const times = ['Created', 'Updated'].map((word) => `${translateWord(word, language)} (IST)`)
  return [
    ...labels([...fieldsAsShown, 'other_contacts', ...originFields, 'answers']),
    translate(msg`Origin`, language),
    ...labels(['consent', 'do_not_call']),
    ...times,
    'Id',
  ]
}

const columns = [...leadColumns.filter((column) => column !== 'assigned_to'), ...originFields].map(
  (column) => `leads.${column}`,
)

const leadsPerBatch = 1000
/** Notes can be long: other requests run after so many lines. */
const linesAtOnce = 50

/**
 * Exports the leads that match the filters and that the actor may see, newest first, with names and values in a language. Each batch is
 * read in a short transaction of its own, so that a slow client blocks nothing.
 */
export async function* exportLeads(
  database: Database,
  actor: Actor,
  filters: LeadFilters,
  language: Language,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLines([headerIn(language)])
  const words = new Map([...leadStatuses, ...leadPriorities].map((word) => [word, translateWord(word, language)]))
  let last: ExportedLead | undefined
  do {
    const batch = await readBatch(database, actor, filters, last)
    for (let at = 0; at < batch.length; at += linesAtOnce) {
      yield csvLines(batch.slice(at, at + linesAtOnce).map((lead) => cellsOf(lead, words)))
      await setImmediate()
    }
    last = batch.length === leadsPerBatch ? batch.at(-1) : undefined
  } while (last)
}

/** Records in the audit log who exported which leads. */
export async function recordExport(
  database: Database,
  actor: Actor,
  { window, owners, origin, lastCall, followUp, search, ids, ...filters }: LeadFilters,
): Promise<void> {
  const {
    status,
    source,
    priority,
    tag,
    city,
    lostReason: lost_reason,
    minValue: min_value,
    maxValue: max_value,
  } = filters
  const details = {
    from: window.first_day,
    to: window.last_day,
    ...{ status, source, priority, tag, city, ...origin, lost_reason, min_value, max_value },
    assigned_to: owners?.map((owner) => (owner === 'nobody' ? owner : owner.email)),
    by_last_call: lastCall === undefined ? undefined : true,
    follow_up: followUp?.kind,
    chosen: ids?.length,
  }
  await asActor(database, { ...actor, silent: true }, (tx) =>
    recordAudit(tx, actor, { action: 'leads.exported', details: { ...details, searched: search !== null } }),
  )
}

function readBatch(database: Database, actor: Actor, filters: LeadFilters, last: ExportedLead | undefined) {
  return readReplicaAsActor(database, actor, async (tx) => {
    const matches = await matchesFilters(tx, actor, filters)
    return tx<ExportedLead[]>`
      select ${tx(columns)}, users.email as assigned_to, (
          select string_agg(value, '; ' order by added_at, key) from lead_contacts
          where account_id = ${actor.account_id} and lead_id = leads.id
        ) as other_contacts, ${exportedEnquiries(tx, actor.account_id)} as enquiries
      from leads left join users on users.account_id = leads.account_id and users.id = leads.assigned_to
      where ${matches()}
        ${last ? tx`and (leads.created_at, leads.id) < (${last.created_at}, ${last.id})` : tx``}
      order by leads.created_at desc, leads.id desc limit ${leadsPerBatch}`
  })
}

function cellsOf(lead: ExportedLead, words: ReadonlyMap<string, string>): (string | number | null)[] {
  const deal_value = lead.deal_value === null ? null : Number(lead.deal_value)
  const [status, priority] = [words.get(lead.status)!, words.get(lead.priority)!]
  const cells = { ...lead, status, priority, deal_value, tags: lead.tags.map(tagText).join('; ') }
  const times = [spreadsheetTime(lead.created_at), spreadsheetTime(lead.updated_at)]
  const ofLead = [...fieldsAsShown, 'other_contacts' as const, ...originFields].map((field) => cells[field])
  return [...ofLead, ...enquiryCells(lead.enquiries ?? []), ...times, lead.id]
}

/** What is not in columns of its own. */
const furtherParts = originParts.filter((part) => !originFields.includes(part as OriginField))

/** Their answers, within the limits of one enquiry, and what the first of them that names it says of the origin. */
function enquiryCells(enquiries: ExportedEnquiry[]): string[] {
  const origin: Origin = Object.assign({}, ...enquiries.map((enquiry) => enquiry.origin))
  const all = { ...noEnquiry, origin, answers: enquiries.flatMap(({ answers }) => answers) }
  const fitted = fitEnquiry(all)
  const consents = enquiries.flatMap(({ consent }) => consent ?? [])
  const { do_not_call = '', ...newest }: Consent = Object.assign({ statements: [] }, ...consents.toReversed())
  const given = consentText({ ...newest, statements: consents.flatMap(({ statements }) => statements) })
  return [answersText(fitted.answers), originText(fitted.origin, furtherParts), given, do_not_call]
}

/** A tag with a separator is in quotes, so that an import reads it as one. */
const tagText = (tag: string) => (/[,;"]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)
