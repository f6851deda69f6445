import type { TransactionSql } from 'postgres'
import { istDay } from '../http/date-window.ts'
import { byCountedField, type CountedField, countedFields } from './counted-fields.ts'
import type { LeadRow } from './lead.ts'

/** A lead that is added, -1 one that is removed, or both for one that changes. */
interface Change {
  lead: Pick<LeadRow, 'created_at' | CountedField>
  n: 1 | -1
}

interface Marked {
  day: string
  field: 'all' | CountedField
  value: string
  /** The oldest lead that changes. */
  created_at: Date
}

/**
 * The marks that changes of counts make wrong, in the order of their keys. A change of one lead leaves those of the fields that it
 * does not change; of several leads, their changes could be alike without being of the same leads.
 */
export function staleMarks(leads: Change[]): Marked[] {
  const wrong = new Map<string, Marked>()
  const [first, second, ...others] = leads
  const isChange = second !== undefined && others.length === 0 && first!.n !== second.n
  for (const { lead } of leads) {
    const day = istDay(lead.created_at)
    const fields = isChange ? countedFields.filter((field) => first!.lead[field] !== second.lead[field]) : countedFields
    const marks: Omit<Marked, 'created_at'>[] = fields.map((field) => ({ day, field, value: lead[field] }))
    if (!isChange) marks.push({ day, field: 'all', value: '' })
    for (const mark of marks) {
      const key = JSON.stringify([day, mark.field, mark.value])
      const known = wrong.get(key)
      if (!known || lead.created_at < known.created_at) wrong.set(key, { ...mark, created_at: lead.created_at })
    }
  }
  return [...wrong.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mark]) => mark)
}

/** Forgets the marks that changes of counts make wrong, in their transaction. */
export async function deleteStaleMarks(tx: TransactionSql, accountId: string, leads: Change[]): Promise<void> {
  const wrong = staleMarks(leads)
  if (wrong.length === 0) return
  await tx`select forget_lead_marks(${accountId}, day, field, value, created_at)
    from jsonb_to_recordset(${tx.json(wrong as never)})
      as changed (day date, field text, value text, created_at timestamptz)`
}

/** How marks are made. Tests mark smaller days. */
export interface Marking {
  /** So many leads have a mark each. */
  step: number
  /** So many leads of a day, or of a day and filter, are marked; marked again when so many came after the marks. */
  atLeast: number
  /** Leads that are older when marks are requested, and marks that were requested so long ago, in seconds. */
  leadAge: number
  requestAge: number
}

export const usualMarking: Marking = { step: 1000, atLeast: 20_000, leadAge: 600, requestAge: 300 }

/**
 * Marks the leads of one large day, or of one filter and day, so that a page far into it starts at a mark. Returns how many
 * marks it made: 0 if none were due, after requesting those that will be.
 *
 * A change of a lead deletes the marks that it makes wrong. One that was under way before the request does not see them, and has
 * ended when the marks are made. One that comes while they are made deletes the request, or waits and deletes the marks.
 */
export async function markLeads(tx: TransactionSql, accountId: string, marking = usualMarking): Promise<number> {
  const [due] = await tx<{ day: string; field: Marked['field']; value: string; step: number; through: Date }[]>`
    select day::text, field, value, step, through from lead_marks where account_id = ${accountId} and n is null
      and requested_at <= now() - ${marking.requestAge} * interval '1 second'
    order by day desc, field, value limit 1`
  if (!due) {
    await requestMarks(tx, accountId, marking)
    return 0
  }
  const { day, field, value, step, through } = due
  const start = tx`${day}::date::timestamp at time zone interval '05:30'`
  await tx`
    update lead_marks set n = coalesce(marked.n, 0), times = coalesce(marked.times, '{}'), leads = coalesce(marked.leads, '{}')
    from (
      select max(place) as n, array_agg(created_at order by place) filter (where place % ${step} = 0) as times,
        array_agg(id order by place) filter (where place % ${step} = 0) as leads
      from (
        select created_at, id, row_number() over (order by created_at, id) as place from leads
        where account_id = ${accountId} and created_at >= ${start} and created_at < ${start} + interval '1 day'
          and created_at <= ${through} ${field === 'all' ? tx`` : tx`and ${tx(field)} = ${value}`}
      ) placed
    ) marked
    where account_id = ${accountId} and day = ${day} and field = ${field} and value = ${value}`
  return 1
}

async function requestMarks(tx: TransactionSql, accountId: string, { step, atLeast, leadAge }: Marking): Promise<void> {
  await tx`
    with large as materialized (
      select day, sum(n) as n from lead_totals where account_id = ${accountId} group by day having sum(n) >= ${atLeast}
    ), by_field as (
      select day, field, value, sum(totals.n) as n
      from large join lead_field_totals totals using (day), ${byCountedField(tx)}
      where account_id = ${accountId} group by 1, 2, 3
    )
    insert into lead_marks (account_id, day, field, value, step, requested_at, through)
    select ${accountId}, day, field, value, ${step}, now(), now() - ${leadAge} * interval '1 second'
    from (select day, 'all' as field, '' as value, n from large union all select * from by_field) counted
    where counted.n - coalesce((
        select marks.n from lead_marks marks
        where marks.account_id = ${accountId} and (marks.day, marks.field, marks.value) = (counted.day, counted.field, counted.value)
      ), 0) >= ${atLeast}
    on conflict (account_id, day, field, value)
    do update set n = null, requested_at = excluded.requested_at, through = excluded.through
    where lead_marks.n is not null returning 1`
}
