import { msg } from '@lingui/core/runtime-macro'
import { appendChanges } from '../../../crm/counts/append-changes.ts'
import { deliveryCounts } from '../../../crm/counts/tables.ts'
import type { Sql, Statement, TransactionSql } from '../../../platform/database/sql.ts'
import { storable } from '../../../platform/database/storable.ts'
import type { DateWindow } from '../../../platform/http/date-window.ts'
import { invalid } from '../../../platform/http/problem.ts'
import type { DeliveryOutcome, ListedDelivery, ShownDelivery } from '../contract.ts'
import type { Delivery, Result, Stage } from './delivery.ts'
import type { Receipt } from './receipts.ts'
import { type DeliverySearch, foundBy, maxRead } from './search-deliveries.ts'

export type StoredDelivery = Required<Omit<Delivery, 'finish_at' | 'body_size' | 'body_hash'>> &
  Pick<Delivery, 'body_size' | 'body_hash'> &
  Omit<Result, 'contacts'> & { replayed_at: Date | null }

export type BatchRecord = Delivery & { contacts: string[] }

/**
 * Adds all records of a batch before any is processed. Until then they wait with `finish_at`, or are rejected. If the batch is stored as a
 * whole, its row becomes the first record.
 */
export async function addRecords(
  tx: TransactionSql,
  whole: Delivery,
  records: BatchRecord[],
  { error, finish_at, isStored }: { error: string; finish_at: Date | null; isStored: boolean },
): Promise<void> {
  const outcome = finish_at ? 'waiting' : 'rejected'
  const [first, ...others] = records
  if (isStored) await replaceByRecord(tx, first!)
  const added = isStored ? others : records
  await Promise.all([
    ...added.map(({ contacts, ...record }) =>
      addDelivery(tx, { ...record, finish_at }, { outcome, lead_id: null, picks: [], warnings: [], error, contacts }),
    ),
    countDeliveries(tx, [whole], outcome, added.length),
  ])
}

async function replaceByRecord(tx: TransactionSql, record: BatchRecord): Promise<void> {
  const { account_id, id } = record
  const { count } =
    await tx`update deliveries set body = ${record.body}, content_type = ${record.content_type}, body_hash = null,
      batch_id = ${id}, record = ${record.record}, records = ${record.records}, repeat_id = ${record.repeat_id}
    where account_id = ${account_id} and id = ${id} and body is not null`
  if (count === 0) throw bodyRemoved()
  await tx`delete from delivery_contacts where account_id = ${account_id} and delivery_id = ${id}`
  await addContacts(tx, record, record.contacts)
}

/** Locks the records of a request, and returns how each ended. */
export async function lockRecords(tx: TransactionSql, accountId: string, batchId: string) {
  return tx<
    Pick<StoredDelivery, 'id' | 'outcome' | 'lead_id' | 'error'>[]
  >`select id, outcome, lead_id, error from deliveries
    where account_id = ${accountId} and batch_id = ${batchId} order by id for update`
}

/** Cuts some records without a lead to their beginning, and deletes others. */
export async function cutRecords(
  tx: TransactionSql,
  accountId: string,
  cut: Delivery[],
  dropped: Delivery[],
): Promise<void> {
  for (const { id, body, body_size = null, body_hash = null } of cut) {
    await tx`update deliveries set body = ${body}, body_size = ${body_size}, body_hash = ${body_hash}
      where account_id = ${accountId} and id = ${id} and lead_id is null and body is not null`
  }
  for (const delivery of dropped) {
    const [deleted] = await tx<Pick<Result, 'outcome'>[]>`
      delete from deliveries where account_id = ${accountId} and id = ${delivery.id} and lead_id is null returning outcome`
    if (!deleted) continue
    await tx`delete from delivery_contacts where account_id = ${accountId} and delivery_id = ${delivery.id}`
    await countDeliveries(tx, [delivery], deleted.outcome, -1)
  }
}

/** Adds deliveries of an account with their results. */
export async function addDeliveries(
  tx: TransactionSql,
  accountId: string,
  added: { delivery: Delivery; result: Result }[],
): Promise<void> {
  const counted = added.map(({ delivery, result: { outcome } }) => ({ row: { ...delivery, outcome }, n: 1 }))
  await Promise.all([
    ...added.map(({ delivery, result }) => addDelivery(tx, delivery, result)),
    appendChanges(tx, accountId, deliveryCounts, counted),
  ])
}

/** Sends both statements at once, in this order: the contacts refer to the row. */
async function addDelivery(tx: TransactionSql, delivery: Delivery, result: Result): Promise<void> {
  await Promise.all([
    insertDelivery(tx, delivery, result),
    // A delivery that created a lead is found by its lead.
    result.outcome === 'created' ? null : addContacts(tx, delivery, result.contacts),
  ])
}

async function insertDelivery(tx: TransactionSql, delivery: Delivery, result: Result): Promise<void> {
  await tx`insert into deliveries (account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id,
    picks, warnings, error, attention, body_size, body_hash, finish_at, batch_id, record, records, repeat_id)
  values (${delivery.account_id}, ${delivery.id}, ${delivery.webhook_id}, ${delivery.received_at}, ${delivery.address},
    ${delivery.content_type}, ${delivery.body}, ${result.outcome}, ${result.lead_id}, ${tx.json(storable(result.picks) as never)},
    ${tx.json(storable(result.warnings) as never)}, ${storable(result.error)}, ${result.attention ?? false},
    ${delivery.body_size ?? null}, ${delivery.body_hash ?? null}, ${delivery.finish_at ?? null}, ${delivery.batch_id ?? null},
    ${delivery.record ?? null}, ${delivery.records ?? null}, ${delivery.repeat_id ?? null})`
}

/** Returns a composed expression that records a delivery in the statement that creates its lead, and is true. */
export function deliveryOfNewLead(
  sql: Sql,
  {
    account_id,
    id,
    webhook_id,
    received_at,
    address,
    content_type,
    body,
    body_size = null,
    body_hash = null,
  }: Delivery,
  { lead_id, picks, warnings }: Pick<Result, 'lead_id' | 'picks' | 'warnings'>,
  receipt: Receipt | null,
): Statement {
  return sql`record_delivery_of_new_lead(
    account => ${account_id}, delivery => ${id}, of_webhook => ${webhook_id}, of_lead => ${lead_id},
    received => ${received_at}, sender_ip => ${address}, sent_type => ${content_type}, sent_body => ${body},
    sent_size => ${body_size}, sent_hash => ${body_hash}, read_picks => ${sql.json(storable(picks) as never)},
    read_warnings => ${sql.json(storable(warnings) as never)},
    given_platform_id => ${storable(receipt?.platform_id ?? null)}, given_reading_hash => ${receipt?.reading_hash ?? null})`
}

/** Another process, a user or a repetition of its sender finished the delivery meanwhile. */
export class AlreadyFinished extends Error {}

/** Replaces the result of a delivery that was added before; a lead that it created stays its own. */
export async function replaceResult(
  tx: TransactionSql,
  delivery: Delivery,
  result: Result,
  stage: Exclude<Stage, 'new'>,
): Promise<void> {
  const { account_id, id } = delivery
  const [before] = await tx<(Pick<Result, 'outcome' | 'lead_id'> & { erased: boolean })[]>`
    select outcome, lead_id, body is null as erased from deliveries where account_id = ${account_id} and id = ${id} for update`
  if (stage === 'waiting' && before?.outcome !== 'waiting') throw new AlreadyFinished()
  // The lead was deleted meanwhile: the person's data must not be stored again.
  if (!before || before.erased) throw bodyRemoved()
  const outcome = before.outcome === 'created' && before.lead_id === result.lead_id ? 'created' : result.outcome
  await tx`update deliveries set picks = ${tx.json(storable(result.picks) as never)}, warnings = ${tx.json(storable(result.warnings) as never)},
      error = ${storable(result.error)}, lead_id = ${result.lead_id}, replayed_at = ${stage === 'replay' ? new Date() : null},
      outcome = ${outcome}, attention = ${result.attention ?? false}
    where account_id = ${account_id} and id = ${id}`
  const left = before.lead_id !== null && before.lead_id !== result.lead_id ? [`lead:${before.lead_id}`] : []
  await addContacts(tx, delivery, [...result.contacts, ...left])
  await countAs(tx, [delivery], before.outcome, outcome)
}

/** Ends the wait of a delivery whose person was deleted meanwhile. */
export async function rejectErased(tx: TransactionSql, delivery: Delivery): Promise<void> {
  const { account_id, id } = delivery
  const { count } = await tx`update deliveries set outcome = 'rejected'
    where account_id = ${account_id} and id = ${id} and outcome = 'waiting' and body is null`
  if (count > 0) await countAs(tx, [delivery], 'waiting', 'rejected')
}

/**
 * Returns the ids of deliveries that wait, the oldest first, and leaves them to the caller for as long as each has waited, at least
 * half a minute and at most ten. Then others take what the caller did not finish.
 */
export async function claimWaiting(
  tx: TransactionSql,
  accountId: string,
  now: Date,
  limit: number,
): Promise<{ id: string }[]> {
  const claimed = await tx<{ id: string; received_at: Date }[]>`
    update deliveries set finish_at = ${now}::timestamptz
      + greatest(interval '30 seconds', least(interval '10 minutes', ${now}::timestamptz - received_at))
    where account_id = ${accountId} and id in (
      select id from deliveries where account_id = ${accountId} and outcome = 'waiting' and finish_at <= ${now}
      order by finish_at limit ${limit} for update skip locked
    ) returning id, received_at`
  return claimed.sort((one, other) => one.received_at.getTime() - other.received_at.getTime())
}

/** Locks the deliveries of the last day with the same body that were answered 503, this one too. */
export function lockUnanswered(tx: TransactionSql, { account_id, webhook_id, received_at }: Delivery, hash: Buffer) {
  return tx<(Counted & Pick<StoredDelivery, 'id' | 'outcome' | 'lead_id'>)[]>`
    select account_id, id, outcome, lead_id, webhook_id, received_at from deliveries
    where account_id = ${account_id} and webhook_id = ${webhook_id} and body_hash = ${hash} and body_size is null
      and received_at > ${received_at}::timestamptz - interval '1 day'
    order by id for update`
}

/** Ends the wait of deliveries of an account that another one with the same body has made a lead of. */
export async function markRepeated(
  tx: TransactionSql,
  accountId: string,
  repeated: (Counted & Pick<Delivery, 'id'>)[],
  leadId: string,
): Promise<void> {
  if (repeated.length === 0) return
  await tx`update deliveries set outcome = 'duplicate', lead_id = ${leadId}, error = null
    where account_id = ${accountId} and id = any (${repeated.map(({ id }) => id)}::uuid[])`
  await countAs(tx, repeated, 'waiting', 'duplicate')
}

export const bodyRemoved = () =>
  invalid(msg`The body of this delivery was removed with its lead, so it cannot be replayed.`)

export const bodyCut = () =>
  invalid(
    msg`Only the first 4 KiB of this delivery were stored, because the storage quota was used up: it cannot be replayed.`,
  )

export async function findDelivery(tx: TransactionSql, accountId: string, id: string): Promise<StoredDelivery | null> {
  const [row] = await tx<StoredDelivery[]>`
    select account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks, warnings, error,
      replayed_at, batch_id, record, records, repeat_id, body_size, body_hash
    from deliveries where account_id = ${accountId} and id = ${id}`
  return row ?? null
}

const maxShownRecords = 100

/** Returns the records of the same request, in their order. */
export function recordsOfBatch(tx: TransactionSql, accountId: string, batchId: string) {
  return tx<ShownDelivery['batch']>`select id, record, outcome, lead_id, error from deliveries
    where account_id = ${accountId} and batch_id = ${batchId} order by record limit ${maxShownRecords}`
}

export async function newestDeliveries(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  limit: number,
): Promise<StoredDelivery[]> {
  return tx<StoredDelivery[]>`
    select account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks, warnings, error,
      replayed_at, batch_id, record, records, repeat_id
    from deliveries where account_id = ${accountId} and webhook_id = ${webhookId}
    order by received_at desc, id desc limit ${limit}`
}

/** Returns the newest deliveries with a complete body, and its size. */
export async function newestBodySizes(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  { limit, outcome }: { limit: number; outcome?: DeliveryOutcome | undefined },
): Promise<{ id: string; size: number }[]> {
  return tx<{ id: string; size: number }[]>`
    select id, length(body) as size from deliveries
    where account_id = ${accountId} and webhook_id = ${webhookId} and body is not null and body_size is null
      ${outcome === undefined ? tx`` : tx`and outcome = ${outcome}`}
    order by received_at desc, id desc limit ${limit}`
}

/** Offers ignored deliveries for replay. */
export async function markForReplay(tx: TransactionSql, accountId: string, ids: string[]): Promise<void> {
  await tx`update deliveries set attention = true
    where account_id = ${accountId} and id = any (${ids}::uuid[]) and outcome = 'ignored'`
}

type ListedRow = Omit<ListedDelivery, 'received_at' | 'replayed_at'> &
  Pick<StoredDelivery, 'received_at' | 'replayed_at'>

export interface DeliveryFilter {
  outcome?: DeliveryOutcome | undefined
  /** Null: all that are kept. */
  window: DateWindow | null
}

/** Deliveries of the webhook in the filter, as a condition. */
const isIn = (tx: TransactionSql, accountId: string, webhookId: string, { outcome, window }: DeliveryFilter) =>
  tx`account_id = ${accountId} and webhook_id = ${webhookId} ${outcome === undefined ? tx`` : tx`and outcome = ${outcome}`}
    ${window === null ? tx`` : tx`and received_at >= ${window.from} and received_at < ${window.until}`}`

const newestFirst = (tx: TransactionSql) => tx`order by received_at desc, id desc`

/**
 * Returns a page of a webhook's deliveries, newest first, without their bodies. `name` is that of the lead: a name, else the parts of
 * one, else a phone or an email.
 */
export function listDeliveries(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  {
    search,
    before,
    limit,
    ...filter
  }: DeliveryFilter & { search: DeliverySearch | null; before?: string; limit: number },
): Promise<ListedRow[]> {
  const within = isIn(tx, accountId, webhookId, filter)
  const newest = tx`select id, picks from deliveries where ${within} ${newestFirst(tx)}`
  // Read by their ids: along the order of the list, PostgreSQL would read all deliveries for a few that are found.
  const found =
    search &&
    tx`(select * from deliveries where account_id = ${accountId}
    and id = any (array(${foundBy(tx, accountId, webhookId, search, newest)})) offset 0)`
  return tx<ListedRow[]>`
    select id, received_at, address, outcome, lead_id, jsonb_array_length(warnings) as warnings, error, replayed_at,
      coalesce(
        jsonb_path_query_first(picks, '$[*] ? (@.field == "name").value') #>> '{}',
        nullif(concat_ws(' ',
          jsonb_path_query_first(picks, '$[*] ? (@.field == "first_name").value') #>> '{}',
          jsonb_path_query_first(picks, '$[*] ? (@.field == "last_name").value') #>> '{}'), ''),
        jsonb_path_query_first(picks, '$[*] ? (@.field == "phone").value') #>> '{}',
        jsonb_path_query_first(picks, '$[*] ? (@.field == "email").value') #>> '{}') as name
    from ${found ?? tx`deliveries`} as deliveries where ${within}
      ${before === undefined ? tx`` : tx`and ${isBeside(tx, accountId, before, tx`<`)}`}
    ${newestFirst(tx)} limit ${limit}`
}

/** Whether names and contacts are not read in all deliveries of the filter. */
export async function isMoreThanRead(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  filter: DeliveryFilter,
): Promise<boolean> {
  const [found] = await tx<{ n: number }[]>`select count(*)::int as n from (
    select from deliveries where ${isIn(tx, accountId, webhookId, filter)} limit ${maxRead + 1}) few`
  return found!.n > maxRead
}

/** Returns the last delivery of each webhook of the account, or of one. */
export function lastDeliveries(tx: TransactionSql, accountId: string, webhookId: string | null) {
  return tx<{ webhook_id: string; received_at: Date; outcome: DeliveryOutcome }[]>`
    select webhooks.id as webhook_id, last.received_at, last.outcome from webhooks, lateral (
      select received_at, outcome from deliveries
      where account_id = ${accountId} and webhook_id = webhooks.id order by received_at desc limit 1
    ) last where webhooks.account_id = ${accountId} ${webhookId === null ? tx`` : tx`and webhooks.id = ${webhookId}`}`
}

/**
 * Returns the rejected deliveries, and the ignored ones with a possible contact, or those of the filter, oldest first, after that one;
 * without those whose bodies are removed or cut.
 */
export function deliveriesToReplay(
  tx: TransactionSql,
  accountId: string,
  webhookId: string,
  { filter, after, limit }: { filter: DeliveryFilter; after: string | null; limit: number },
) {
  return tx<{ id: string; outcome: DeliveryOutcome }[]>`
    select id, outcome from deliveries where ${isIn(tx, accountId, webhookId, filter)}
      ${filter.outcome === undefined ? tx`and (outcome = 'rejected' or attention)` : tx``} and body is not null and body_size is null
      ${after === null ? tx`` : tx`and ${isBeside(tx, accountId, after, tx`>`)}`}
    order by received_at, id limit ${limit}`
}

/** Before or after that delivery, in the order in which they were received. */
function isBeside(tx: TransactionSql, accountId: string, id: string, sign: Statement) {
  return tx`(received_at, id) ${sign}
    ((select received_at from deliveries where account_id = ${accountId} and id = ${id}), ${id}::uuid)`
}

/** Deletes at most `limit` deliveries from before that time, and returns how many. */
export async function deleteOldDeliveries(
  tx: TransactionSql,
  accountId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const deleted = await tx<(Pick<Delivery, 'webhook_id' | 'received_at'> & { outcome: DeliveryOutcome; n: number })[]>`
    with deleted as (
      delete from deliveries where account_id = ${accountId} and id in (
        select old.id from webhooks, lateral (
          select id from deliveries where account_id = ${accountId} and webhook_id = webhooks.id and received_at < ${before}
          order by received_at limit ${limit} for update skip locked
        ) old where webhooks.account_id = ${accountId} limit ${limit}
      ) returning webhook_id, received_at, outcome
    ) select webhook_id, max(received_at) as received_at, outcome, count(*)::int as n from deleted
      group by webhook_id, outcome, (received_at at time zone interval '05:30')::date`
  const changes = deleted.map((row) => ({ row, n: -row.n }))
  await appendChanges(tx, accountId, deliveryCounts, changes)
  return deleted.reduce((sum, { n }) => sum + n, 0)
}

type Counted = Pick<Delivery, 'account_id' | 'webhook_id' | 'received_at'>

function countDeliveries(tx: TransactionSql, counted: Counted[], outcome: DeliveryOutcome, n: number): Promise<void> {
  const changes = counted.map((row) => ({ row: { ...row, outcome }, n }))
  return appendChanges(tx, counted[0]!.account_id, deliveryCounts, changes)
}

async function countAs(tx: TransactionSql, counted: Counted[], before: DeliveryOutcome, outcome: DeliveryOutcome) {
  if (outcome === before) return
  await countDeliveries(tx, counted, before, -1)
  await countDeliveries(tx, counted, outcome, 1)
}

/** Stores the contact keys of a delivery as hashes, for the deletion of their lead. Earlier ones stay. */
async function addContacts(
  tx: TransactionSql,
  { account_id, id }: { account_id: string; id: string },
  contacts: string[],
): Promise<void> {
  if (contacts.length === 0) return
  await tx`insert into delivery_contacts (account_id, contact, delivery_id)
    select distinct ${account_id}::uuid, contact_hash(${account_id}, contact), ${id}::uuid
    from unnest(${contacts}::text[]) as contact
    on conflict do nothing`
}
