import { randomUUID } from 'node:crypto'
import type { Sql } from '../server/platform/database/sql.ts'

/** Writes calls as telephone systems report them, as the owner of the tables. */
export function phoneCalls(owner: Sql, account: { account_id: string }, webhook: { id: string }) {
  return {
    async add(call: object = {}): Promise<string> {
      const id = randomUUID()
      const now = new Date()
      const ringing = { state: 'ringing', call_type: 'Inbound', started_at: now, changed_at: now, facts: {} }
      const given = { account_id: account.account_id, id, webhook_id: webhook.id, ...ringing, ...call }
      await owner`insert into phone_calls ${owner(given as never)}`
      return id
    },
  }
}
