import type { TransactionSql } from '../../platform/database/sql.ts'
import type { RuleValues } from './contract.ts'

/** Values are taken from so many of the newest leads: any others can be typed. */
const newestLeads = 500

const max = { values: 200, questions: 50, answers: 20 }

/** In characters. Longer answers are texts, of which no two are the same. */
const maxAnswer = 100

/** Returns what the newest leads asked for, came from and answered, the most frequent first. */
export async function readRuleValues(tx: TransactionSql, accountId: string): Promise<RuleValues> {
  const newest = await tx<{ id: string; product: string | null; campaign: string | null; form: string | null }[]>`
    select id, product, campaign, form from leads
    where account_id = ${accountId} order by created_at desc, id desc limit ${newestLeads}`
  const answers = await tx<{ question: string; answer: string }[]>`
    select question, answer from enquiries, jsonb_to_recordset(answers) as given (question text, answer text)
    where account_id = ${accountId} and lead_id = any (${newest.map(({ id }) => id)}::uuid[]) and length(answer) <= ${maxAnswer}
    group by 1, 2 order by count(*) desc, 1, 2 limit ${max.questions * max.answers}`
  const byQuestion = Map.groupBy(answers, ({ question }) => question)
  return {
    products: byFrequency(newest.map(({ product }) => product)),
    campaigns: byFrequency(newest.map(({ campaign }) => campaign)),
    forms: byFrequency(newest.map(({ form }) => form)),
    questions: [...byQuestion].slice(0, max.questions).map(([question, given]) => ({
      question,
      answers: given.slice(0, max.answers).map(({ answer }) => answer),
    })),
  }
}

function byFrequency(values: (string | null)[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([one, n], [other, m]) => m - n || one.localeCompare(other))
    .slice(0, max.values)
    .map(([value]) => value)
}
