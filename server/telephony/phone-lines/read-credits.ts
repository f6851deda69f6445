import { msg } from '@lingui/core/runtime-macro'
import type { Account } from '../../access/account/users.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import { type LineCredits, maxListedCredits } from './contract.ts'
import { listUserLines } from './store.ts'
import { creditsOf } from './take-back.ts'

/** Returns what removing a line with its credits takes back. */
export async function readCredits(tx: TransactionSql, account: Account, line: string): Promise<LineCredits> {
  const found = (await listUserLines(tx, account.id)).find((one) => one.line === line)
  if (!found) throw notFound(msg`There is no such number or extension.`, 'line')
  const { calls, leadIds } = await creditsOf(tx, account, found)
  const newest = calls.slice(0, maxListedCredits)
  const names = await tx<{ id: string; name: string }[]>`select id, name from leads
    where account_id = ${account.id} and id = any (${newest.map(({ lead_id }) => lead_id)})`
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return {
    calls: calls.length,
    leads: leadIds.length,
    newest: newest.map(({ id, lead_id, called_at }) => {
      return { id, lead_id, lead_name: nameOf.get(lead_id) ?? '', called_at: instantText(called_at) }
    }),
  }
}
