import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, asActor, readReplicaAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { batchesOf, maxOrdered, readIds } from '../../platform/database/ordered-ids.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { invalid } from '../../platform/http/problem.ts'
import { exportedEnquiries, maxExported, newestAnswers } from '../enquiries/store.ts'
import { leadColumns } from './columns.ts'
import {
  type AnswerColumn,
  type FileColumn,
  fileColumns,
  type LeadSort,
  maxQuestions,
  originFields,
  questionOf,
} from './contract.ts'
import { areOfEnquiries, type ExportedLead } from './export-columns.ts'
import type { LeadFilters } from './lead-filters.ts'
import { orderOf } from './list-leads.ts'
import { matchesFilters } from './match-filters.ts'

export interface LeadsInFile {
  filters: LeadFilters
  sort: LeadSort
  reverse: boolean
  /** By default all. */
  columns?: readonly (FileColumn | AnswerColumn)[] | undefined
}

const leadsPerBatch = 1000

/**
 * Returns the leads that match the filters and that the actor may see, in batches. Each is read in a short transaction of its own, so that
 * a slow client blocks nothing. Leads can change their place in any order but that of their creation, and would then be missing or
 * there twice: this order is read first.
 */
export async function readLeadsForFile(
  database: Database,
  actor: Actor,
  wanted: LeadsInFile,
): Promise<AsyncIterable<ExportedLead[]>> {
  const questions = questionsOf(wanted)
  if (questions.length > maxQuestions)
    throw invalid(
      msg`${{ field: 'columns' }} must have at most ${{ max: maxQuestions }} columns of answers.`,
      'columns',
    )
  if (wanted.sort === 'newest') return byCreation(database, actor, wanted)
  return inOrder(database, actor, wanted, await readOrder(database, actor, wanted))
}

async function* byCreation(database: Database, actor: Actor, wanted: LeadsInFile) {
  const { filters, reverse } = wanted
  let last: ExportedLead | undefined
  do {
    const batch = await readReplicaAsActor(database, actor, async (tx) => {
      const matching = (await matchesFilters(tx, actor, filters))()
      const beyond = last && tx`(${last.created_at}, ${last.id})`
      const after = beyond && (reverse ? tx`and (created_at, id) > ${beyond}` : tx`and (created_at, id) < ${beyond}`)
      const order = orderOf(tx, { sort: 'newest', reverse })
      const page = tx`select * from leads where ${matching} ${after ?? tx``} order by ${order} limit ${leadsPerBatch}`
      const ordered = reverse ? tx`page.created_at, page.id` : tx`page.created_at desc, page.id desc`
      return tx<ExportedLead[]>`${exported(tx, actor, wanted, page)} order by ${ordered}`
    })
    if (batch.length > 0) yield batch
    last = batch.length === leadsPerBatch ? batch.at(-1) : undefined
  } while (last)
}

function readOrder(database: Database, actor: Actor, { filters, sort, reverse }: LeadsInFile): Promise<Buffer> {
  return readReplicaAsActor(database, actor, async (tx) => {
    const matching = (await matchesFilters(tx, actor, filters))()
    const order = orderOf(tx, { sort, reverse, lastCall: filters.lastCall })
    const ids = await readIds(tx, tx`select id from leads where ${matching} order by ${order}`)
    if (!ids)
      throw invalid(
        msg`Files in this order have at most ${{ max: maxOrdered }} leads. Choose fewer by a filter, or sort by creation.`,
        'sort',
      )
    return ids
  })
}

async function* inOrder(database: Database, actor: Actor, wanted: LeadsInFile, order: Buffer) {
  for (const ids of batchesOf(order, leadsPerBatch))
    yield await readReplicaAsActor(database, actor, (tx) => {
      const page = tx`select leads.*, place from unnest(${ids}::uuid[]) with ordinality as wanted (wanted_id, place)
        join leads on leads.account_id = ${actor.account_id} and leads.id = wanted_id`
      return tx<ExportedLead[]>`${exported(tx, actor, wanted, page)} order by place`
    })
}

const questionsOf = ({ columns = [] }: LeadsInFile) => columns.flatMap((column) => questionOf(column) ?? [])

const ofLead = [
  ...leadColumns.filter((column) => column !== 'assigned_to'),
  ...originFields,
  ...[
    'call_again_at',
    'last_call_at',
    'last_call_outcome',
    'attempts',
    'enquired_again_at',
    'lost_reason',
    'closed_at',
  ],
].map((column) => `page.${column}`)

/** Selects the leads of `page` with what their columns need. */
function exported(tx: TransactionSql, { account_id }: Actor, wanted: LeadsInFile, page: Statement): Statement {
  const { columns = fileColumns } = wanted
  const questions = questionsOf(wanted)
  const otherContacts = tx`(
    select string_agg(value, '; ' order by added_at, key) from lead_contacts where account_id = ${account_id} and lead_id = page.id
  )`
  return tx`
    select ${tx(ofLead)}, page.expected_close::text, users.email as assigned_to,
      ${columns.includes('other_contacts') ? otherContacts : tx`null`} as other_contacts,
      ${areOfEnquiries(columns) ? exportedEnquiries(tx, account_id) : tx`null`} as enquiries,
      ${questions.length > 0 ? newestAnswers(tx, account_id, questions, maxExported) : tx`null`} as answers
    from (${page}) page left join users on users.account_id = page.account_id and users.id = page.assigned_to`
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
