import type { TransactionSql } from '../../platform/database/sql.ts'
import type { AuditEntry, AuditQuery } from './contract.ts'

/** Most of the log. The partial index of all other entries excludes the same actions. */
const incoming = ['lead.created', 'lead.merged', 'call_log.created']

export interface AuditRow {
  id: string
  at: Date
  action: string
  via: AuditEntry['via']
  via_name: string | null
  import_id: string | null
  user_id: string | null
  user_name: string | null
  email: string | null
  subject_id: string | null
  subject_name: string | null
  details: Record<string, unknown>
}

export type AuditFilter = Pick<AuditQuery, 'action' | 'incoming' | 'user_id' | 'import_id'> & {
  before?: string | undefined
  from: Date | null
  until: Date | null
  limit: number
}

/** Reads entries, newest first. The names are current ones, not those at the time of the entry. */
export function readAudit(tx: TransactionSql, accountId: string, filter: AuditFilter): Promise<AuditRow[]> {
  const { action, incoming: wanted, user_id, import_id, from, until, before, limit } = filter
  const isTopic = action !== undefined && !action.includes('.')
  const isNotIncoming = action !== undefined && !incoming.some((one) => one === action || one.startsWith(`${action}.`))
  const withoutIncoming = isNotIncoming || wanted === 'false'
  return tx<AuditRow[]>`
    select entries.*, users.name as user_name, users.email, coalesce(via_keys.name, via_webhooks.name) as via_name,
      coalesce(people.name, keys.name, webhooks.name, rules.name) as subject_name
    from (
      select id, at, action, via, via_id, user_id, subject_id, details, case when via in ('web', 'command') then via_id end as import_id
      from audit_log
      where account_id = ${accountId}
        ${withoutIncoming ? tx`and action not in ('lead.created', 'lead.merged', 'call_log.created')` : tx``}
        ${action === undefined ? tx`` : isTopic ? tx`and split_part(action, '.', 1) = ${action}` : tx`and action = ${action}`}
        ${
          import_id
            ? tx`and via in ('web', 'command') and via_id = ${import_id}`
            : tx`and (via not in ('web', 'command') or via_id is null or action = 'leads.imported')`
        }
        ${user_id ? tx`and user_id = ${user_id}` : tx``}
        ${from ? tx`and at >= ${from}` : tx``} ${until ? tx`and at < ${until}` : tx``}
        ${before ? tx`and (at, id) < ((select at from audit_log where account_id = ${accountId} and id = ${before}), ${before}::bigint)` : tx``}
      order by at desc, id desc limit ${limit}
    ) entries
      left join users on users.account_id = ${accountId} and users.id = user_id
      left join api_keys via_keys on via = 'api_key' and via_keys.account_id = ${accountId} and via_keys.id = via_id
      left join webhooks via_webhooks on via = 'webhook' and via_webhooks.account_id = ${accountId} and via_webhooks.id = via_id
      left join users people on people.account_id = ${accountId} and people.id = subject_id
      left join api_keys keys on keys.account_id = ${accountId} and keys.id = subject_id
      left join webhooks on webhooks.account_id = ${accountId} and webhooks.id = subject_id
      left join distribution_rules rules on rules.account_id = ${accountId} and rules.id = subject_id
    order by at desc, entries.id desc`
}
