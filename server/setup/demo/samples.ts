import { randomUUID } from 'node:crypto'
import { findAccount } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import type { StoredEnquiry } from '../../crm/enquiries/stored-enquiry.ts'
import { createLeads } from '../../crm/leads/create-lead.ts'
import { eraseLead, lockToErase } from '../../crm/leads/remove-lead.ts'
import { addSources } from '../../crm/leads/source-names.ts'
import { type Actor, asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { createCallLogs } from '../../telephony/calls/store.ts'
import { ownersAmong } from './assignees.ts'
import { type Samples, samplesAtOnce, sampleTag } from './contract.ts'
import type { FirstEnquiry } from './sample-enquiry.ts'
import { type SampleLead, sampleLead } from './sample-lead.ts'
import { spreadOver } from './spread.ts'

/**
 * Names in the audit log what was added as a sample, as an import is named. The log is never changed, so it says which leads are
 * samples, whatever users do with them.
 */
const samplesId = '5a3f1e00-0000-4000-8000-000000000001'
const days = 30
const sender = 'the sample data'

/** Adds sample leads with calls of the last 30 days. No user is notified of them. */
export async function addSamples(database: Database, caller: Actor, now: Date): Promise<Samples> {
  const account = await findAccount(database, caller.account_id)
  const actor: Actor = { ...caller, via_id: samplesId }
  const momentAt = spreadOver(days, now, Math.random)
  const ownerOf = ownersAmong(account, [], Math.random)
  const samples = Array.from({ length: samplesAtOnce }, (_, index) => {
    const created_at = momentAt((index + Math.random()) / samplesAtOnce)
    const serial = Math.floor(Math.random() * 1_000_000_000)
    const lead = sampleLead({ serial, created_at, now, ownerOf, followsUp: true, random: Math.random })
    return { ...withFictionalPhone(lead, index), id: randomUUID(), tags: [sampleTag, ...lead.tags] }
  })
  return asActor(database, actor, async (tx) => {
    // Only one of two users at the same time adds them.
    await tx`select from accounts where id = ${actor.account_id} for no key update`
    const before = await countSamples(tx, actor.account_id)
    if (before.leads > 0) return before
    await addSources(tx, actor.account_id, [...new Set(samples.map(({ source }) => source))])
    const created = await createLeads(
      tx,
      actor,
      samples.map(({ phone_key, email_key, enquiry, ...lead }) => ({
        lead,
        enquiry: enquiry && storedEnquiry(actor, lead, enquiry),
        toSave: {
          actor,
          submission: { sender, received_at: lead.created_at },
          wanted: { account, phone_key, email_key, contacts: [], assignment: null },
        },
      })),
      { notifies: false },
    )
    const calls = samples
      .filter(({ id }) => created.has(id))
      .flatMap(({ id, assigned_to, calls }) =>
        calls.map((call) => ({ ...call, id: randomUUID(), lead_id: id, called_by: assigned_to })),
      )
    await createCallLogs(tx, actor, { calls, sender, now })
    await writePlans(tx, actor.account_id, samples)
    const details = { leads: created.size, calls: calls.length, days }
    await recordAudit(tx, caller, { action: 'demo.filled', subject_id: actor.account_id, details })
    return countSamples(tx, actor.account_id)
  })
}

function storedEnquiry(
  { via, via_id }: Actor,
  { created_at, source }: Pick<SampleLead, 'created_at' | 'source'>,
  enquiry: FirstEnquiry,
): StoredEnquiry {
  const at = { at: created_at, last_at: created_at }
  return { ...enquiry, ...at, via, via_id, source, is_repeat: false, message: null, consent: null, omitted: 0 }
}

/** Writes what `createLeads` does not. No reminder is sent of sample leads, and an enquiry would be real data. */
async function writePlans(tx: TransactionSql, accountId: string, samples: (SampleLead & { id: string })[]) {
  const plans = samples.map(({ id, call_again_at, lost_reason, calls }) => {
    return { id, call_again_at, lost_reason, call_again_set_at: call_again_at && calls.at(-1)!.created_at }
  })
  await tx`update leads set call_again_at = plan.call_again_at, call_again_set_at = plan.call_again_set_at,
      lost_reason = plan.lost_reason
    from jsonb_populate_recordset(null::leads, ${tx.json(plans as never)}) plan
    where leads.account_id = ${accountId} and leads.id = plan.id`
}

/**
 * Permanently deletes the sample leads, also changed ones, but not those that have real data now: a contact that a user entered, a
 * submission or lead that was merged into them, or a call. Each is a transaction, so that no lead waits for the others.
 */
export async function removeSamples(database: Database, caller: Actor): Promise<{ removed: number; kept: number }> {
  const { country } = await findAccount(database, caller.account_id)
  const actor: Actor = { ...caller, via_id: samplesId }
  const ids = await asActor(database, actor, (tx) => sampleIds(tx, actor.account_id))
  let removed = 0
  for (const id of ids) {
    const isRemoved = await asActor(database, actor, async (tx) => {
      const lead = await lockToErase(tx, actor, id, country)
      // What merges now waits for the lock, and then creates a lead of its own.
      if (!lead || (await areReal(tx, actor.account_id, [id])).size > 0) return false
      if (await eraseLead(tx, actor, lead, country)) database.cache.invalidate(actor.account_id)
      return true
    })
    if (isRemoved) removed++
  }
  const { kept } = await asActor(database, caller, async (tx) => {
    if (removed > 0) {
      const details = { leads: removed }
      await recordAudit(tx, caller, { action: 'demo.removed', subject_id: actor.account_id, details })
    }
    return countSamples(tx, actor.account_id)
  })
  return { removed, kept }
}

export async function countSamples(tx: TransactionSql, accountId: string): Promise<Samples> {
  const ids = await sampleIds(tx, accountId)
  const kept = (await areReal(tx, accountId, ids)).size
  return { leads: ids.length - kept, kept }
}

/** The sample leads that still exist. */
async function sampleIds(tx: TransactionSql, accountId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from leads where account_id = ${accountId} and id in (
      select subject_id from audit_log
      where account_id = ${accountId} and via in ('web', 'command') and via_id = ${samplesId} and action = 'lead.created'
    ) order by id`
  return rows.map(({ id }) => id)
}

const contacts = ['phone', 'email', 'other_contacts']

async function areReal(tx: TransactionSql, accountId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select lead_id as id from timeline_entries
    where account_id = ${accountId} and lead_id = any (${ids}) and (
      kind in ('merged', 'submitted')
      or details -> 'changes' @> any (${contacts.map((field) => JSON.stringify([{ field }]))}::jsonb[])
    )
    union
    select lead_id from phone_calls where account_id = ${accountId} and lead_id = any (${ids})
    union
    select lead_id from deliveries where account_id = ${accountId} and lead_id = any (${ids})`
  return new Set(rows.map(({ id }) => id))
}

/** Gives a lead a number without an owner: India reserves none for fiction, so it is one of the 100 that the USA reserve for fiction. */
function withFictionalPhone(lead: SampleLead, index: number): SampleLead {
  if (lead.phone === null) return lead
  const digits = String(100 + index)
  return { ...lead, phone: `+1 202 555 0${digits}`, phone_key: `+12025550${digits}` }
}
