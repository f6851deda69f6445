import { setTimeout as pause } from 'node:timers/promises'
import { Counter, Gauge, type Registry } from 'prom-client'
import { presentAccounts } from './access/account/suspension.ts'
import { type Account, findAccount } from './access/account/users.ts'
import { deleteExpiredSignIns } from './access/sign-in/delete-expired-sign-ins.ts'
import type { Config } from './config.ts'
import { deleteOldValues } from './crm/bulk-changes/store.ts'
import { deleteZeros } from './crm/counts/move-changes.ts'
import { allCounts } from './crm/counts/tables.ts'
import { findDuplicates, forgetUndo, removeOldPairs } from './crm/duplicates/background.ts'
import { giveUpImports } from './intake/lead-import/progress-record.ts'
import { deleteOldRequests } from './intake/request-log/store.ts'
import { deleteOldDeliveries } from './intake/webhooks/deliveries/store.ts'
import { accountActor, asActor } from './platform/database/actor.ts'
import type { Database } from './platform/database/connect.ts'
import { repeat } from './platform/database/repeat.ts'
import type { Statement, TransactionSql } from './platform/database/sql.ts'
import { hoursKept } from './platform/idempotency/answer-once.ts'
import { endOpenCalls } from './telephony/calls/phone-calls.ts'

const every = 3_600_000
const day = 86_400_000
/** A call of which no event came for so long has ended. */
const maxCallMs = 2 * 3_600_000

/** Rows per transaction, so few that others wait for milliseconds only. */
const batchSize = 500

interface Work {
  now: Date
  /** Older deliveries are deleted. */
  oldest: Date
  account: Account
}

/** Cleans up to `limit` rows of an account, and returns how many. Fewer than `limit` means that none is left. */
type Step = (tx: TransactionSql, accountId: string, work: Work, limit: number) => Promise<number>

interface OldRows {
  table: string
  /** The columns of the key, after the account. */
  key: string[]
  /** Rows are deleted when this time is so many days ago, those without `days` with the deliveries. */
  time: string
  days?: number
  /** Other rows are kept. */
  only?: (tx: TransactionSql) => Statement
}

/** Deletes old rows, the oldest first. Locked ones are skipped. */
const deleteOld =
  ({ table, key, time, days, only }: OldRows): Step =>
  async (tx, accountId, { now, oldest }, limit) => {
    const before = days === undefined ? oldest : new Date(now.getTime() - days * day)
    const { count } = await tx`delete from ${tx(table)} where account_id = ${accountId} and (${tx(key)}) in (
      select ${tx(key)} from ${tx(table)} where account_id = ${accountId} and ${tx(time)} < ${before} ${only ? tx`and ${only(tx)}` : tx``}
      order by ${tx(time)} limit ${limit} for update skip locked)`
    return count
  }

/** One line for each kind of old data. */
const steps: Record<string, Step> = {
  deliveries: (tx, account, { oldest }, limit) => deleteOldDeliveries(tx, account, oldest, limit),
  open_calls: (tx, id, { now, account }, limit) =>
    endOpenCalls(tx, accountActor(id), account, { before: new Date(now.getTime() - maxCallMs), limit }),
  phone_calls: deleteOld({ table: 'phone_calls', key: ['id'], time: 'changed_at' }),
  receipts: deleteOld({
    table: 'delivery_receipts',
    key: ['webhook_id', 'platform_id', 'reading_hash'],
    time: 'received_at',
  }),
  lead_imports: (tx, account, { now }, limit) => giveUpImports(tx, account, now, limit),
  lead_import_rejections: deleteOld({
    table: 'lead_import_rejections',
    key: ['import_id', 'line'],
    time: 'rejected_at',
  }),
  bulk_change_leads: (tx, account, { now }, limit) => deleteOldValues(tx, account, now, limit),
  bulk_changes: deleteOld({
    table: 'bulk_changes',
    key: ['id'],
    time: 'started_at',
    days: 30,
    only: (tx) => tx`state not in ('running', 'undoing')`,
  }),
  idempotency_keys: deleteOld({
    table: 'idempotency_keys',
    key: ['api_key_id', 'key'],
    time: 'created_at',
    days: hoursKept / 24,
  }),
  logged_requests: (tx, account, { now }, limit) => deleteOldRequests(tx, account, now, limit),
  notices: deleteOld({ table: 'notices', key: ['id'], time: 'at', days: 30 }),
  // Until then, the answer to a second user says who was first.
  lead_offers: deleteOld({
    table: 'lead_offers',
    key: ['lead_id'],
    time: 'offered_at',
    days: 1,
    only: (tx) => tx`due_at is null`,
  }),
  merged_leads: (tx, account, { now }, limit) => forgetUndo(tx, account, now, limit),
  duplicates: (tx, account, { now }, limit) => findDuplicates(tx, account, now, limit),
  old_duplicates: (tx, account, _work, limit) => removeOldPairs(tx, account, limit),
  // Longer than a webhook is silent, and is not reported again.
  sent_notices: deleteOld({ table: 'sent_notices', key: ['kind', 'subject_id', 'day'], time: 'day', days: 400 }),
  ...Object.fromEntries(
    allCounts.map((tables): [string, Step] => [tables.counts, (tx, account) => deleteZeros(tx, account, tables)]),
  ),
}

interface Settings extends Pick<Config, 'deliveryRetentionDays'> {
  metrics: Registry
  onError(error: unknown, where: { account_id: string | null; step: string }): void
}

/** Cleans up once an hour, from the first minute on. */
export function cleanUpHourly(database: Database, { deliveryRetentionDays, metrics, onError }: Settings) {
  const observe = observeCleanup(metrics)
  async function run(signal: AbortSignal) {
    const started = performance.now()
    let failed = false
    const sink: Sink = {
      removed: (step, rows) => observe.rows.inc({ sweep: step }, rows),
      failed: (error, where) => {
        failed = true
        observe.failures.inc({ sweep: where.step })
        onError(error, where)
      },
      progress: (done, all) => observe.accounts.set(all === 0 ? 1 : done / all),
      signal,
    }
    await cleanUp(database, deliveryRetentionDays, new Date(), sink)
    observe.seconds.set((performance.now() - started) / 1000)
    if (!failed && !signal.aborted) observe.success.setToCurrentTime()
  }
  const failed = (error: unknown) => onError(error, { account_id: null, step: 'accounts' })
  return repeat(run, { every, first: 60_000, watch: database.watch, onError: failed })
}

interface Sink {
  removed(step: string, rows: number): void
  failed(error: unknown, where: { account_id: string | null; step: string }): void
  progress(done: number, all: number): void
  signal: AbortSignal
}

/** Runs each step for each account. If one fails, it is reported and the others continue. */
export async function cleanUp(database: Database, retentionDays: number, now: Date, sink: Sink): Promise<void> {
  const oldest = new Date(now.getTime() - retentionDays * day)
  async function attempt(step: string, account_id: string | null, batch: () => Promise<number>, size = batchSize) {
    try {
      await inBatches(batch, size, (rows) => sink.removed(step, rows), sink.signal)
    } catch (error) {
      sink.failed(error, { account_id, step })
    }
  }
  await attempt('sign_ins', null, () => deleteExpiredSignIns(database.directory, now, batchSize))
  let accounts: { id: string }[] = []
  await attempt('accounts', null, async () => {
    accounts = await database.directory<{ id: string }[]>`
      select id from ${presentAccounts(database.directory)} as present order by id`
    return 0
  })
  for (const [index, { id }] of accounts.entries()) {
    if (sink.signal.aborted) return
    sink.progress(index, accounts.length)
    for (const [name, step] of Object.entries(steps)) {
      await attempt(name, id, async () => {
        const account = await findAccount(database, id)
        return oneBatch(database, id, (tx) => step(tx, id, { now, oldest, account }, batchSize))
      })
    }
  }
  sink.progress(accounts.length, accounts.length)
}

/** Runs batches until one has less than `size` rows. */
async function inBatches(
  batch: () => Promise<number>,
  size: number,
  removed: (rows: number) => void,
  signal: AbortSignal,
) {
  for (let rows = size; rows >= size && !signal.aborted; ) {
    const started = performance.now()
    rows = await batch()
    removed(rows)
    // Pauses as long as the batch took, so that other work has half of the time.
    if (rows >= size) await pause(Math.min(performance.now() - started, 500))
  }
}

function oneBatch(database: Database, id: string, batch: (tx: TransactionSql) => Promise<number>): Promise<number> {
  return asActor(database, { ...accountActor(id), silent: true }, async (tx) => {
    // Another process may be cleaning up this account.
    const [lock] = await tx`select pg_try_advisory_xact_lock(hashtextextended(${id}, 7106153)) as mine,
      set_config('plan_cache_mode', 'force_custom_plan', true)`
    return lock!.mine ? batch(tx) : 0
  })
}

function observeCleanup(registry: Registry) {
  const labelNames = ['sweep'] as const
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const counter = (name: string, help: string) => {
    const counted = new Counter({ name, help, labelNames, registers })
    for (const step of ['sign_ins', 'accounts', ...Object.keys(steps)]) counted.inc({ sweep: step }, 0)
    return counted
  }
  return {
    rows: counter('lead_engine_cleanup_rows_total', 'Rows cleaned up'),
    failures: counter('lead_engine_cleanup_failures_total', 'Steps of the cleanup that failed for an account'),
    accounts: gauge('lead_engine_cleanup_progress', 'Share of the accounts that are cleaned up, from 0 to 1'),
    seconds: gauge('lead_engine_cleanup_seconds', 'Duration of the last cleanup in seconds'),
    success: gauge('lead_engine_cleanup_last_success_timestamp_seconds', 'Time of the last cleanup without a failure'),
  }
}
