import { randomUUID } from 'node:crypto'
import type { Sql } from '../server/database/sql.ts'

interface Change {
  state: string
  user_ids?: string[]
  facts?: object
  call_log_id?: string
}

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
    async change(id: string, { state, user_ids, facts = {}, call_log_id }: Change) {
      await owner`update phone_calls set state = ${state}, user_ids = coalesce(${user_ids ?? null}::uuid[], user_ids),
        facts = ${facts}::jsonb, call_log_id = ${call_log_id ?? null}, changed_at = now() where id = ${id}`
    },
  }
}
