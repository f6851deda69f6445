import { randomUUID } from 'node:crypto'
import type { CountChange } from '../../server/crm/counts/append-changes.ts'
import { keptOf } from '../../server/crm/enquiries/stored-enquiry.ts'
import { answerStart, storedColumns } from '../../server/crm/leads/columns.ts'
import { isClosed } from '../../server/crm/leads/fields.ts'
import { callSummary, createdSummary, mergedSummary } from '../../server/crm/timeline/summaries.ts'
import type { Actor } from '../../server/platform/database/actor.ts'
import { copyLine } from '../../server/platform/database/copy.ts'
import { instantText, istDay } from '../../server/platform/http/instants.ts'
import type { RepeatEnquiry } from '../../server/setup/demo/follow-up.ts'
import type { SampleCall } from '../../server/setup/demo/sample-call.ts'
import type { FirstEnquiry } from '../../server/setup/demo/sample-enquiry.ts'
import type { SampleLead } from '../../server/setup/demo/sample-lead.ts'
import { storedCallColumns } from '../../server/telephony/calls/store.ts'

export const leadColumns = [
  'account_id',
  ...storedColumns,
  'answer_start',
  'last_call_at',
  'last_call_outcome',
  'attempts',
  'first_call_at',
  'call_again_at',
  'call_again_set_at',
  'closed_at',
  'assignee_at_close',
  'status_before_close',
  'expected_close',
  'lost_reason',
  'enquired_again_at',
  'product',
  'campaign',
  'ad',
  'form',
] as const
export const contactColumns = ['account_id', 'lead_id', 'assigned_to', 'kind', 'value', 'key', 'added_at']
export const enquiryColumns = [
  'account_id',
  'lead_id',
  'assigned_to',
  'at',
  'last_at',
  'via',
  'platform',
  'source',
  'is_repeat',
  'message',
  'origin',
  'answers',
  'product',
  'campaign',
  'ad',
  'form',
] as const
export const callColumns = ['account_id', ...storedCallColumns, 'called_by', 'agent'] as const
export const entryColumns = ['account_id', 'lead_id', 'assigned_to', 'at', 'kind', 'summary', 'details']

/** The rows of a batch: lines for COPY, and what they add to the counts. */
export interface Rows {
  leads: string[]
  contacts: string[]
  enquiries: string[]
  calls: string[]
  entries: string[]
  countedLeads: Tally<SampleLead>
  countedCalls: Tally<SampleCall>
}

/** A row and how many are counted like it, by what they have in common. */
type Tally<Row> = Map<string, CountChange<Row>>

export function toRows(actor: Actor, leads: SampleLead[], nameOf: (userId: string) => string): Rows {
  const rows: Rows = {
    leads: [],
    contacts: [],
    enquiries: [],
    calls: [],
    entries: [],
    countedLeads: new Map(),
    countedCalls: new Map(),
  }
  for (const lead of leads) {
    const id = randomUUID()
    const calls = lead.calls.map((call) => ({ id: randomUUID(), ...call }))
    addLead(rows, actor, { ...lead, id, calls }, nameOf)
    for (const call of calls) addCall(rows, actor, { lead_id: id, assigned_to: lead.assigned_to, ...call })
  }
  return rows
}

type MadeCall = SampleCall & { id: string }
type MadeLead = SampleLead & { id: string; calls: MadeCall[] }

function addLead(rows: Rows, actor: Actor, lead: MadeLead, nameOf: (userId: string) => string) {
  const { id: lead_id, assigned_to: assignee, created_at: at } = lead
  const times = { created_at: instantText(at), updated_at: instantText(lead.updated_at) }
  const sorted = lead.calls.toSorted(byTime)
  const last = sorted.at(-1)
  const first = sorted.find(({ called_at }) => instantText(called_at) >= times.created_at)
  const calls = {
    last_call_at: last ? instantText(last.called_at) : null,
    last_call_outcome: last?.outcome ?? null,
    first_call_at: first ? instantText(first.called_at) : null,
    attempts: lead.calls.filter(({ call_type }) => call_type === 'Outbound').length,
  }
  const answer_start = answerStart(lead)
  const columns = {
    ...calls,
    ...plansOf(lead, last),
    ...keptBy(lead),
    closed_at: isClosed(lead.status) ? times.updated_at : null,
    assignee_at_close: isClosed(lead.status) ? assignee : null,
    tags: arrayText(lead.tags),
    answer_start,
    ...times,
  }
  const row = { account_id: actor.account_id, ...lead, ...columns }
  rows.leads.push(copyLine(leadColumns.map((column) => row[column])))
  if (lead.other_phone) {
    const contact = [lead_id, assignee, 'phone', lead.other_phone, lead.other_phone, times.created_at]
    rows.contacts.push(copyLine([actor.account_id, ...contact]))
  }
  const summary = createdSummary(sender, assignee && nameOf(assignee), lead.rule)
  const details = lead.rule ? { rule_id: lead.rule.id } : {}
  addEntry(rows, actor, { lead_id, assignee, at, kind: 'created', summary, details })
  if (lead.enquiry) {
    const first = { at, source: lead.source, message: null, isRepeat: false }
    addEnquiry(rows, actor, { lead_id, assignee, ...lead.enquiry, ...first })
  }
  if (lead.repeat) addRepeat(rows, actor, { lead_id, assignee, key: lead.phone_key, ...lead.repeat })
  add(rows.countedLeads, [istDay(at), lead.status, lead.source, lead.priority, assignee], lead)
}

const sender = 'the demo command'

function plansOf({ call_again_at, lost_reason, repeat }: MadeLead, last: MadeCall | undefined) {
  return {
    call_again_at: call_again_at && instantText(call_again_at),
    call_again_set_at: call_again_at && last ? instantText(last.created_at) : null,
    lost_reason,
    enquired_again_at: repeat && instantText(repeat.at),
  }
}

/** What the first enquiry that names it asked for and came from. */
function keptBy({ enquiry, repeat }: MadeLead) {
  const [first, second] = [keptOf(enquiry?.origin ?? {}), keptOf(repeat?.origin ?? {})]
  return {
    product: first.product ?? second.product,
    campaign: first.campaign ?? second.campaign,
    ad: first.ad ?? second.ad,
    form: first.form ?? second.form,
  }
}

interface Enquiry extends FirstEnquiry {
  lead_id: string
  assignee: string | null
  at: Date
  source: string
  message: string | null
  isRepeat: boolean
}

function addEnquiry(rows: Rows, { account_id, via }: Actor, enquiry: Enquiry) {
  const { lead_id, assignee, at, platform, source, message, isRepeat, origin, answers } = enquiry
  const { product, campaign, ad, form } = keptOf(origin)
  const time = instantText(at)
  const sent = [
    time,
    time,
    via,
    platform,
    source,
    String(isRepeat),
    message,
    JSON.stringify(origin),
    JSON.stringify(answers),
  ]
  rows.enquiries.push(copyLine([account_id, lead_id, assignee, ...sent, product, campaign, ad, form]))
}

interface Repeat extends RepeatEnquiry {
  lead_id: string
  assignee: string | null
  key: string | null
}

function addRepeat(rows: Rows, actor: Actor, { key, ...repeat }: Repeat) {
  const { lead_id, assignee, at, message } = repeat
  addEnquiry(rows, actor, { ...repeat, isRepeat: true })
  const matched = [key ? 'phone' : 'email']
  const changes = [{ field: 'notes', added: message }]
  const summary = mergedSummary({ sender, matched, changes, notTaken: [] })
  const details = { matched, changes, not_taken: [] }
  addEntry(rows, actor, { lead_id, assignee, at, kind: 'merged', summary, details })
}

/** As the list of calls orders them: two of one second by id. */
function byTime(one: MadeCall, other: MadeCall): number {
  return instantText(one.called_at) === instantText(other.called_at)
    ? one.id.localeCompare(other.id)
    : one.called_at.getTime() - other.called_at.getTime()
}

function addCall(rows: Rows, actor: Actor, call: MadeCall & { lead_id: string; assigned_to: string | null }) {
  const { id, lead_id, assigned_to, created_at: at } = call
  rows.calls.push(
    copyLine([
      actor.account_id,
      id,
      lead_id,
      assigned_to,
      call.call_type,
      call.duration_seconds,
      call.outcome,
      call.notes,
      instantText(call.called_at),
      instantText(at),
      assigned_to,
      assigned_to ? null : 'Reception',
    ]),
  )
  const entry = { kind: 'call_logged', summary: callSummary(call), details: { call_log_id: id } }
  addEntry(rows, actor, { lead_id, assignee: assigned_to, at, ...entry })
  add(rows.countedCalls, [istDay(call.called_at), call.call_type, assigned_to], call)
}

interface Entry {
  lead_id: string
  assignee: string | null
  at: Date
  kind: string
  summary: string
  details: object
}

function addEntry(rows: Rows, { account_id, via, via_id }: Actor, entry: Entry) {
  const { lead_id, assignee, at, kind, summary, details } = entry
  const values = [account_id, lead_id, assignee, instantText(at), kind, summary]
  rows.entries.push(copyLine([...values, JSON.stringify({ via, via_id, ...details })]))
}

function add<Row>(tally: Tally<Row>, common: (string | null)[], row: Row) {
  const key = JSON.stringify(common)
  tally.set(key, { row, n: (tally.get(key)?.n ?? 0) + 1 })
}

/** Writes an array in PostgreSQL's text format. Sample tags contain nothing to quote. */
const arrayText = (tags: string[]) => `{${tags.join(',')}}`
