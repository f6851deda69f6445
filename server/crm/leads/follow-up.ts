import type { Sql, TransactionSql } from '../../platform/database/sql.ts'

const day = 86_400_000

/** Leads whose last call, or creation, is as long ago are going cold. */
export const coldBefore = ({ goingColdAfter }: { goingColdAfter: number }, now: Date) =>
  new Date(now.getTime() - goingColdAfter * day)

/** The condition of a lead in Qualified or Proposal that waits for no planned call, as in the partial index. */
export const isGoingCold = (sql: Sql | TransactionSql, before: Date) =>
  sql`leads.status in ('Qualified', 'Proposal') and leads.call_again_at is null
    and coalesce(leads.last_call_at, leads.created_at) <= ${before}`

/** The condition of a lead whose planned call is overdue. */
export const isOverdue = (sql: Sql | TransactionSql, now: Date) => sql`leads.call_again_at <= ${now}`

/** The condition of a lead that enquired again and was not called since, as in the partial index. */
export const isToAnswer = (sql: Sql | TransactionSql) =>
  sql`leads.enquired_again_at is not null and (leads.last_call_at is null or leads.last_call_at < leads.enquired_again_at)`
