import { type Account, findAccount } from '../../server/access/account/users.ts'
import { recordAudit } from '../../server/access/audit/record.ts'
import { moveChanges } from '../../server/crm/counts/move-changes.ts'
import { callCounts, leadCounts } from '../../server/crm/counts/tables.ts'
import { listRules } from '../../server/crm/distribution/read-rules.ts'
import { findDuplicates } from '../../server/crm/duplicates/background.ts'
import { addSources } from '../../server/crm/leads/source-names.ts'
import type { Actor } from '../../server/platform/database/actor.ts'
import { type Connection, type Database, openAsOwner } from '../../server/platform/database/connect.ts'
import { isConflict } from '../../server/platform/database/errors.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { type OwnerOf, ownersAmong } from '../../server/setup/demo/assignees.ts'
import { type SampleLead, sampleLead } from '../../server/setup/demo/sample-lead.ts'
import { serials } from '../../server/setup/demo/sample-person.ts'
import { spreadOver } from '../../server/setup/demo/spread.ts'
import { withoutExisting, writeBatch } from './batch.ts'
import { asDuplicate } from './duplicate.ts'
import { toRows } from './rows.ts'

export interface FillOptions {
  leads: number
  /** The leads are spread over this many days in India, today included. */
  days: number
  now: Date
  /** Whether users called their leads, planned calls and lost some, and leads enquired again. Benches measure without. */
  followsUp?: boolean
  batchSize?: number
  /** The first of the sample people; random by default. */
  firstSerial?: number
  /** Called with the number of leads written so far. */
  onProgress?: (leads: number) => void
}

export interface Filled {
  leads: number
  calls: number
}

/**
 * Adds sample leads and calls to an account. It writes as the owner, because PostgreSQL does not allow COPY into a table
 * with row-level security for other roles, and single inserts take many times as long. Each batch is one transaction
 * with its counts, so that the counts are exact even if this is interrupted.
 */
export async function fillAccount(
  connection: Connection,
  database: Database,
  actor: Actor,
  options: FillOptions,
): Promise<Filled> {
  const account = await findAccount(database, actor.account_id)
  const ownerOf = ownersAmong(account, await listRules(database, actor.account_id), Math.random)
  // Not prepared: plans made while the tables are empty soon become bad.
  const owner = openAsOwner(connection, { max: 2, prepare: false })
  const filled: Filled = { leads: 0, calls: 0 }
  try {
    await writeBatches(owner, { actor, account, ownerOf, options, filled })
    await finish(owner, actor, options, filled)
  } catch (error) {
    // Records what was written if possible. The error to throw is the one that stopped it.
    if (filled.leads > 0 && filled.leads < options.leads) await finish(owner, actor, options, filled).catch(() => {})
    throw isConflict(error) ? new Error(conflictMessage(filled), { cause: error }) : error
  } finally {
    await owner.end({ timeout: 5 })
  }
  return filled
}

interface Filling {
  actor: Actor
  account: Account
  ownerOf: OwnerOf
  options: FillOptions
  filled: Filled
}

/** Writes batches, oldest first. Two run at a time: one is generated while the database writes the other. */
async function writeBatches(owner: Sql, { actor, account, ownerOf, options, filled }: Filling): Promise<void> {
  const { leads, batchSize = 10_000 } = options
  const makeSample = sampleLeads(ownerOf, options)
  const names = new Map(account.users.map(({ id, name }) => [id, name]))
  let started = 0

  async function writeNext() {
    while (started < leads) {
      const first = started
      started = Math.min(started + batchSize, leads)
      const batch = await newLeads(owner, actor, { first, end: started, makeSample })
      const rows = toRows(actor, batch, (userId) => names.get(userId)!)
      await owner.begin((tx) => writeBatch(tx, actor, rows))
      filled.leads += rows.leads.length
      filled.calls += rows.calls.length
      options.onProgress?.(filled.leads)
    }
  }

  const lanes = [writeNext(), writeNext()]
  try {
    await Promise.all(lanes)
  } finally {
    // If one fails, the other finishes its batch and starts no more, so that the written total is known.
    started = leads
    await Promise.allSettled(lanes)
  }
}

type MakeSample = (index: number) => SampleLead

/** Returns a function from an index, the oldest first, to a lead. Each call returns another person. */
function sampleLeads(ownerOf: OwnerOf, options: FillOptions): MakeSample {
  const { leads, days, now, followsUp = false, firstSerial = Math.floor(Math.random() * serials) } = options
  const momentAt = spreadOver(days, now, Math.random)
  let serial = firstSerial
  let last: SampleLead | null = null
  return (index) => {
    serial = (serial + 1) % serials
    const created_at = momentAt((index + Math.random()) / leads)
    const lead = sampleLead({ serial, created_at, now, ownerOf, followsUp, random: Math.random })
    const made: SampleLead = followsUp && last && index % 60 === 59 ? asDuplicate(lead, last) : lead
    last = made
    return made
  }
}

async function newLeads(
  owner: Sql,
  actor: Actor,
  { first, end, makeSample }: { first: number; end: number; makeSample: MakeSample },
) {
  const leads: SampleLead[] = []
  while (first + leads.length < end) {
    const tried: SampleLead[] = []
    for (let index = first + leads.length; index < end; index++) tried.push(makeSample(index))
    leads.push(...(await withoutExisting(owner, actor, tried)))
  }
  return leads
}

/** Leads. The service compares the others within an hour. */
const comparedAtOnce = 2000

/** Changes of counts. */
const movedAtOnce = 50_000

async function finish(owner: Sql, actor: Actor, { days, now, followsUp }: FillOptions, filled: Filled): Promise<void> {
  await owner.begin((tx) =>
    recordAudit(tx, actor, { action: 'demo.filled', subject_id: actor.account_id, details: { ...filled, days } }),
  )
  for (const tables of [leadCounts, callCounts]) {
    for (let moved = movedAtOnce; moved === movedAtOnce; )
      moved = await owner.begin((tx) => moveChanges(tx, actor.account_id, tables, movedAtOnce))
  }
  const sources = await owner<{ source: string }[]>`
    select distinct source from lead_counts where account_id = ${actor.account_id} and source is not null`
  await owner.begin((tx) =>
    addSources(
      tx,
      actor.account_id,
      sources.map(({ source }) => source),
    ),
  )
  if (followsUp) await owner.begin((tx) => findDuplicates(tx, actor.account_id, now, comparedAtOnce))
  await owner`analyze leads, enquiries, call_logs, timeline_entries, lead_counts, call_counts`
}

const conflictMessage = ({ leads }: Filled) =>
  'Another lead with the same phone or email as a sample lead was created at the same time. ' +
  `${leads} leads were written. Run the command again for the rest.`
