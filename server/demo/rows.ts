import { randomUUID } from 'node:crypto'
import type { Actor } from '../database/actor.ts'
import { instantText, istDay } from '../http/date-window.ts'
import { storedColumns } from '../leads/columns.ts'
import { unassigned } from '../leads/counts.ts'
import { callSummary, createdSummary } from '../timeline/summaries.ts'
import { copyLine } from './copy.ts'
import type { SampleCall } from './sample-call.ts'
import type { SampleLead } from './sample-lead.ts'

export const leadColumns = ['account_id', ...storedColumns] as const
export const callColumns = [
  'account_id',
  'id',
  'lead_id',
  'assigned_to',
  'call_type',
  'duration_seconds',
  'outcome',
  'notes',
  'called_at',
  'created_at',
]
export const entryColumns = ['account_id', 'lead_id', 'assigned_to', 'at', 'kind', 'summary', 'details']

/** The rows of a batch: lines for COPY, and what they add to the counts. */
export interface Rows {
  leads: string[]
  calls: string[]
  entries: string[]
  leadCounts: Tally
  callCounts: Tally
}

/** Amounts by the values of a count's key, as JSON. */
export type Tally = Map<string, number>

export function rowsOf(actor: Actor, leads: SampleLead[], nameOf: (userId: string) => string): Rows {
  const rows: Rows = { leads: [], calls: [], entries: [], leadCounts: new Map(), callCounts: new Map() }
  for (const lead of leads) {
    const id = randomUUID()
    addLead(rows, actor, id, lead, nameOf)
    for (const call of lead.calls) addCall(rows, actor, id, lead, call)
  }
  return rows
}

function addLead(rows: Rows, actor: Actor, id: string, lead: SampleLead, nameOf: (userId: string) => string) {
  const { assigned_to: assignee, created_at } = lead
  const times = { created_at: instantText(created_at), updated_at: instantText(lead.updated_at) }
  const row = { account_id: actor.account_id, id, ...lead, tags: arrayText(lead.tags), ...times }
  rows.leads.push(copyLine(leadColumns.map((column) => row[column])))
  const summary = createdSummary('the demo command', assignee && nameOf(assignee), null)
  addEntry(rows, actor, id, assignee, created_at, 'created', summary, { via: actor.via, via_id: actor.via_id })
  add(rows.leadCounts, [istDay(created_at), lead.status, lead.source, lead.priority, assignee ?? unassigned])
}

function addCall(rows: Rows, actor: Actor, leadId: string, { assigned_to }: SampleLead, call: SampleCall) {
  const id = randomUUID()
  rows.calls.push(
    copyLine([
      actor.account_id,
      id,
      leadId,
      assigned_to,
      call.call_type,
      call.duration_seconds,
      call.outcome,
      call.notes,
      instantText(call.called_at),
      instantText(call.created_at),
    ]),
  )
  const details = { via: actor.via, via_id: actor.via_id, call_log_id: id }
  addEntry(rows, actor, leadId, assigned_to, call.created_at, 'call_logged', callSummary(call), details)
  add(rows.callCounts, [istDay(call.called_at), call.call_type, assigned_to ?? unassigned])
}

function addEntry(
  rows: Rows,
  actor: Actor,
  leadId: string,
  assignee: string | null,
  at: Date,
  kind: string,
  summary: string,
  details: object,
) {
  const values = [actor.account_id, leadId, assignee, instantText(at), kind, summary, JSON.stringify(details)]
  rows.entries.push(copyLine(values))
}

function add(tally: Tally, key: string[]) {
  const text = JSON.stringify(key)
  tally.set(text, (tally.get(text) ?? 0) + 1)
}

/** Writes an array in PostgreSQL's text format. Sample tags contain nothing to quote. */
const arrayText = (tags: string[]) => `{${tags.join(',')}}`
