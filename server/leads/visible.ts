import type { Sql, TransactionSql } from 'postgres'
import type { Actor } from '../database/actor.ts'

/** The assignees of a list: those that the actor sees, or the one of them with this email. */
export function assigneesIn(sql: Sql | TransactionSql, actor: Actor, email: string | undefined) {
  return sql`people as materialized (
    select theirs.id from actor, lateral (
      select id from users where account_id = actor.account_id
        ${actor.sees === 'all' ? sql`` : sql`and id = any (${actor.sees as string[]}::uuid[])`}
        ${email === undefined ? sql`` : sql`and lower(email) = ${email.toLowerCase()}`}
      offset 0
    ) theirs
  )`
}

/** The start of a page: the end of the IST day in `days` on which its offset falls, and how many rows to skip from there. */
export function startIn(sql: Sql | TransactionSql, offset: number) {
  return sql`start as materialized (
    select (day + 1)::timestamp at time zone interval '05:30' as until, ${offset}::bigint - before as skip
    from (select day, n, sum(n) over (order by day desc) - n as before from days) ordered
    where before <= ${offset}::bigint and before + n > ${offset}::bigint
  )`
}

/** 2026-11-21T05:00:00Z. Much faster than to_char: the connection's time zone is UTC and times are whole seconds. */
export function instant(sql: Sql | TransactionSql, column: 'created_at' | 'updated_at' | 'called_at') {
  const named = sql(column)
  return sql`left(to_json(page.${named})#>>'{}', 19) || 'Z' as ${named}`
}
