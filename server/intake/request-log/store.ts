import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { storable } from '../../platform/database/storable.ts'
import { uuidShape } from '../../platform/http/contract.ts'
import { type Endpoint, keptDays, type LoggedRequest, type RequestQuery } from './contract.ts'

export interface NewRequest extends Omit<LoggedRequest, 'has_delivery'> {
  account_id: string
  route: string | null
}

/** Saves requests of any accounts. */
export async function saveRequests(directory: Sql, requests: NewRequest[]): Promise<void> {
  await directory`select log_requests(${directory.json(storable(requests))})`
}

type ListedRow = Omit<LoggedRequest, 'at'> & { at: Date }

/** Returns a page of the account's requests, newest first. */
export function listRequests(
  tx: TransactionSql,
  accountId: string,
  { source, status, endpoint, search, before, limit }: RequestQuery & { limit: number },
): Promise<ListedRow[]> {
  const found = uuidShape.test(search ?? '')
    ? tx`and id = ${search}`
    : tx`and strpos(lower(concat_ws(' ', id, path, code, message, address)), lower(${search ?? ''})) > 0`
  return tx<ListedRow[]>`
    select id, at, via, via_id, address, method, path, status, ms, code, message,
      via = 'webhook' and exists (
        select from deliveries where deliveries.account_id = ${accountId} and deliveries.id = logged_requests.id
      ) as has_delivery
    from logged_requests where account_id = ${accountId}
      ${source === undefined ? tx`` : tx`and via_id = ${source}`}
      ${status === undefined ? tx`` : tx`and status / 100 = ${Number(status[0])}`}
      ${endpoint === undefined ? tx`` : ofEndpoint(tx, endpoint)}
      ${search ? found : tx``}
      ${
        before === undefined
          ? tx``
          : tx`and (at, id) < ((select at from logged_requests where account_id = ${accountId} and id = ${before}), ${before}::uuid)`
      }
    order by at desc, id desc limit ${limit}`
}

function ofEndpoint(tx: TransactionSql, endpoint: Endpoint) {
  const [method, route] = endpoint.split(' ')
  return tx`and method = ${method} and route = ${route}`
}

/** How many stay: of a key or webhook the newest that failed and as many that succeeded, and of an account in all. */
export const maxKept = { ofSource: 10_000, ofAccount: 100_000 }

/** Deletes requests that are too old or too many, ten times `limit` at a time because no request waits for them. Returns how many. */
export async function deleteOldRequests(
  tx: TransactionSql,
  accountId: string,
  now: Date,
  limit: number,
): Promise<number> {
  const { count } = await tx`
    delete from logged_requests where account_id = ${accountId} and id in (
      select id from (
        select id, at, row_number() over (partition by via_id, status >= 400 order by at desc) as of_source,
          row_number() over (order by at desc) as of_account
        from logged_requests where account_id = ${accountId}
      ) numbered
      where at < ${now}::timestamptz - make_interval(days => ${keptDays}) or of_source > ${maxKept.ofSource}
        or of_account > ${maxKept.ofAccount}
      limit ${limit * 10}
    )`
  return count
}
