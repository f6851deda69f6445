import type { TransactionSql } from '../../platform/database/sql.ts'
import type { KnownQuestion } from './contract.ts'

/** Answers are taken from so many of the newest leads: any others can be typed. */
const newestLeads = 500

const max = { questions: 50, answers: 20 }

/** In characters. Longer answers are texts, of which no two are the same. */
const maxAnswer = 100

/** Returns the questions that the newest leads answered, with their answers, the most frequent first. */
export async function readKnownQuestions(tx: TransactionSql, accountId: string): Promise<KnownQuestion[]> {
  const rows = await tx<{ question: string; answer: string }[]>`
    with newest as materialized (
      select id from leads where account_id = ${accountId} order by created_at desc, id desc limit ${newestLeads}
    )
    select regexp_replace(question, '\\s+', ' ', 'g') as question, regexp_replace(answer, '\\s+', ' ', 'g') as answer
    from newest join enquiries on enquiries.account_id = ${accountId} and enquiries.lead_id = newest.id,
      jsonb_to_recordset(answers) as given (question text, answer text)
    where length(answer) <= ${maxAnswer}
    group by 1, 2 order by count(*) desc, 1, 2 limit ${max.questions * max.answers}`
  return [...Map.groupBy(rows, ({ question }) => question)].slice(0, max.questions).map(([question, given]) => ({
    question,
    answers: given.slice(0, max.answers).map(({ answer }) => answer),
  }))
}
