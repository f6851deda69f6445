import { randomUUID } from 'node:crypto'
import type { Reassignment } from '../../access/account/contract.ts'
import { openAccounts } from '../../access/account/suspension.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { readCounts } from '../../crm/counts/read-counts.ts'
import { leadCounts } from '../../crm/counts/tables.ts'
import { isOpen, type NewOwner, onlyOpen, reassignSome } from '../../crm/leads/reassign-some.ts'
import { reassignedSummary } from '../../crm/timeline/summaries.ts'
import { type Actor, accountActor, asActor } from '../../platform/database/actor.ts'
import { continueJobs, runBatches } from '../../platform/database/batch-jobs.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { evenShares } from './contract.ts'

/** Leads per transaction, so few that a merge into one of them waits for a fraction of a second. */
const batchSize = 500

interface Job {
  id: string
  from_user: string
  to_user: string | null
  to_users: NewOwner[] | null
  with_closed: boolean
  moved: string
  summary: string
  details: object
  requested_by: string | null
  via: Actor['via']
  via_id: string | null
}

interface Named {
  id: string
  name: string
}

export interface Handover {
  /** Empty: the leads become unassigned. */
  to: Named[]
  /** Won and lost leads, too. */
  withClosed: boolean
}

/** Saves a job that reassigns the leads of a user. Returns its id. */
export async function planReassignment(
  tx: TransactionSql,
  actor: Actor,
  from: Named,
  { to, withClosed }: Handover,
): Promise<string> {
  const { account_id, user_id, via, via_id } = actor
  await stopReassignments(tx, actor, { from_user: from.id }, 'It was started again.')
  const [by] = await tx`select name from users where account_id = ${account_id} and id = ${user_id}`
  const owners = (to.length > 0 ? to : [null]).map((owner) => ({
    id: owner?.id ?? null,
    summary: reassignedSummary(from.name, owner?.name ?? null, by?.name ?? 'The command line'),
  }))
  const first = owners[0]!
  const details = { via, via_id, user_id, from: from.id, to: first.id }
  const id = randomUUID()
  const counts = readCounts(tx, leadCounts, {
    within: tx`account_id = ${account_id}`,
    where: {
      assigned_to: tx`assigned_to = ${from.id}`,
      status: withClosed ? undefined : isOpen(tx),
    },
  })
  const [counted] = await tx`select coalesce(sum(n), 0) as total from ${counts}`
  await tx`insert into lead_reassignments (account_id, id, from_user, to_user, to_users, with_closed, state, total, summary, details,
      requested_by, via, via_id, started_at)
    values (${account_id}, ${id}, ${from.id}, ${first.id}, ${owners.length > 1 ? tx.json(owners) : null}, ${withClosed}, 'running',
      ${counted!.total}, ${first.summary}, ${tx.json(details)}, ${user_id}, ${via}, ${via_id}, now())`
  return id
}

/** Stops the jobs from or to a user. Leads that were reassigned stay so. */
export async function stopReassignments(
  tx: TransactionSql,
  actor: Actor,
  whose: { from_user: string } | { to_user: string },
  error: string,
): Promise<void> {
  const isTheirs =
    'from_user' in whose
      ? tx`from_user = ${whose.from_user}`
      : tx`(to_user = ${whose.to_user} or to_users @> ${tx.json([{ id: whose.to_user }])})`
  const stopped = await tx<(Pick<Job, 'to_user' | 'to_users'> & { from_user: string; moved: number })[]>`
    update lead_reassignments set state = 'stopped', error = ${error}, finished_at = now()
    where account_id = ${actor.account_id} and state = 'running' and ${isTheirs}
    returning from_user, to_user, to_users, moved::int`
  for (const { from_user, moved, ...job } of stopped)
    await recordAudit(tx, actor, {
      action: 'user.leads_reassigned',
      subject_id: from_user,
      details: auditDetails(job, moved),
    })
}

/** `to` is null if the leads become unassigned. */
function auditDetails({ to_user, to_users }: Pick<Job, 'to_user' | 'to_users'>, leads: number) {
  const ids = to_users?.map(({ id }) => id!)
  return ids ? { to_users: evenShares(ids, leads), leads } : { to: to_user, leads }
}

/** Reassigns batch after batch until none is left, the job is stopped, or another process runs it. */
export function runReassignment(
  database: Database,
  accountId: string,
  id: string,
  onBatch: (moved: number) => void = () => {},
): Promise<void> {
  return runBatches(id, async () => {
    const batch = await asActor(database, accountActor(accountId), (tx) => oneBatch(tx, accountId, id))
    if (batch === 'ended') return 'ended'
    const { moved, from, isLast } = batch
    database.announceToUsers(accountId, [from])
    if (isLast) return 'ended'
    onBatch(moved)
    return moved < batchSize ? 'locked' : 'more'
  })
}

interface Batch {
  moved: number
  from: string
  isLast: boolean
}

async function oneBatch(tx: TransactionSql, accountId: string, id: string): Promise<Batch | 'ended'> {
  const [job] = await tx<Job[]>`select * from lead_reassignments
    where account_id = ${accountId} and id = ${id} and state = 'running' and account_id in ${openAccounts(tx)} for update skip locked`
  if (!job) return 'ended'
  const n = await reassignSome(tx, accountActor(accountId), {
    from: job.from_user,
    to: job.to_users ?? [{ id: job.to_user, summary: job.summary }],
    moved: Number(job.moved),
    withClosed: job.with_closed,
    at: new Date(),
    details: job.details,
    limit: batchSize,
  })
  const [left] =
    n === batchSize
      ? [true]
      : await tx`select 1 from leads
    where account_id = ${accountId} and assigned_to = ${job.from_user} ${onlyOpen(tx, job.with_closed)} limit 1`
  const state = left ? 'running' : 'done'
  await tx`update lead_reassignments set moved = moved + ${n}, total = greatest(total, moved + ${n}), state = ${state},
      finished_at = ${left ? null : new Date()}
    where account_id = ${accountId} and id = ${id}`
  const batch = { moved: n, from: job.from_user, isLast: !left }
  if (left) return batch
  const actor: Actor = { ...accountActor(accountId), user_id: job.requested_by, via: job.via, via_id: job.via_id }
  const leads = Number(job.moved) + n
  await recordAudit(tx, actor, {
    action: 'user.leads_reassigned',
    subject_id: job.from_user,
    details: auditDetails(job, leads),
  })
  return batch
}

/** The ids of the new owners; empty if the leads become unassigned. */
export const toUsers = (sql: Sql) => sql`case
  when to_users is not null then array(select (owner->>'id')::uuid from jsonb_array_elements(to_users) owner)
  when to_user is not null then array[to_user] else '{}' end`

/** Returns the progress of a job. */
export async function findReassignment({ directory }: Database, accountId: string, id: string): Promise<Reassignment> {
  const [row] = await directory<Reassignment[]>`
    select state, total::int, moved::int, ${toUsers(directory)} as to_users, error from lead_reassignments
    where account_id = ${accountId} and id = ${id}`
  return row!
}

/** Continues jobs that another process, or this one before a restart, left unfinished. */
export const continueReassignments = (database: Database, onError: (error: unknown) => void) =>
  continueJobs(
    database,
    async () => {
      const jobs = await database.directory<{ account_id: string; id: string }[]>`
      select account_id, id from lead_reassignments
      where state = 'running' and account_id in ${openAccounts(database.directory)}`
      await Promise.all(jobs.map(({ account_id, id }) => runReassignment(database, account_id, id)))
    },
    onError,
  )
