import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import { newestAnswers } from '../enquiries/store.ts'
import { startColumns } from './columns.ts'
import type { ValueByChoice } from './contract.ts'
import { instant } from './list-page.ts'

/** What a lead keeps of its calls, for the web app. */
export function columnsOfCalls(sql: Sql | TransactionSql) {
  return sql`${instant(sql, 'last_call_at')}, page.last_call_outcome, page.attempts,
    ${instant(sql, 'enquired_again_at')}`
}

/**
 * A lead of `page` as JSON: the stored beginning, and `rest`, which may be long or changes without the lead. A lead without the
 * beginning is read again: to name all of its columns here would cost a tenth of a list.
 */
export function answerWithRest(sql: Sql | TransactionSql, accountId: string) {
  const columns = startColumns.map((name, at) => {
    const column = name === 'created_at' || name === 'updated_at' ? instant(sql, name, 'leads') : sql`${sql(name)}`
    return at === 0 ? column : sql`, ${column}`
  })
  return sql`coalesce(page.answer_start, (
      select left(row_to_json(start)::text, -1) from (
        select ${columns} from leads where account_id = ${accountId} and leads.id = page.id
      ) start
    )) || ',' || substr(row_to_json(rest)::text, 2)`
}

/** In characters: a list shows the beginning of notes. */
const notesLength = 200

const columnsOfList = (
  sql: Sql | TransactionSql,
  accountId: string,
  { questions = [], values = [] }: Omit<Shown, 'inWebList'>,
) => sql`
  ${columnsOfCalls(sql)}, page.product, page.campaign, page.ad, page.form
  ${questions.length > 0 ? sql`, ${newestAnswers(sql, accountId, questions)} as answers` : sql``}
  ${values.includes('lost_reason') ? sql`, page.lost_reason` : sql``}
  ${values.includes('expected_close') ? sql`, page.expected_close` : sql``}
  ${values.includes('closed') ? sql`, ${instant(sql, 'closed_at')}` : sql``}
  ${values.includes('call_again') ? sql`, ${instant(sql, 'call_again_at')}` : sql``}
  ${values.includes('notes') ? sql`, left(page.notes, ${notesLength}) as notes` : sql``}`

/** What the web app's list shows beside the usual values. */
export interface Shown {
  /** Without notes, which can be long, and with what leads keep of their calls. */
  inWebList?: boolean
  /** The beginnings of questions whose answers are listed. */
  questions?: string[]
  values?: ValueByChoice[]
}

/**
 * A page of leads as JSON, as `rows`. `page` selects the leads in their order. The emails are looked up for each lead and not
 * joined, which could change the order, and which PostgreSQL, expecting few leads, did by reading all users for each.
 */
export function responseRows(
  sql: Sql | TransactionSql,
  accountId: string,
  page: Statement,
  { inWebList = false, ...shown }: Shown,
) {
  const rest = inWebList ? columnsOfList(sql, accountId, shown) : sql`page.notes`
  return sql`(select '[' || coalesce(string_agg(${answerWithRest(sql, accountId)}, ','), '') || ']'
    from ${page}, lateral (
      select ${rest}, (select email from users where account_id = ${accountId} and id = page.assigned_to) as assigned_to
    ) rest) as rows`
}
