import type { Sql } from 'postgres'
import { accountOf, type User } from '../account/users.ts'
import { recordAudit } from '../audit/record.ts'
import type { Actor } from '../database/actor.ts'
import { type Connection, type Database, isConflict, openAsOwner } from '../database/connect.ts'
import { withoutHeld, writeBatch } from './batch.ts'
import { type Chances, chances } from './chance.ts'
import { rowsOf } from './rows.ts'
import { type SampleLead, sampleLead } from './sample-lead.ts'
import { serials } from './sample-person.ts'
import { spreadOver } from './spread.ts'

export interface Wish {
  leads: number
  /** The days in India that they are spread over, today included. */
  days: number
  now: Date
  batchSize?: number
  /** Which of the made-up people come; by chance where it is not said. */
  firstSerial?: number
  /** Told how many leads are written by now. */
  onProgress?: (leads: number) => void
}

export interface Filled {
  leads: number
  calls: number
}

/**
 * Adds made-up leads and calls to an account. It writes as the owner: PostgreSQL refuses COPY into a table to a role
 * that the table's policies hold for, and single inserts would take many times as long. Each batch is one transaction
 * with its counts, so that whatever ends this before its time leaves them exact.
 */
export async function fillAccount(
  connection: Connection,
  database: Database,
  actor: Actor,
  wish: Wish,
): Promise<Filled> {
  const { users } = await accountOf(database, actor.account_id)
  // Not prepared: a plan from when the tables were empty is a bad one soon.
  const owner = openAsOwner(connection, { max: 2, prepare: false })
  const filled: Filled = { leads: 0, calls: 0 }
  try {
    await writeBatches(owner, actor, users, wish, filled)
    await finish(owner, actor, wish, filled)
  } catch (error) {
    // Said of what is written, where that still can be said; the error is what stopped it.
    if (filled.leads > 0 && filled.leads < wish.leads) await finish(owner, actor, wish, filled).catch(() => {})
    throw isConflict(error) ? new Error(heldSentence(filled), { cause: error }) : error
  } finally {
    await owner.end({ timeout: 5 })
  }
  return filled
}

/** The oldest first, and two at a time: one is made up while the database is still writing the other. */
async function writeBatches(owner: Sql, actor: Actor, people: User[], wish: Wish, filled: Filled): Promise<void> {
  const { leads, batchSize = 10_000 } = wish
  const makeSample = inventor(people, wish)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  let begun = 0

  async function writeInTurn() {
    while (begun < leads) {
      const first = begun
      begun = Math.min(begun + batchSize, leads)
      const batch = await unheldLeads(owner, actor, first, begun, makeSample)
      const rows = rowsOf(actor, batch, (userId) => names.get(userId)!)
      await owner.begin((tx) => writeBatch(tx, actor, rows))
      filled.leads += rows.leads.length
      filled.calls += rows.calls.length
      wish.onProgress?.(filled.leads)
    }
  }

  const lanes = [writeInTurn(), writeInTurn()]
  try {
    await Promise.all(lanes)
  } finally {
    // Where one failed, the other ends its batch and begins no more: what is written is then known.
    begun = leads
    await Promise.allSettled(lanes)
  }
}

type MakeSample = (index: number) => SampleLead

/** The lead for each index from 0 to the last, the oldest first; asked again, another person of the same time. */
function inventor(people: User[], wish: Wish): MakeSample {
  const { leads, days, now, firstSerial = Math.floor(Math.random() * serials) } = wish
  const momentAt = spreadOver(days, now, Math.random)
  const assignees = assigneesAmong(people)
  let serial = firstSerial
  return (index) => {
    serial = (serial + 1) % serials
    return sampleLead(serial, momentAt((index + Math.random()) / leads), now, assignees, Math.random)
  }
}

async function unheldLeads(owner: Sql, actor: Actor, first: number, end: number, makeSample: MakeSample) {
  const leads: SampleLead[] = []
  while (first + leads.length < end) {
    const tried: SampleLead[] = []
    for (let index = first + leads.length; index < end; index++) tried.push(makeSample(index))
    leads.push(...(await withoutHeld(owner, actor, tried)))
  }
  return leads
}

/** Agents work on most of the leads, and some are nobody's yet. */
function assigneesAmong(people: User[]): Chances<string | null> {
  const share = { Agent: 10, Manager: 4, Admin: 1 }
  const active = people.filter((person) => person.active).map(({ id, role }) => [id, share[role]] as const)
  const all = active.reduce((sum, [, weight]) => sum + weight, 0)
  return chances<string | null>([...active, [null, all === 0 ? 1 : all * 0.12]])
}

async function finish(owner: Sql, actor: Actor, { days }: Wish, filled: Filled): Promise<void> {
  await owner.begin((tx) => recordAudit(tx, actor, 'demo.filled', actor.account_id, { ...filled, days }))
  await owner`analyze leads, call_logs, timeline_entries, lead_counts, call_counts`
}

const heldSentence = ({ leads }: Filled) =>
  'Somebody else wrote a lead with one of the made-up phones or emails at the same moment. ' +
  `${leads} leads are written; run it again for the rest.`
